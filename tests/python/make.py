#!/usr/bin/python3
"""Writes corpus.jsonl: some thousand pieces of Python, each with what CPython makes of it.

A line is ["code", "what it prints"] or ["code", "what it prints", "the exception that ends it"]. A code that begins
with `= ` is an expression whose repr is printed, every other one is a program. Lines that are one text name a part.
The order in which a set is walked is nobody's promise, so sets are printed sorted or hold one element.
"""
import contextlib
import io
import itertools
import json
import os
import pathlib
import platform
import random
import sys
import warnings

if os.environ.get("PYTHONHASHSEED") != "0":
    os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})

modules = ["math", "itertools", "functools", "collections", "re", "statistics", "string", "operator", "json",
           "random", "copy", "bisect", "heapq", "fractions", "decimal", "datetime", "enum", "textwrap"]
lines = []
seen = set()


def imports(code):
    # corpus.test.ts writes the same imports.
    return "".join(f"import {name}\n" for name in modules if f"{name}." in code and "import " not in code)


def is_expression(code):
    if code.startswith("print("):
        return False
    try:
        compile(code, "expression", "eval")
        return True
    except SyntaxError:
        return False


def add(code):
    code = code.strip("\n")
    if code in seen:
        return
    seen.add(code)
    program = code
    if is_expression(code):
        # A generator needs brackets of its own there, and so does a tuple.
        program, code = f"print(repr(({code})))", f"= {code}"
    out = io.StringIO()
    error = None
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(imports(code) + program, "student.py", "exec"), {"__name__": "__main__"})
        except BaseException as e:
            error = type(e).__name__
    assert " at 0x" not in out.getvalue(), code
    lines.append([code, out.getvalue()] + ([error] if error else []))


def part(name):
    lines.append(name)
    # A part that grows leaves the others as they are.
    return random.Random(name)


def each(template, *choices):
    for values in itertools.product(*choices):
        add(template.format(*values))


def expressions(text):
    for line in text.strip().split("\n"):
        if line.strip():
            add(line.strip())


def programs(text):
    for program in text.strip("\n").split("\n---\n"):
        add(program)


for file in sorted(pathlib.Path(__file__).parent.glob("parts/*.py")):
    exec(compile(file.read_text(), str(file), "exec"), globals())

head = {"python": platform.python_version(), "entries": sum(isinstance(line, list) for line in lines)}
text = "\n".join(json.dumps(line, ensure_ascii=False) for line in [head, *lines]) + "\n"
pathlib.Path(__file__).with_name("corpus.jsonl").write_text(text, encoding="utf-8")
print(head)
