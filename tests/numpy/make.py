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


if __name__ == "__main__":
    assert np.__version__.startswith("1.24"), np.__version__
    records = [run(*entry) for entry in entries((here / "expressions.txt").read_text())]
    lines = ",\n".join(json.dumps(r) for r in records)
    (here / "expected.json").write_text(
        '{"numpy": "%s", "records": [\n%s\n]}\n' % (np.__version__, lines)
    )
    print(len(records), "expressions,", sum("error" in r for r in records), "raise")
