#!/usr/bin/env python3
"""Prints arrays_data.json: calls of `Arrays` and what NumPy gives for them.

    python3 tests/wasm/arrays_data.py > tests/wasm/arrays_data.json      (NumPy 1.24)
"""
import json
import math
import re

import numpy as np

np.seterr(all="ignore")
nan, inf = math.nan, math.inf
rs = np.random.RandomState(5)
INPUTS = {
    "A": rs.randn(3, 4).round(3),
    "B": rs.randn(4, 3).round(3),
    "C": rs.randn(2, 3, 4).round(3),
    "D": rs.randn(2, 4, 2).round(3),
    "v": rs.randn(4).round(3),
    "w": rs.randn(3).round(3),
    "S": (lambda m: m @ m.T + np.eye(4))(rs.randn(4, 4).round(2)),
    "f": rs.randn(3, 4).round(3).astype(np.float32),
    "g": rs.randn(4).round(3).astype(np.float32),
    "i": rs.randint(-9, 9, (3, 4)),
    "k": rs.randint(1, 6, 4),
    "j": np.array([2, 0, 1, 2]),
    "m": rs.rand(3, 4) > 0.5,
    "b": np.array([True, False, True, True]),
    "n": np.array([1.5, nan, -inf, inf, -0.0, 2.5, -3.0]),
    "z": np.zeros((0, 3)),
    "s": np.float64(2.5) * np.ones(()),
    "F": np.asfortranarray(rs.randn(5, 6)).round(3),
    "L": rs.randn(3, 150).round(3),
    "Lf": rs.randn(3, 150).round(3).astype(np.float32),
    "d": np.array([3, 1, 2, 3, 1, 1]),
    "q": np.array([0.0, 25.0, 50.0, 99.5]),
    "t": np.sort(rs.randn(6)).round(2),
    "p": np.array([0, 1, 1, 3]),
}
DTYPES = {"bool": "bool", "int64": "int64", "float32": "float32", "float64": "float64"}
cases = []


def short(x):
    """13 digits are kept; a whole number needs no point, but -0.0 does."""
    if x.is_integer() and x != 0:
        return int(x) if abs(x) < 2**53 else x
    return float(f"{x:.13g}")


def plain(value):
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    array = np.asarray(value)
    dtype = array.dtype.name if array.dtype.name in DTYPES else "int64"
    flat = [
        "nan" if math.isnan(x) else "inf" if x == inf else "-inf" if x == -inf else short(x)
        for x in array.astype(float).ravel().tolist()
    ]
    return {"dtype": dtype, "shape": list(array.shape), "values": flat}


def case(expression, method, *args):
    scope = {name: array.copy() for name, array in INPUTS.items()}
    # One expression, or statements that leave what counts in `out`.
    entry = {"numpy": expression, "method": method, "args": list(args)}
    try:
        if "\n" in expression:
            exec(expression, {"np": np, "nan": nan, "inf": inf}, scope)
            entry["expected"] = plain(scope["out"])
        else:
            entry["expected"] = plain(eval(expression, {"np": np, "nan": nan, "inf": inf}, scope))
    except Exception as error:
        entry["error"] = [type(error).__name__, str(error)]
    cases.append(entry)


UNARY = """negative positive absolute sign square sqrt cbrt reciprocal exp exp2 expm1 log log2 log10
log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh floor ceil trunc rint
degrees radians isnan isinf isfinite signbit logical_not invert""".split()
for op in UNARY:
    for x in ("n", "f", "k", "m"):
        if x == "m" and op not in ("absolute", "negative", "logical_not", "invert", "isnan"):
            continue  # NumPy computes those in float16, which is not here.
        if op == "invert" and x in "nf":
            case(f"np.invert({x})", "unary", op, "$" + x)
            continue
        case(f"np.{op}({x})", "unary", op, "$" + x)
BINARY = """add subtract multiply divide floor_divide remainder fmod power maximum minimum fmax fmin
arctan2 hypot logaddexp copysign equal not_equal less less_equal greater greater_equal logical_and
logical_or logical_xor bitwise_and bitwise_or bitwise_xor left_shift right_shift""".split()
PAIRS = [("A", "v"), ("i", "k"), ("f", "g"), ("n", "n"), ("i", "v"), ("A", "w")]
for op in BINARY:
    for x, y in PAIRS:
        case(f"np.{op}({x}, {y})", "binary", op, "$" + x, "$" + y)
