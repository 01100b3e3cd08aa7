"""How far does an answer move when the data say the same, or nearly the same?

    uv run python benchmarks/invariance.py rows      # five orders of the records: patterns, SHD
    uv run python benchmarks/invariance.py changes   # 39 small mixed data sets: how many another form changes
    uv run python benchmarks/invariance.py near      # files that differ by one record, or by 1 % of them: median SHD
    uv run python benchmarks/invariance.py seeds --methods consensus  # the same records, another seed: median SHD
    uv run python benchmarks/invariance.py errors    # SHD of 20 replicates; --before FILE: less those that FILE holds

`--methods`, `--networks` and `--n` choose less. Nothing is random but the data, so that two commits can be compared.
"""

import argparse
from pathlib import Path

import timing  # noqa: F401  # isort: skip; it sets the numbers of threads
import numpy as np
import pandas as pd

import cutpoint as cp

METHODS = "consensus,eqfreq3,eqwidth3,steck3,friedman3,monti3,modl3,hartemink,latent,bach,miic,pc_fisherz"
METHODS += ",gaussian_bic,bach_stable,boss3,boss_polynomial"
NETWORKS = "asia,sachs,child,insurance,alarm,hailfinder"
SMALL = 39  # data sets
REPLICATES = 20


def noisy(network, n, seed=1):
    """Return a frame of records of a network with Gaussian noise around their codes."""
    codes = cp.sample(network, n=n, seed=seed)
    values = codes + 0.35 * np.random.default_rng(seed).standard_normal(codes.shape)
    return pd.DataFrame(values, columns=[f"v{i:02}" for i in range(codes.shape[1])])


def mixed(seed):
    """Return a small frame of equations; some columns are stretched, some rounded, one has texts in every third."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.choice([60, 150, 300])), int(rng.integers(3, 7))
    values = np.zeros((n, k))
    for j in range(k):
        parents = [i for i in range(j) if rng.random() < 0.5]
        x = sum((rng.normal() * np.sin(2 * values[:, i]) for i in parents), rng.normal(size=n) * rng.uniform(0.3, 1))
        x = np.exp(x / 2) if rng.random() < 0.3 else x
        values[:, j] = x.round(1) if rng.random() < 0.3 else x
    frame = pd.DataFrame(values, columns=[f"v{j}" for j in range(k)])
    return frame if seed % 3 else frame.assign(v1=np.where(frame["v1"] > frame["v1"].median(), "hi", "lo"))


def shuffled(frame, seed):
    """Return the records in another order; of seed 0 as they are."""
    rows = np.random.default_rng(seed).permutation(len(frame)) if seed else np.arange(len(frame))
    return frame.iloc[rows].reset_index(drop=True)


def forms(frame, seed):
    """Yield other forms of the same data, and what a threshold is multiplied by in them."""
    numbers, digit = list(frame.select_dtypes(float)), frame.copy()
    digit.loc[0, numbers] *= 1 + 1e-12
    yield "rows", shuffled(frame, seed + 999), 1
    yield "units", frame.assign(**frame[numbers] * 1000), 1000
    yield "negated", frame.assign(**-frame[numbers]), -1
    yield "digit", digit, 1


def moved(first, other, factor):
    """Whether thresholds differ in the units of the data; those of a discrete column are codes and stay."""
    pairs = zip(first.thresholds or (), other.thresholds or (), strict=True)
    scaled = ((np.sort(np.asarray(a) * factor), np.asarray(a), np.asarray(b)) for a, b in pairs)
    return not all(any(len(x) == len(b) and np.allclose(x, b, 1e-6, 1e-9) for x in (s, a)) for s, a, b in scaled)


def rows(methods, networks, n):
    for name, method in ((name, method) for name in networks for method in methods):
        net, frame = cp.network(name), noisy(cp.network(name), n)
        learned = [cp.learn(shuffled(frame, seed), method) for seed in range(5)]
        patterns, errors = {each.cpdag.tobytes() for each in learned}, {cp.shd(each, net.dag) for each in learned}
        print(f"{name} | {n} | {method} | {len(patterns)} | {', '.join(map(str, sorted(errors)))}", flush=True)


def changes(methods, *_):
    for method in methods:
        counts = {name: np.zeros(2, int) for name in ("rows", "units", "negated", "digit")}
        for seed in range(SMALL):
            frame = mixed(seed)
            first = cp.learn(frame, method)
            for name, other, factor in forms(frame, seed):
                again = cp.learn(other, method)
                counts[name] += [not np.array_equal(first.cpdag, again.cpdag), moved(first, again, factor)]
        print(method, *(f"{name} {a} {b}" for name, (a, b) in counts.items()), sep=" | ", flush=True)


def near(methods, networks, n):
    for method in methods:
        found = {share: [] for share in (0, 0.01)}
        for name, share, seed in ((name, share, seed) for name in networks for share in found for seed in range(3)):
            frame, count = noisy(cp.network(name), n + n // 100, seed + 1), max(1, int(share * n))
            other = pd.concat([frame[count:n], frame[n : n + count]])  # other records in place of the first
            pair = [cp.learn(shuffled(each, seed), method) for each in (frame[:n], other)]
            found[share].append(cp.shd(pair[0].cpdag, pair[1].cpdag))
        values = (f"{np.median(each):g} (mean {np.mean(each):.1f}, most {max(each)})" for each in found.values())
        print(n, method, *values, sep=" | ", flush=True)


def seeds(methods, networks, n):
    for method in methods:
        found = []
        for net, seed in ((cp.network(name), seed) for name in networks for seed in range(3)):
            frame = noisy(net, n + n // 100, seed + 1)[:n]
            found.append(cp.shd(cp.learn(frame, method).cpdag, cp.learn(frame, method, seed=1).cpdag))
        print(n, method, f"{np.median(found):g} (mean {np.mean(found):.1f}, most {max(found)})", sep=" | ", flush=True)


def errors(methods, networks, n):
    """Print the SHD of each replicate, or the mean difference from a file of such lines and its standard error.

    The standard error is that of the mean over these networks: replicates vary, networks are what they are.
    """
    held = [line.split(" | ") for line in chosen.before.read_text().splitlines()] if chosen.before else []
    earlier = {tuple(key): np.array(values.split(), float) for *key, values in held}
    for method in methods:
        changes = []
        for name in networks:
            net = cp.network(name)
            found = [cp.shd(cp.learn(noisy(net, n, seed + 100), method), net.dag) for seed in range(REPLICATES)]
            print(n, method, name, " ".join(map(str, found)), sep=" | ", flush=True)
            if chosen.before:
                changes.append(found - earlier[str(n), method, name])
        if changes:
            error = np.sqrt((np.var(changes, axis=1, ddof=1) / REPLICATES).sum()) / len(changes)
            print(f"# {n} | {method} | {np.mean(changes):+.2f} | {error:.2f}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("table", choices=["rows", "changes", "near", "seeds", "errors"])
    parser.add_argument("--methods", default=METHODS)
    parser.add_argument("--networks", default=NETWORKS)
    parser.add_argument("--n", type=int, default=500)
    parser.add_argument("--before", type=Path)
    chosen = parser.parse_args()
    globals()[chosen.table](chosen.methods.split(","), chosen.networks.split(","), chosen.n)
