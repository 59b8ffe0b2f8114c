#!/usr/bin/python3
"""Writes expected.json: what real Python, NumPy and PyTorch print for the programs here."""
import contextlib
import io
import json
import math
import pathlib

import numpy as np

here = pathlib.Path(__file__).parent
expected = {}
for file in sorted(here.glob("*.txt")):
    for program in file.read_text().split("===\n"):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(program, file.name, "exec"), {"np": np, "math": math, "__name__": "__main__"})
        expected.setdefault(file.stem, []).append({"program": program, "prints": out.getvalue()})
(here / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")
print({name: len(programs) for name, programs in expected.items()})