for op in ("add", "multiply", "maximum", "logical_and", "bitwise_or", "equal", "subtract", "divide"):
    case(f"np.{op}(m, b)", "binary", op, "$m", "$b")
    case(f"np.{op}(m, i)", "binary", op, "$m", "$i")
    case(f"np.{op}(m, f)", "binary", op, "$m", "$f")
for x in ("v", "g", "k", "b", "s"):
    for value, kind in ((2, "int64"), (0.5, "float64"), (100000, "int64"), (1e300, "float64")):
        for op in ("add", "multiply", "power", "floor_divide", "divide", "less"):
            if op == "power" and value == 100000 or x == "b" and op in ("power", "floor_divide"):
                continue
            case(f"np.{op}({x}, {value!r})", "binaryScalar", op, "$" + x, value, kind)
            if op == "power" and value == 2 and x == "b":
                continue
            case(f"np.{op}({value!r}, {x})", "binaryScalar", op, "$" + x, value, kind, True)
for op in ("add", "multiply", "divide", "power"):
    for x, y in (("A", "v"), ("i", "k"), ("i", "A"), ("f", "A"), ("v", "A"), ("i", "m")):
        case(f"out = {x}\nnp.{op}({x}, {y}, out={x})" if op == "power" else
             f"out = {x}\nout {dict(add='+', multiply='*', divide='/')[op]}= {y}", "inPlace", op, "$" + x, "$" + y)
for op in "sum prod max min mean var std any all count_nonzero nansum nanmax nanmin nanmean nanvar nanstd nanprod".split():
    for x in ("A", "C", "i", "m", "f", "L", "Lf", "F", "n"):
        if op.startswith("nan") and x in "im" or op in ("var", "std") and x == "m":
            continue
        if op in ("max", "min") and x == "m":
            continue
        case(f"np.{op}({x})", "reduce", op, "$" + x)
        if x == "n":
            continue
        case(f"np.{op}({x}, axis=0)", "reduce", op, "$" + x, 0)
        if op == "count_nonzero":
            continue
        case(f"np.{op}({x}, axis=-1, keepdims=True)", "reduce", op, "$" + x, -1, True)
    if op != "count_nonzero":
        case(f"np.{op}(C, axis=(0, 2))", "reduce", op, "$C", [0, 2])
for op in ("sum", "max", "mean", "argmax", "prod", "all"):
    if op == "argmax":
        case("np.argmax(z)", "argmax", "$z")
    else:
        case(f"np.{op}(z)", "reduce", op, "$z")
        case(f"np.{op}(z, axis=0)", "reduce", op, "$z", 0)
case("np.var(A, axis=0, ddof=1)", "reduce", "var", "$A", 0, False, 1)
case("np.sum(A, axis=2)", "reduce", "sum", "$A", 2)
case("np.sum(A, axis=(0, 0))", "reduce", "sum", "$A", [0, 0])
for x in ("A", "n", "i", "m"):
    case(f"np.argmax({x})", "argmax", "$" + x)
    case(f"np.argmin({x})", "argmin", "$" + x)
    case(f"np.argmax({x}, axis=0)", "argmax", "$" + x, 0)
    case(f"np.argmin({x}, axis=-1, keepdims=True)", "argmin", "$" + x, -1, True)
    case(f"np.cumsum({x})", "cumsum", "$" + x)
    if x != "n":
        case(f"np.cumsum({x}, axis=1)", "cumsum", "$" + x, 1)
        case(f"np.cumprod({x}, axis=0)", "cumprod", "$" + x, 0)
case("np.argmax(C, axis=1)", "argmax", "$C", 1)
case("np.cumsum(A, axis=2)", "cumsum", "$A", 2)
case("np.diff(A)", "diff", "$A")
case("np.diff(A, 2, axis=0)", "diff", "$A", 2, 0)
for x, y in (("A", "B"), ("B", "A"), ("A", "v"), ("w", "A"), ("v", "v"), ("C", "D"), ("A", "D"), ("C", "B"), ("A", "A"), ("v", "w"),
             ("i", "k"), ("f", "g"), ("f", "B"), ("m", "b"), ("A", "s"), ("D", "C"), ("z", "A"), ("B", "z"), ("C", "v")):
    case(f"np.matmul({x}, {y})", "matmul", "$" + x, "$" + y)
    case(f"np.dot({x}, {y})", "dot", "$" + x, "$" + y)
