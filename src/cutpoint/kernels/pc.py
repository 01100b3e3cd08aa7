"""Loops of the PC algorithm: the search for separating sets, and unshielded colliders.

What a test of independence needs is a tuple, one for each kind of test and None for the kinds not made:
numba leaves out the branches of those, so that each kind has a loop of its own. A kind of test is a
function such as `_separate_fisherz`, which looks for a separating set of one pair and one size.
"""

import numpy as np

from cutpoint.kernels.compiled import jit

_SINGULAR = 1e-10  # a variance left after regression that is below this share of the original counts as zero


@jit
def _candidates(adjacent, x, y, side, out):
    """Write the neighbours of x (side 0), y (side 1) or either (side 2) to `out`; return their number."""
    count = 0
    for v in range(len(adjacent)):
        if v != x and v != y and ((side != 1 and adjacent[x, v]) or (side != 0 and adjacent[y, v])):
            out[count] = v
            count += 1
    return count


@jit
def _next_subset(chosen, size, total):
    """Step `chosen` to the next subset in lexicographic order; return its first changed place, or -1."""
    place = size - 1
    while place >= 0 and chosen[place] == total - size + place:
        place -= 1
    if place >= 0:
        chosen[place] += 1
        for later in range(place + 1, size):
            chosen[later] = chosen[later - 1] + 1
    return place


@jit
def _factor(correlation, x, y, conditioning, level, rows):
    """Fill one level of the Cholesky factor of (conditioning, x, y); a redundant variable gets a row of zeros.

    rows[level] holds its row of the factor, the diagonal, and in the last two columns the entries of
    x and y. Rows before `level` must be in place, so that sets with a common beginning share them.
    """
    v, row = conditioning[level], rows[level]
    pivot, to_x, to_y = correlation[v, v], correlation[v, x], correlation[v, y]
    for j in range(level):
        earlier = rows[j]
        entry = 0.0
        if earlier[j] > 0:
            entry = correlation[v, conditioning[j]]
            for m in range(j):
                entry -= row[m] * earlier[m]
            entry /= earlier[j]
        row[j] = entry
        pivot -= entry * entry
        to_x -= entry * earlier[-2]
        to_y -= entry * earlier[-1]
    scale = 1 / np.sqrt(pivot) if pivot > _SINGULAR else 0.0
    row[level] = pivot * scale
    row[-2], row[-1] = to_x * scale, to_y * scale


@jit
def _residual_moments(correlation, x, y, size, rows):
    """Return the variances of x and y and their covariance, given the first `size` factored rows."""
    vx, vy, cov = correlation[x, x], correlation[y, y], correlation[x, y]
    for k in range(size):
        a, b = rows[k, -2], rows[k, -1]
        vx -= a * a
        vy -= b * b
        cov -= a * b
    return vx, vy, cov


@jit
def _separate_fisherz(correlation, critical, x, y, pool, total, size, skip, conditioning):
    """Look for the first set of one size that separates x and y, and leave it in `conditioning`.

    The sets are subsets of pool[:total] that do not lie within `skip` (bool [n]), as those were tested
    before; |rho| up to critical[size] is independence. Returns whether there is one, and the number of tests.
    """
    rows = np.zeros((size, size + 2))
    chosen = np.arange(size)
    tests, changed = 0, 0
    limit = critical[size] * critical[size]
    while changed >= 0:
        old = size > 0
        for level in range(changed, size):
            conditioning[level] = pool[chosen[level]]
            _factor(correlation, x, y, conditioning, level, rows)
        for level in range(size):
            old = old and skip[conditioning[level]]
        if not old:
            tests += 1
            vx, vy, cov = _residual_moments(correlation, x, y, size, rows)
            if vx <= _SINGULAR or vy <= _SINGULAR or cov * cov <= limit * vx * vy:
                return True, tests
        changed = _next_subset(chosen, size, total)
    return False, tests


@jit
def refine(index, count, column, levels, out):
    """Number the configurations of a set and a variable, of too many only those that occur; return how many."""
    if count * levels <= index.size:
        for record in range(index.size):
            out[record] = index[record] * levels + column[record]
        return count * levels
    label = np.full(count * levels, -1, np.int32)
    occurring = 0
    for record in range(index.size):
        cell = index[record] * levels + column[record]
        if label[cell] < 0:
            label[cell] = occurring
            occurring += 1
        out[record] = label[cell]
    return occurring


@jit
def g_squared(index, count, codes, levels, x, y, xlogx):
    """Return G2 of x and y and its degrees of freedom, given the numbered configurations of a set.

    index: int32 [N], numbers below `count`; the other arrays are those of `skeleton`.
    """
    counts = np.zeros((count, levels[x], levels[y]), np.int32)
    for record in range(index.size):
        counts[index[record], codes[record, x], codes[record, y]] += 1
    columns = np.empty(levels[y], np.int32)
    total, freedom = 0.0, 0
    for table in counts:
        columns[:] = 0
        records, rows_used, columns_used = 0, 0, 0
        for row in table:
            in_row = 0
            for k in range(row.size):
                in_row += row[k]
                columns[k] += row[k]
                total += xlogx[row[k]]
            records += in_row
            rows_used += in_row > 0
            total -= xlogx[in_row]
        for in_column in columns:
            columns_used += in_column > 0
            total -= xlogx[in_column]
        total += xlogx[records]
        freedom += (rows_used - 1) * (columns_used - 1) if records > 0 else 0
    return 2 * total, freedom


