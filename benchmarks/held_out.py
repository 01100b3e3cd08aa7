"""Held-out truth: how likely the fitted network of the default makes new records, beside those of other methods.

    uv run python benchmarks/held_out.py                          # 28 simulated tables, ten folds each; 3 minutes
    uv run python benchmarks/held_out.py results/trials/tables    # 24 of the tables that tools/trials.py collects

Printed are mean log densities of held-out records in nats a column, less those of the network without edges. For lines
follows the R2 of `predict` given all parents, as a share of that of least squares on the same parents.
"""

import random
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

import cutpoint as cp

METHODS = ("consensus", "steck3", "eqfreq3", "friedman3")
FOLDS, TABLES, VARIABLES = 10, 24, 8


def simulated(records: int, seed: int) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield a table of each kind of equations on one random graph."""
    rng = np.random.default_rng(seed)
    dag = np.triu(rng.random((VARIABLES, VARIABLES)) < 0.3, 1)
    weights = rng.uniform(0.4, 1.2, dag.shape) * rng.choice([-1, 1], dag.shape)
    kinds = {
        "lines": lambda of, w: of @ w + rng.normal(size=records),
        "curves": lambda of, w: np.sin(2 * of).sum(1) + (of[:, ::2] ** 2).sum(1) / 2 + 0.6 * rng.normal(size=records),
        "products": lambda of, w: of.prod(1) * bool(len(w)) + 0.7 * rng.normal(size=records),
        "variances": lambda of, w: np.exp(0.6 * of.sum(1).clip(-3, 3)) * rng.normal(size=records),
        "levels": lambda of, w: np.round(of.sum(1)) % 3 * 2.0 + rng.choice(3, records) + 0.4 * rng.normal(size=records),
        "counts": lambda of, w: rng.poisson(np.exp(0.5 + 0.25 * np.log1p(np.abs(of)).sum(1))) * 1.0,
    }
    for kind, equation in kinds.items():
        values = np.zeros((records, VARIABLES))
        for j in range(VARIABLES):
            values[:, j] = equation(values[:, dag[:, j]], weights[dag[:, j], j])
            values[:, j] /= values[:, j].std() if kind in ("curves", "products", "variances") else 1
        frame = pd.DataFrame(values, columns=[f"x{i}" for i in range(VARIABLES)])
        yield f"{kind}, {records}", frame
        if kind == "lines":
            texts = {"x1": np.where(frame.x1 > 0.3, "a", "b"), "x4": pd.cut(frame.x4, 3).astype(str)}
            yield f"mixed, {records}", frame.assign(**texts)


def real(folder: Path) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield tables of 120 to 1,500 rows and 4 to 12 columns, at least three of them numbers, in a fixed shuffle."""
    paths = sorted(folder.glob("*.csv"))
    random.Random(7).shuffle(paths)
    found = 0
    for path in paths:
        frame = pd.read_csv(path, low_memory=False).dropna()
        frame = frame.drop(columns=[c for c in frame if c.lower() in ("rownames", "unnamed: 0", "id", "index")])
        numbers = [c for c in frame if frame[c].dtype.kind in "iuf" and frame[c].nunique() > 6]
        texts = [c for c in frame if c not in numbers and 1 < frame[c].nunique() < 9]
        frame = frame[[*numbers, *texts]].astype(dict.fromkeys(numbers, float) | dict.fromkeys(texts, str))
        long = sum(frame[c].nunique() > 12 for c in numbers)
        if 120 <= len(frame) <= 1500 and 4 <= frame.shape[1] <= 12 and long > 2 and found < TABLES:
            found += 1
            yield path.stem, frame


def gains(frame: pd.DataFrame) -> dict[str, float]:
    """Return what the network of each method gains over that without edges, nats a record and column."""
    fold, sums = np.random.default_rng(0).permutation(len(frame)) % FOLDS, dict.fromkeys(METHODS, 0.0)
    numbers = [c for c in frame if frame[c].dtype.kind == "f"]
    for k in range(FOLDS):
        train, test = frame[fold != k].reset_index(drop=True), frame[fold == k].reset_index(drop=True)
        for method in METHODS:
            learned = cp.learn(train, method, continuous=numbers, discrete=[c for c in frame if c not in numbers])
            total = learned.fit(train).log_likelihood(test).sum()
            learned.dag, learned.kinds = np.zeros_like(learned.dag), None
            sums[method] += total - learned.fit(train).log_likelihood(test).sum()
    return {method: total / frame.size for method, total in sums.items()}


def of_lines(seed: int) -> tuple[float, float]:
    """Return R2 of `predict` on new records given all parents, and of least squares on the same parents."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(1500, 6))
    values[:, 5] += values[:, :5] @ rng.uniform(0.2, 1, 5)
    frame = pd.DataFrame(values, columns=[*"abcdef"])
    train, test = frame[:1000], frame[1000:]
    known = cp.Knowledge(required=[f"{x} -> f" for x in "abcde"])
    predicted = cp.fit(train, knowledge=known).predict(test[[*"abcde"]], "f")
    slopes = np.linalg.lstsq(np.column_stack([train[[*"abcde"]], np.ones(1000)]), train.f)[0]
    least = np.column_stack([test[[*"abcde"]], np.ones(500)]) @ slopes
    return tuple(1 - ((test.f - guess) ** 2).mean() / test.f.var() for guess in (predicted, least))


def main() -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    drawn = (each for seed in (1, 2) for records in (300, 1000) for each in simulated(records, seed))
    print("| table | " + " | ".join(METHODS) + " | less the best other |\n|---|" + "---:|" * (len(METHODS) + 1))
    less, over = [], []
    for name, frame in real(Path(sys.argv[1])) if sys.argv[1:] else drawn:
        row = gains(frame)
        less.append(row[METHODS[0]] - max(row[method] for method in METHODS[1:]))
        over.append(row[METHODS[0]])
        print(f"| {name} | " + " | ".join(f"{row[m]:.3f}" for m in METHODS) + f" | {less[-1]:+.3f} |", flush=True)
    print(f"\nless the best other: mean {np.mean(less):+.3f}, least {min(less):+.3f}; over no edges: {min(over):+.3f}")
    if not sys.argv[1:]:
        shares = [predicted / least for predicted, least in map(of_lines, range(10))]
        print(f"R2 of predict over that of least squares: mean {np.mean(shares):.3f}, least {min(shares):.3f}")


if __name__ == "__main__":
    main()