case("np.matmul(C, np.ones((3, 4, 2)))".replace("np.ones((3, 4, 2))", "B[:, :, None]"), "matmul", "$C", "$B[:,:,n]")
case("np.matmul(A.T, A)", "matmul", "$A.T", "$A")
case("np.outer(A, v)", "outer", "$A", "$v")
for spec, names in (("ij,jk->ik", "AB"), ("ij,jk", "AB"), ("ij->ji", "A"), ("ij->", "A"), ("ij->j", "A"), ("ii", "S"), ("ii->i", "S"),
                    ("i,i", "vv"), ("i,j->ij", "vw"), ("bij,bjk->bik", "CD"), ("...ij,...jk->...ik", "CD"), ("...j,jk", "CB"),
                    ("bij,jk,k->bi", "CBw"), ("ij,ij->i", "AA"), ("ij,ij,ij->", "AAA"), ("ij , jk -> ik", "AB"), ("ba", "A"),
                    ("ij,jk->ik", "AA"), ("ij,jk->iz", "AB"), ("ijk", "A"), ("i", "A"), ("ij,jk", "A"), ("ij", "AB"), ("ij->ii", "A"),
                    ("i-j", "v"), ("i1", "A"), ("ii", "A"), ("...->", "C"), ("..ij", "A"), ("i...->i", "C"), ("ij,kj->ik", "if")):
    args = [f"${x}" for x in names]
    case(f"np.einsum({spec!r}, {', '.join(names)})", "einsum", spec, *args)
case("A.T", "transpose", "$A")
case("np.transpose(C, (2, 0, 1))", "transpose", "$C", [2, 0, 1])
case("np.transpose(C, (0, -1, 1))", "transpose", "$C", [0, -1, 1])
case("np.transpose(C, (0, 0, 1))", "transpose", "$C", [0, 0, 1])
case("np.transpose(C, (0, 1))", "transpose", "$C", [0, 1])
case("np.swapaxes(C, 0, -1)", "swapaxes", "$C", 0, -1)
case("np.swapaxes(C, 0, 3)", "swapaxes", "$C", 0, 3)
for shape in ([2, 6], [-1], [2, -1, 2], [12, 1], [5, -1], [-1, -1], [3, 5], [7], [1, 3, 1, 4, 1]):
    case(f"A.reshape({shape})", "reshape", "$A", shape)
    case(f"A.T.reshape({shape})", "reshape", "$A.T", shape)
case("C.transpose(1, 0, 2).reshape(3, 8)", "reshape", "$C.transpose(1,0,2)", [3, 8])
case("np.broadcast_to(v, (2, 3, 4))", "broadcastTo", "$v", [2, 3, 4])
case("np.broadcast_to(w, (2, 4))", "broadcastTo", "$w", [2, 4])
case("np.expand_dims(A, 1)", "expandDims", "$A", 1)
case("np.expand_dims(A, -1)", "expandDims", "$A", -1)
case("np.expand_dims(A, 5)", "expandDims", "$A", 5)
case("np.squeeze(A[None, :, None])", "squeeze", "$A[n,:,n]")
case("np.squeeze(A[None], axis=0)", "squeeze", "$A[n]", 0)
case("np.squeeze(A, axis=0)", "squeeze", "$A", 0)
for dtype in DTYPES:
    for x in ("n", "A", "i", "m"):
        case(f"{x}.astype('{dtype}')", "astype", "$" + x, dtype)