@jit
def _separate_g2(codes, levels, xlogx, critical, most, x, y, pool, total, size, skip, conditioning):
    """Look for the first set of one size that separates x and y; see `_separate_fisherz`.

    Sets that make more than `most` cells are not tested and separate nothing, but constants are independent of all.
    G2 up to `critical` of the degrees of freedom is independence, and so is more freedom than `critical` holds.
    """
    if levels[x] == 1 or levels[y] == 1:
        return True, 1
    index = np.zeros((size + 1, codes.shape[0]), np.int32)
    counts, cells = np.ones(size + 1, np.int64), np.full(size + 1, float(levels[x] * levels[y]))
    fewest = np.inf
    for k in range(total):
        fewest = min(fewest, float(levels[pool[k]]))
    chosen, tests, changed = np.arange(size), 0, 0
    while changed >= 0:
        old, level = size > 0, changed
        while level < size:
            v = conditioning[level] = pool[chosen[level]]
            cells[level + 1] = cells[level] * levels[v]
            if cells[level + 1] * fewest ** (size - level - 1) > most:
                break
            counts[level + 1] = refine(index[level], counts[level], codes[:, v], levels[v], index[level + 1])
            level += 1
        if level < size:  # so do all sets with this beginning
            for later in range(level + 1, size):
                chosen[later] = total - size + later
        elif cells[size] <= most:
            for v in conditioning[:size]:
                old = old and skip[v]
            if not old:
                tests += 1
                g2, freedom = g_squared(index[size], counts[size], codes, levels, x, y, xlogx)
                if freedom >= critical.size or g2 <= critical[freedom]:
                    return True, tests
        changed = _next_subset(chosen, size, total)
    return False, tests


@jit
def _separate(fisherz, g2, x, y, pool, total, size, skip, conditioning):
    """Look for the first separating set of one size by the kind of test that is not None."""
    if fisherz is not None:
        correlation, critical = fisherz
        return _separate_fisherz(correlation, critical, x, y, pool, total, size, skip, conditioning)
    if g2 is not None:
        codes, levels, xlogx, quantiles, most = g2
        return _separate_g2(codes, levels, xlogx, quantiles, most, x, y, pool, total, size, skip, conditioning)
    return False, 0


@jit
def skeleton(start, kept, fisherz, g2, union, stable):
    """Remove edges by tests of growing order (Spirtes et al. 2001, PC), from the complete graph where nothing is known.

    Pairs x < y and sets are taken in lexicographic order, and the first independence removes the edge. start, kept:
    bool [n, n], the pairs that may be neighbours, and those that are and are not tested. fisherz: None, or
    correlations, float64 [n, n], and the critical |rho| by the size of the set, float64 [n], inf where no test is
    possible. g2: None, or codes, uint16 [N, n], columns contiguous; levels, int64 [n]; k ln k for k = 0..N, float64;
    critical values by the degrees of freedom, float64; and the most cells of a table. union: sets from adj(x) | adj(y),
    else from adj(x) and then from adj(y). stable: neighbours as they were when the order of the tests last grew.

    Gives the skeleton, bool [n, n]; begin and end of each removed pair's set, int64 [n, n, 2], in a flat array; that
    array; the number of tests.
    """
    n, adjacent = len(start), start.copy()
    where = np.zeros((n, n, 2), np.int64)
    pool, conditioning = np.empty(n, np.int64), np.empty(n, np.int64)
    sets, tests = [v for v in conditioning[:0]], 0  # a list of no integers
    skip = np.zeros(n, np.bool_)
    size, more = 0, True
    while more:
        more, before = False, tests
        neighbours = adjacent.copy() if stable else adjacent
        for x in range(n):
            for y in range(x + 1, n):
                if not adjacent[x, y] or kept[x, y]:
                    continue
                skip[:] = False
                for side in range(2, 3) if union else range(2):
                    total = _candidates(neighbours, x, y, side, pool)
                    if total < size or (size == 0 and side == 1):
                        continue
                    more = more or total > size
                    separated, count = _separate(fisherz, g2, x, y, pool, total, size, skip, conditioning)
                    tests += count
                    if separated:
                        adjacent[x, y] = adjacent[y, x] = False
                        where[x, y, 0] = where[y, x, 0] = len(sets)
                        sets.extend(conditioning[:size])
                        where[x, y, 1] = where[y, x, 1] = len(sets)
                        break
                    skip[pool[:total]] = True
        more = more and tests > before  # where no set can be tested, no larger one can
        size += 1
    return adjacent, where, np.array(sets), tests


@jit
def colliders(pattern, where, sets):
    """Orient unshielded triples x - z - y of a pattern whose separating set lacks z as x -> z <- y.

    Triples go by z, then x < y. A triple that would turn an arc around is left alone: first come, first kept.
    """
    n, graph, adjacent = len(pattern), pattern.copy(), pattern | pattern.T
    for z in range(n):
        for x in range(n):
            if not adjacent[x, z]:
                continue
            for y in range(x + 1, n):
                if not adjacent[y, z] or adjacent[x, y]:
                    continue
                if z not in sets[where[x, y, 0] : where[x, y, 1]] and graph[x, z] and graph[y, z]:
                    graph[z, x] = graph[z, y] = False
    return graph
