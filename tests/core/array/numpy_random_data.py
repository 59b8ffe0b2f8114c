#!/usr/bin/env python3
"""Prints numpy_random_data.inc: what NumPy's generators give, call after call, for some seeds.

    python3 tests/core/array/numpy_random_data.py > tests/core/array/numpy_random_data.inc      (NumPy 1.24)
"""
import math

import numpy as np

P = [0.1, 0.0, 0.35, 0.05, 0.5]


def shared(r, randint):
    """Every call that both have; `script` in numpy_random_test.cpp does the same."""
    rows, list_ = np.arange(10.0).reshape(5, 2), np.arange(6)
    yield r.random(3)
    yield r.standard_normal(3)
    yield r.normal(2, 3, (2, 2))
    yield r.uniform(-1, 2, 3)
    yield randint(0, 10, 5)
    yield randint(-5, 1_000_000, 3)
    yield randint(0, 2**40, 2)
    yield randint(0, 2**32, 2)
    yield randint(3, 4, 2)
    yield r.permutation(7)
    yield r.permutation(np.arange(6).reshape(3, 2))
    r.shuffle(list_)
    yield list_
    r.shuffle(rows)
    yield rows
    yield r.choice(10, 4)
    yield r.choice(10, (2, 2), replace=False)
    yield r.choice(5, 4, p=P)
    yield r.choice(5, 3, replace=False, p=P)
    yield r.choice(20000, 500, replace=False)[-2:]
    yield r.choice(20000, 300, replace=False)[-2:]
    yield r.standard_normal(3001)[-2:]
    yield r.random(1)


def flat(parts):
    return [float(x) for part in parts for x in np.asarray(part).ravel()]


def legacy(seed):
    r = np.random.RandomState(seed)
    return flat(list(shared(r, r.randint)) + [r.exponential(2, 2)])


def modern(seed):
    r = np.random.default_rng(seed)
    return flat(list(shared(r, r.integers)) + [r.exponential(2, 600)[-2:], r.random(1)])


def checksum(values):
    """Depends on every value and its place."""
    total = 0.0
    for i, value in enumerate(values):
        total += math.fmod(value, 1000003) * (1 + i % 7)
    return total


def print_table(name, draw, seeds):
    print(f"const std::vector<Expected> {name} = {{")
    for seed in seeds:
        words = seed if isinstance(seed, list) else [seed]
        kind = "true" if isinstance(seed, list) else "false"
        print(f"    {{{{{', '.join(f'{word}u' for word in words)}}}, {kind},")
        print("     {" + ", ".join(repr(x) for x in draw(seed)) + "}},")
    print("};")


SEEDS = [0, 42, 2**32 - 1, [1, 2, 3], [7]]
print(f"// NumPy {np.__version__}, by numpy_random_data.py.\n// clang-format off")
print_table("legacy_expected", legacy, SEEDS)
print_table("modern_expected", modern, SEEDS)
MANY = range(1, 201)
for name, draw in (("legacy_checksums", legacy), ("modern_checksums", modern)):
    print(f"/// Of seeds 1, 2, … {len(MANY)}.\nconst std::vector<double> {name} = {{")
    print("    " + ", ".join(repr(checksum(draw(seed))) for seed in MANY) + "};")