case("np.concatenate([A, A])", "concatenate", ["$A", "$A"])
case("np.concatenate([A, i, m], axis=1)", "concatenate", ["$A", "$i", "$m"], 1)
case("np.concatenate([A, v], axis=None)", "concatenate", ["$A", "$v"], None)
case("np.concatenate([f, i])", "concatenate", ["$f", "$i"])
case("np.concatenate([A, B])", "concatenate", ["$A", "$B"])
case("np.concatenate([A, v])", "concatenate", ["$A", "$v"])
case("np.concatenate([])", "concatenate", [])
case("np.concatenate([A, A], axis=2)", "concatenate", ["$A", "$A"], 2)
case("np.stack([A, A, A])", "stack", ["$A", "$A", "$A"])
case("np.stack([v, v], axis=-1)", "stack", ["$v", "$v"], -1)
case("np.stack([v, w])", "stack", ["$v", "$w"])
case("np.repeat(A, 2)", "repeat", "$A", 2)
case("np.repeat(A, 3, axis=0)", "repeat", "$A", 3, 0)
case("np.repeat(A, p, axis=1)", "repeatEach", "$A", "$p", 1)
case("np.repeat(w, p)", "repeatEach", "$w", "$p")
case("np.tile(A, (2, 1))", "tile", "$A", [2, 1])
case("np.tile(v, (2, 3))", "tile", "$v", [2, 3])
case("np.tile(A, 2)", "tile", "$A", [2])
case("np.tile(A, (2, 1, 2))", "tile", "$A", [2, 1, 2])
case("np.tile(v, 0)", "tile", "$v", [0])
case("np.roll(v, 1)", "roll", "$v", 1)
case("np.roll(A, -6)", "roll", "$A", -6)
case("np.roll(A, 1, axis=1)", "roll", "$A", 1, 1)
case("np.flip(A)", "flip", "$A")
case("np.flip(C, axis=(0, 2))", "flip", "$C", [0, 2])
for k in (-2, 0, 1, 9):
    case(f"np.tril(A, {k})", "tril", "$A", k)
    case(f"np.triu(C, {k})", "triu", "$C", k)
    case(f"np.diagonal(A, {k})" if k != 9 else "np.diagonal(A, 9)", "diagonal", "$A", k)
    case(f"np.eye(3, 4, {k})", "eye", 3, 4, k)
    case(f"np.tri(3, 4, {k})", "tri", 3, 4, k)
case("np.tril(v)", "tril", "$v")
case("np.diagonal(C, 0, 0, 2)", "diagonal", "$C", 0, 0, 2)
case("np.diagonal(C, 0, 1, 1)", "diagonal", "$C", 0, 1, 1)
case("np.diag(v, 1)", "diag", "$v", 1)
case("np.diag(v, -1)", "diag", "$v", -1)
case("np.diag(A)", "diag", "$A")
case("np.diag(C)", "diag", "$C")
INDICES = [("1", "1"), ("-1", "-1"), ("1, 2", "1,2"), ("5", "5"), ("0, 7", "0,7"), ("0, 0, 0", "0,0,0"), (":, 1", ":,1"), ("1:", "1:"),
           ("::-1", "::-1"), ("-1:-9:-1, ::2", "-1:-9:-1,::2"), ("5:9", "5:9"), ("None", "n"), ("..., 0", "...,0"),
           ("None, ..., None, 1", "n,...,n,1"), ("...", "..."), ("..., ...", "...,..."), ("j[:2]", "#j[:2]"), ("j", "#j"), (":, j", ":,#j"),
           ("k", "#k"), ("j[:3], j[:3]", "#j[:3],#j[:3]"), ("[[0], [1]], j", "#j[1:3][:,n],#j"), ("m", "#m"), ("m[0]", "#m[0]"),
           (":, b", ":,#b"), ("0, j", "0,#j"), ("j[:1], ::2", "#j[:1],::2"), ("j, 0", "#j,0"), ("j[:2], j[:3]", "#j[:2],#j[:3]"),
           ("A > 0", "#A>0"), ("v", "#v"), ("None, j", "n,#j"), ("j[:2], None, 1:3", "#j[:2],n,1:3"), ("-j[:2]", "#-j[:2]"),
           ("3:1:-1", "3:1:-1"), ("1:1", "1:1"), ("::3, ::3", "::3,::3")]
for python, text in INDICES:
    case(f"A[{python}]", "index", "$A", text)
for python, text in (("0, :, j", "0,:,#j"), (":, 0, j", ":,0,#j"), ("j % 2, :, j", "#j%2,:,#j"), (":, j[:2]", ":,#j[:2]"), ("1, ..., 2", "1,...,2"),
                     ("0, j[:2]", "0,#j[:2]"), ("j % 2, 1", "#j%2,1"), (":, m", ":,#m"), ("j[1:3], m[:, 0]", "#j[1:3],#m[:,0]")):
    case(f"C[{python}]", "index", "$C", text)
for python, text, value in (("1", "1", "v"), (":, 1", ":,1", "w"), (":", ":", "v"), ("m", "#m", "s"), ("j[:2]", "#j[:2]", "v"), ("1:, ::2", "1:,::2", "s"),
                            ("0", "0", "w"), ("m", "#m", "v"), (":, j", ":,#j", "f"), ("A < 0", "#A<0", "s"), ("0, 1", "0,1", "s"), ("j", "#j", "v"),
                            ("j[:2]", "#j[:2]", "w"), ("9", "9", "s"), ("0, j[1:3]", "0,#j[1:3]", "s"), ("::-1", "::-1", "A"), ("0", "0", "A")):
    case(f"out = A\nout[{python}] = {value}", "setIndex", "$A", text, "$" + value)
