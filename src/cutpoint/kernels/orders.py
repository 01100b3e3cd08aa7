"""Walks over orders of the variables and the best graphs of all their subsets, on parent sets as bit masks.

Parent sets stand as in `cutpoint.learners.parents.ParentSets`: rows first[i] .. first[i + 1] - 1 are those of
variable i, the best first, the empty set among them.
"""

import numpy as np

from cutpoint.kernels.compiled import jit


@jit
def _fits(mask, before):
    """Tell whether all members of a set are among the variables before."""
    for w in range(mask.size):
        if mask[w] & ~before[w]:
            return False
    return True


@jit
def _add(mask, variable):
    mask[variable >> 6] |= np.uint64(1) << np.uint64(variable & 63)


@jit
def _first_fit(masks, start, end, before):
    """Return the first row of a range whose set fits, or its end."""
    row = start
    while row < end and not _fits(masks[row], before):
        row += 1
    return row


@jit
def best_rows(first, masks, order):
    """Return the row of the best parent set of each variable under an order, int64 [n]."""
    rows = np.empty(order.size, np.int64)
    before = np.zeros(masks.shape[1], np.uint64)
    for i in order:
        rows[i] = _first_fit(masks, first[i], first[i + 1], before)
        _add(before, i)
    return rows


@jit
def _swap(first, masks, scores, rows, before, a, b):
    """Return the gain when b comes before a, and their rows then; `before` are the variables before both."""
    row_b = _first_fit(masks, rows[b], first[b + 1], before)
    with_b = before.copy()
    _add(with_b, b)
    row_a = _first_fit(masks, first[a], rows[a], with_b)
    return scores[row_a] + scores[row_b] - scores[rows[a]] - scores[rows[b]], row_a, row_b


@jit
def walk(first, masks, scores, order, fixed, tabu_length, max_worse, epsilon, tie):
    """Swap neighbours of an order until no better one comes, and return the best order.

    Every step makes the best swap that is not forbidden, even where it loses; of equal ones, nearer than `tie`, the
    next after the last swap, so that a plateau is walked over. Two variables that were swapped are not swapped again
    for `tabu_length` steps; where all are forbidden, those that were swapped longest ago are. It ends after
    `max_worse` steps without a new best.

    order: int64 [n]; fixed: bool [n, n], fixed[a, b] where a stays before b, as it does in the first order.
    Gives the best order, int64 [n], and the number of swaps.
    """
    n = order.size
    order = order.copy()
    rows = best_rows(first, masks, order)
    before = np.zeros((n + 1, masks.shape[1]), np.uint64)
    for p in range(n):
        for word in range(masks.shape[1]):
            before[p + 1, word] = before[p, word]
        _add(before[p + 1], order[p])
    gains = np.empty(max(n - 1, 0))
    for p in range(n - 1):
        if not fixed[order[p], order[p + 1]]:
            gains[p] = _swap(first, masks, scores, rows, before[p], order[p], order[p + 1])[0]
    free_at = np.zeros((n, n), np.int64)
    best, total, highest = order.copy(), 0.0, 0.0
    steps = since = last = 0
    while n > 1 and since < max_worse:
        chosen, gain, longest = -1, -np.inf, 0
        while longest < n - 1 and fixed[order[longest], order[longest + 1]]:
            longest += 1
        if longest == n - 1:
            break
        for q in range(n - 1):
            p = (last + q) % (n - 1)
            a, b = order[p], order[p + 1]
            if fixed[a, b]:
                continue
            free = free_at[min(a, b), max(a, b)]
            if free <= steps and gains[p] > gain + tie:
                chosen, gain = p, gains[p]
            if free < free_at[min(order[longest], order[longest + 1]), max(order[longest], order[longest + 1])]:
                longest = p
        if chosen < 0:
            chosen, gain = longest, gains[longest]
        p = last = chosen
        a, b = order[p], order[p + 1]
        _, row_a, row_b = _swap(first, masks, scores, rows, before[p], a, b)
        rows[a], rows[b] = row_a, row_b
        order[p], order[p + 1] = b, a
        for word in range(masks.shape[1]):
            before[p + 1, word] = before[p, word]
        _add(before[p + 1], b)
        for q in range(max(p - 1, 0), min(p + 2, n - 1)):
            if not fixed[order[q], order[q + 1]]:
                gains[q] = _swap(first, masks, scores, rows, before[q], order[q], order[q + 1])[0]
        steps += 1
        since += 1
        free_at[min(a, b), max(a, b)] = steps + tabu_length
        total += gain
        if total > highest + epsilon:
            best, highest, since = order.copy(), total, 0
    return best, steps


@jit
def _holders(first, masks):
    """Return the rows of each child whose sets hold a variable, rising, int64 [k], and where those begin and end.

    begin: int64 [n n + 1]; those of a child and a variable are in begin[child n + variable] and the next.
    """
    n, words = first.size - 1, masks.shape[1]
    begin = np.zeros(n * n + 1, np.int64)
    rows = np.empty(0, np.int64)
    at = begin
    for fills in (False, True):
        for child in range(n):
            for row in range(first[child], first[child + 1]):
                for word in range(words):
                    mask = masks[row, word]
                    variable = word << 6
                    while mask:
                        if mask & np.uint64(1):
                            if fills:
                                rows[at[child * n + variable]] = row
                            at[child * n + variable + (not fills)] += 1
                        mask >>= np.uint64(1)
                        variable += 1
        if not fills:
            begin = np.cumsum(begin)
            rows, at = np.empty(begin[-1], np.int64), begin.copy()
    return rows, begin


