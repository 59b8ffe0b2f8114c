#!/usr/bin/python3
"""Writes expected.json: what real NumPy says to every expression. Run with NumPy 1.24."""
import contextlib
import io
import json
import math
import pathlib
import sys
import warnings

import numpy as np

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here))
from preamble import names  # noqa: E402


def entries(text):
    """The expressions, each with the heading it stands under."""
    block = None
    heading = ""
    for line in text.splitlines():
        if block is not None:
            if line == "}":
                yield heading, "\n".join(block)
                block = None
            else:
                block.append(line)
        elif line == "{":
            block = []
        elif line.startswith("#"):
            heading = line[2:]
        elif line:
            yield heading, line


def encode(x):
    if isinstance(x, np.ndarray):
        return {
            "array": [encode(v) for v in x.ravel().tolist()],
            "shape": list(x.shape),
            "dtype": x.dtype.name,
        }
    if isinstance(x, (bool, np.bool_)):
        return bool(x)
    if isinstance(x, (int, np.integer)):
        return int(x)
    if isinstance(x, (float, np.floating)):
        x = float(x)
        return x if math.isfinite(x) else {"x": "nan" if x != x else "inf" if x > 0 else "-inf"}
    if isinstance(x, (list, tuple)):
        return [encode(v) for v in x]
    if isinstance(x, dict):
        return {"dict": {str(k): encode(v) for k, v in x.items()}}
    if x is None or isinstance(x, str):
        return x
    return {"other": str(x)}


def run(heading, code):
    space = names()
    lines = code.split("\n")
    if len(lines) == 1:
        parts = code.split("; ")
    else:
        parts = ["\n".join(lines[:-1]), lines[-1]]
    out = io.StringIO()
    record = {"heading": heading, "code": code}
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for part in parts[:-1]:
                exec(part, space)
            try:
                compile(parts[-1], "", "eval")
                value = eval(parts[-1], space)
            except SyntaxError:
                exec(parts[-1], space)
                value = None
            record["value"] = encode(value)
            record["str"] = str(value)
            record["repr"] = repr(value)
        except Exception as e:
            record["error"] = type(e).__name__
            record["message"] = str(e)
    if out.getvalue():
        record["prints"] = out.getvalue()
    return record


def printed(count):
    """Random arrays of every kind, and how NumPy writes them."""
    r = np.random.RandomState(11)
    for _ in range(count):
        rank = r.randint(0, 4)
        shape = tuple(int(k) for k in r.randint(1, 14 if rank == 1 else 5, size=rank))
        n = int(np.prod(shape))
        kind = r.randint(8)
        if kind == 0:
            a = r.randn(n)
        elif kind == 1:
            a = r.randn(n) * 10.0 ** r.randint(-12, 12)
        elif kind == 2:
            a = np.round(r.randn(n) * 10, r.randint(0, 5))
        elif kind == 3:
            a = r.randn(n) * 10.0 ** r.randint(-5, 5, size=n)
        elif kind == 4:
            a = r.randint(-(10 ** r.randint(1, 9)), 10**9, size=n).astype(float)
        elif kind == 5:
            a = r.rand(n)
            for x in (np.nan, np.inf, -np.inf):
                a[r.rand(n) < 0.15] = x
        elif kind == 6:
            a = r.randint(-(10 ** r.randint(1, 9)), 10 ** r.randint(1, 9), size=n)
        else:
            a = r.rand(n) < 0.5
        if a.dtype == float and r.rand() < 0.4:
            a = a.astype(np.float32)
        a = a.reshape(shape)
        options = {}
        if r.rand() < 0.3:
            options = dict(precision=int(r.randint(0, 10)), suppress=bool(r.rand() < 0.5))
        if r.rand() < 0.1:
            options["linewidth"] = int(r.randint(20, 120))
        if r.rand() < 0.1:
            options.update(threshold=10, edgeitems=int(r.randint(1, 4)))
        if r.rand() < 0.05:
            options["floatmode"] = ["fixed", "unique", "maxprec_equal"][r.randint(3)]
        with np.printoptions(**options):
            yield dict(
                dtype=str(a.dtype),
                shape=shape,
                data=[str(float(x)) for x in a.ravel()],
                options=options,
                repr=repr(a),
                str=str(a),
            )


if __name__ == "__main__":
    assert np.__version__.startswith("1.24"), np.__version__
    records = [run(*entry) for entry in entries((here / "expressions.txt").read_text())]
    lines = ",\n".join(json.dumps(r) for r in records)
    (here / "expected.json").write_text(
        '{"numpy": "%s", "records": [\n%s\n]}\n' % (np.__version__, lines)
    )
    lines = ",\n".join(json.dumps(r) for r in printed(400))
    (here / "printed.json").write_text("[\n%s\n]\n" % lines)
    print(len(records), "expressions,", sum("error" in r for r in records), "raise")