case("out = i\nout[0] = v", "setIndex", "$i", "0", "$v")
case("out = v\nout[1:] = out[:-1]", "setIndex", "$v", "1:", "$v[:-1]")
case("out = v\nout[:] = out[::-1]", "setIndex", "$v", ":", "$v[::-1]")
case("out = v\nnp.add.at(out, j, 1.5)", "applyAt", "add", "$v", "#j", 1.5)
case("np.take(v, j)", "take", "$v", "$j")
case("np.take(A, j, axis=0)", "take", "$A", "$j", 0)
case("np.take(A, j[:2], axis=1)", "take", "$A", "$j[:2]", 1)
case("np.take(w, k)", "take", "$w", "$k")
case("np.take_along_axis(A, np.argsort(A, axis=1), axis=1)", "takeAlongAxis", "$A", "$argsort(A,1)", 1)
for x in ("A", "n", "i", "m"):
    case(f"np.sort({x})", "sort", "$" + x)
    case(f"np.argsort({x}, kind='stable')", "argsort", "$" + x)
    case(f"np.nonzero({x})", "nonzero", "$" + x)
    if x != "n":
        case(f"np.sort({x}, axis=0)", "sort", "$" + x, 0)
        case(f"np.argsort({x}, axis=0, kind='stable')", "argsort", "$" + x, 0)
        case(f"np.sort({x}, axis=None)", "sort", "$" + x, None)
case("np.sort(A, axis=2)", "sort", "$A", 2)
case("np.searchsorted(t, A)", "searchsorted", "$t", "$A")
case("np.searchsorted(t, t, side='right')", "searchsorted", "$t", "$t", "right")
case("np.searchsorted(A, 1)", "searchsorted", "$A", "$s")
for x in ("A", "L", "i", "n", "f"):
    case(f"np.percentile({x}, q)", "percentile", "$" + x, "$q")
    case(f"np.percentile({x}, 40)", "percentile", "$" + x, 40)
    case(f"np.median({x})", "median", "$" + x)
    if x != "n":
        case(f"np.percentile({x}, q, axis=1)", "percentile", "$" + x, "$q", 1)
        case(f"np.median({x}, axis=0, keepdims=True)", "median", "$" + x, 0, True)
case("np.median(C, axis=(0, 2))", "median", "$C", [0, 2])
case("np.quantile(A, 0.3, axis=0)", "quantile", "$A", 0.3, 0)
case("np.quantile(A, 3)", "quantile", "$A", 3)
case("np.percentile(A, -1)", "percentile", "$A", -1)
case("np.bincount(d)", "bincount", "$d")
case("np.bincount(j, weights=v, minlength=5)", "bincount", "$j", "$v", 5)
case("np.bincount(-d)", "bincount", "$-d")
for x in ("A", "C", "f", "i", "m"):
    if x in "Afi":
        case(f"np.cov({x})", "cov", "$" + x)
        case(f"np.corrcoef({x})", "corrcoef", "$" + x)
case("np.corrcoef(v, w)", "corrcoef", "$v", "$w")
case("np.corrcoef(v, k)", "corrcoef", "$v", "$k")
case("np.cov(v)", "cov", "$v")
case("np.cov(C)", "cov", "$C")
for order in (None, "fro", "nuc", 1, -1, 2, -2, inf, -inf, 3):
    for x in ("A", "v"):
        case(f"np.linalg.norm({x}, {order!r})", "norm", "$" + x, "inf" if order == inf else "-inf" if order == -inf else order)