@jit
def _better(holders, begin, pair, row, masks, before):
    """Return the first row of a pair of child and variable that fits and comes before a row, or that row."""
    for k in range(begin[pair], begin[pair + 1]):
        if holders[k] >= row:
            return row
        if _fits(masks[holders[k]], before):
            return holders[k]
    return row


@jit
def insert_best(first, masks, scores, order, fixed, tie):
    """Put one variable after the other to its best place until none gains, and return the order and the moves.

    order: int64 [n]; fixed: bool [n, n], fixed[a, b] where a stays before b, as it does in the first order. Of places
    nearer than `tie` the first wins, and a variable stays where none gains more.
    """
    n, words = order.size, masks.shape[1]
    order, others = order.copy(), np.empty(max(n - 1, 0), np.int64)
    rows = best_rows(first, masks, order)
    holders, begin = _holders(first, masks)
    without, holding, own = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    totals, before, with_it = np.empty(n), np.empty(words, np.uint64), np.empty(words, np.uint64)
    moves = since = variable = 0
    while since < n:
        here = low = at = 0
        high = n - 1
        for p in range(n):
            if order[p] == variable:
                here = p
            else:
                others[at] = order[p]
                at += 1
        for q in range(n - 1):
            if fixed[others[q], variable]:
                low = q + 1
            if fixed[variable, others[n - 2 - q]]:
                high = n - 2 - q
        before[:] = 0
        with_it[:] = 0
        _add(with_it, variable)
        word, bit = variable >> 6, np.uint64(1) << np.uint64(variable & 63)
        row, total = _first_fit(masks, first[variable], first[variable + 1], before), 0.0
        for p in range(n):
            if p > 0:  # behind one more only sets that hold it fit that did not before
                row = _better(holders, begin, variable * n + others[p - 1], own[p - 1], masks, before)
            own[p] = row
            totals[p] = scores[row] + total
            if p < n - 1:
                other = others[p]
                row = row_with = rows[other]
                if p < here:
                    row_with = _better(holders, begin, other * n + variable, row, masks, with_it)
                elif masks[row, word] & bit:
                    row = _first_fit(masks, row, first[other + 1], before)
                without[p], holding[p] = row, row_with
                total += scores[row] - scores[row_with]  # relative to the variable before all others
                _add(before, other)
                _add(with_it, other)
        to = here
        for p in range(low, high + 1):
            if totals[p] > totals[to] + tie:
                to = p
        since += 1
        if to != here:
            for q in range(n):
                order[q] = variable if q == to else others[q - (q > to)]
            for p in range(n - 1):
                rows[others[p]] = without[p] if p < to else holding[p]
            rows[variable] = own[to]
            moves, since = moves + 1, 1
        variable = (variable + 1) % n
    return order, moves


@jit
def _best_scores(first, masks, scores, child, outside, low, table):
    """Fill in the best score of a child for parents among `outside` and each subset of the low variables.

    outside: the further variables, a mask without the lowest `low`; table: float64 [1 << low].
    """
    inside = (np.uint64(1) << np.uint64(low)) - np.uint64(1)
    table[:] = -np.inf
    for row in range(first[child], first[child + 1]):
        mask = masks[row, 0]
        if mask & ~inside & ~outside == 0:
            at = mask & inside
            table[at] = max(table[at], scores[row])
    for bit in range(low):
        step = 1 << bit
        for start in range(0, table.size, 2 * step):
            for at in range(start, start + step):
                table[at + step] = max(table[at + step], table[at])


@jit
def best_sinks(first, masks, scores, low, epsilon, best, sink):
    """Find the score of the best graph of every subset of the variables, and its last variable.

    best[W] is the highest of best[W without x] + the best score of x for parents in W without x. The
    subsets are taken in blocks of equal high variables, so that the best scores of parents are held for
    one block at a time and stay in the processor's cache.

    masks: uint64 [sets, 1]; best: float64 [1 << n], sink: uint8 [1 << n], both filled in.
    """
    n = first.size - 1
    size = 1 << low
    tables = np.empty((low, size))
    table = np.empty(size)
    for high in range(1 << (n - low)):
        outside = np.uint64(high) << np.uint64(low)
        here = best[high << low : (high + 1) << low]
        last = sink[high << low : (high + 1) << low]
        here[:] = -np.inf
        if high == 0:
            here[0] = 0.0
        for x in range(low, n):
            bit = 1 << (x - low)
            if high & bit:
                without = high ^ bit
                _best_scores(first, masks, scores, x, np.uint64(without) << np.uint64(low), low, table)
                there = best[without << low : (without + 1) << low]
                for at in range(size):
                    value = there[at] + table[at]
                    if value > here[at] + epsilon:
                        here[at] = value
                        last[at] = x
        for x in range(low):
            _best_scores(first, masks, scores, x, outside, low, tables[x])
        for at in range(1, size):
            for x in range(low):
                if at >> x & 1:
                    without = at ^ (1 << x)
                    value = here[without] + tables[x, without]
                    if value > here[at] + epsilon:
                        here[at] = value
                        last[at] = x