case("np.linalg.norm(A, axis=1)", "norm", "$A", None, 1)
case("np.linalg.norm(A, axis=0, keepdims=True)", "norm", "$A", None, 0, True)
case("np.linalg.norm(C, 'fro', axis=(0, 1))", "norm", "$C", "fro", [0, 1])
case("np.linalg.norm(C, 2, axis=(0, 2))", "norm", "$C", 2, [0, 2])
case("np.linalg.norm(C)", "norm", "$C")
case("np.linalg.norm(A, 1, axis=1)", "norm", "$A", 1, 1)
case("np.linalg.norm(f, axis=1)", "norm", "$f", None, 1)
case("np.linalg.eigvalsh(S)", "eigvalsh", "$S")
case("np.linalg.eigvalsh(A)", "eigvalsh", "$A")
case("np.linalg.eigvalsh(v)", "eigvalsh", "$v")
case("np.linalg.svd(A, compute_uv=False)", "singularValues", "$A")
case("np.linalg.svd(C, compute_uv=False)", "singularValues", "$C")
case("np.linalg.svd(B, compute_uv=False)", "singularValues", "$B")
case("np.linalg.solve(S, v)", "solve", "$S", "$v")
case("np.linalg.solve(S, B)", "solve", "$S", "$B")
case("np.linalg.solve(S, w)", "solve", "$S", "$w")
case("np.linalg.inv(S)", "inv", "$S")
case("np.linalg.inv(A)", "inv", "$A")
case("np.linalg.inv(S * 0)", "inv", "$S*0")
case("np.linalg.det(S)", "det", "$S")
case("np.linalg.slogdet(S)", "slogdet", "$S")
case("np.linalg.qr(A)", "qr", "$A")
case("np.linalg.qr(B)", "qr", "$B")
case("np.linalg.cholesky(S)", "cholesky", "$S")
case("np.linalg.cholesky(-S)", "cholesky", "$-S")
case("np.linalg.pinv(A)", "pinv", "$A")
case("np.linalg.matrix_rank(A)", "matrixRank", "$A")
case("np.linalg.matrix_rank(np.outer(v, v))", "matrixRank", "$outer(v,v)")
case("np.linalg.lstsq(B, v, rcond=None)[0]", "lstsq", "$B", "$v")
case("np.trace(A)", "trace", "$A")
case("np.where(m, A, v)", "where", "$m", "$A", "$v")
case("np.where(A > 0, f, i)", "where", "$A>0", "$f", "$i")
case("np.where(m, f, 0.0)", "where", "$m", "$f", 0.0)
case("np.where(m, w, v)", "where", "$m", "$w", "$v")
case("np.clip(A, -0.5, 0.5)", "clip", "$A", -0.5, 0.5)
case("np.clip(n, None, 1)", "clip", "$n", None, 1)
for decimals in (0, 1, 2, -1):
    case(f"np.round(A * 10, {decimals})", "round", "$A*10", decimals)
case("np.nan_to_num(n)", "nanToNum", "$n")
case("np.nan_to_num(n, nan=1.0, posinf=2.0, neginf=3.0)", "nanToNum", "$n", 1, 2, 3)
case("np.isclose(A, A + 1e-9)", "isclose", "$A", "$A+1e-9")
case("np.isclose(n, n)", "isclose", "$n", "$n")
case("np.isclose(n, n, equal_nan=True)", "isclose", "$n", "$n", 1e-5, 1e-8, True)
case("np.linspace(0, 1, 5)", "linspace", 0, 1, 5)
case("np.linspace(-2, 3, 7, endpoint=False)", "linspace", -2, 3, 7, False)
case("np.linspace(2, 3, 1)", "linspace", 2, 3, 1)
case("np.linspace(0, 1, -1)", "linspace", 0, 1, -1)
case("np.arange(0, 1, 0.1)", "arange", 0, 1, 0.1)
case("np.arange(5, 0, -2)", "arange", 5, 0, -2, "int64")
case("np.arange(0, 1, 0)", "arange", 0, 1, 0)
case("np.arange(0.0, 2.0, 0.3, dtype=np.float32)", "arange", 0, 2, 0.3, "float32")
case("np.full((2, 3), 7)", "full", [2, 3], 7, "int64")
case("np.zeros((-1,))", "zeros", [-1])

#: Arguments that begin with $ (or # in an index) are NumPy expressions of the inputs.
operands = {}


def collect(value):
    if isinstance(value, list):
        for item in value:
            collect(item)
    elif isinstance(value, str) and (value.startswith("$") or "#" in value):
        for name in [value[1:]] if value.startswith("$") else [
            part.split("#")[1] for part in split_index(value) if part.startswith("#")
        ]:
            source = re.sub(r"(?<=[\[,])n(?=[\],])", "None", name)
            source = source.replace("argsort(A,1)", "np.argsort(A, axis=1)").replace("outer(v,v)", "np.outer(v,v)")
            operands[name] = plain(eval(source, {"np": np}, dict(INPUTS)))


def split_index(text):
    """At commas outside brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "[(") - (c in "])")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return parts


for entry in cases:
    for arg in entry["args"]:
        collect(arg)
print("{\"numpy\": %s,\n\"operands\": {" % json.dumps(np.__version__))
print(",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in operands.items()))
print("},\n\"cases\": [")
print(",\n".join(json.dumps(entry, allow_nan=False) for entry in cases))
print("]}")
