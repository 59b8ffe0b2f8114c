"""A library's side of `npm run bench:native`: one request a line, one answer a line.

    native_peers.py numpy|torch|sklearn

First line out: {"about": …} or {"error": …}. Request {"case": …, "n": …, "seconds": …}; answer
{"variant": {"milliseconds": …, "max_error": …, "value": …}, …}, CPU time of one call on one thread.
The error is that against the same formulas in float64. Kernel machines have a `value` that ours has
to have as well.
"""

import json
import os
import sys
import time

# Before NumPy is loaded: OpenBLAS reads them once.
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402

WIDTH, TAYLOR_WIDTH, FEATURES, EPSILON, CHUNK = 64, 16, 128, 1e-6, 64
MACHINES = ("kernel_ridge", "support_vectors")
GAMMA, LAMBDA, C = 1.0, 0.1, 10.0


def sample(n):
    """The points and numbers of attention_bench.cpp."""
    part = np.arange(1, n + 1)[:, None] * np.sqrt([2.0, 3.0, 5.0]) % 1
    x = 4 * part[:, :2] - 2
    y = np.sin(2 * x[:, 0]) * x[:, 1] + part[:, 2] - 0.5
    return {"x": x.astype(np.float32), "y": y.astype(np.float32)}


def inputs(case, n):
    rng = np.random.default_rng(1)
    d = TAYLOR_WIDTH if case == "linear_taylor" else WIDTH
    shapes = {"q": (n, d), "k": (n, d), "v": (n, WIDTH), "dO": (n, WIDTH), "w": (FEATURES, WIDTH)}
    return {key: rng.standard_normal(shape).astype(np.float32) for key, shape in shapes.items()}


def upper_pairs(d):
    first, second = np.triu_indices(d)
    return first, second, np.where(first == second, np.sqrt(0.5), 1.0)


# NumPy. Temporaries are reused where that is what a careful user would write.


def softmax_in_place(s):
    s -= s.max(axis=1, keepdims=True)
    np.exp(s, out=s)
    s /= s.sum(axis=1, keepdims=True)
    return s


def np_attention(x):
    p = softmax_in_place((x["q"] * x["q"].dtype.type(x["q"].shape[1] ** -0.5)) @ x["k"].T)
    return [p @ x["v"]]


def np_attention_weights(x):
    p = softmax_in_place((x["q"] * x["q"].dtype.type(x["q"].shape[1] ** -0.5)) @ x["k"].T)
    return [p @ x["v"], p]


def np_causal(x):
    s = (x["q"] * x["q"].dtype.type(x["q"].shape[1] ** -0.5)) @ x["k"].T
    s += x["barrier"]
    return [softmax_in_place(s) @ x["v"]]


def np_backward(x):
    q, k, v, dO = x["q"], x["k"], x["v"], x["dO"]
    scaled = q * q.dtype.type(q.shape[1] ** -0.5)
    p = softmax_in_place(scaled @ k.T)
    dS = dO @ v.T
    dS -= np.einsum("ij,ij->i", dO, p @ v)[:, None]
    dS *= p
    return [(dS @ k) * q.dtype.type(q.shape[1] ** -0.5), dS.T @ scaled, p.T @ dO]


def np_elu(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def np_taylor(x):
    scaled = x * x.dtype.type(x.shape[1] ** -0.25)
    first, second, factor = upper_pairs(x.shape[1])
    pairs = scaled[:, first] * scaled[:, second] * factor.astype(x.dtype)
    return np.concatenate([np.ones((len(x), 1), x.dtype), scaled, pairs], axis=1)


def np_performer(w):
    root = w.dtype.type(w.shape[1] ** -0.25)

    def phi(x):
        scaled = x * root
        shift = (scaled * scaled).sum(axis=1, keepdims=True) * scaled.dtype.type(0.5)
        return np.exp(scaled @ w.T - shift) * w.dtype.type(len(w) ** -0.5)

    return phi


def np_linear(phi):
    def run(x):
        f, g = phi(x)(x["q"]), phi(x)(x["k"])
        return [(f @ (g.T @ x["v"])) / (f @ g.sum(axis=0) + f.dtype.type(EPSILON))[:, None]]

    return run


def np_linear_causal_quadratic(x):
    s = np_elu(x["q"]) @ np_elu(x["k"]).T
    s *= x["below"]
    return [(s @ x["v"]) / (s.sum(axis=1) + s.dtype.type(EPSILON))[:, None]]


def np_linear_causal_chunked(x):
    n = len(x["q"])
    c = min(CHUNK, n)
    f, g = (np_elu(x[key]).reshape(n // c, c, -1) for key in "qk")
    ones = np.ones((n // c, c, 1), f.dtype)
    v = np.concatenate([x["v"].reshape(n // c, c, -1), ones], axis=2)
    gt = g.transpose(0, 2, 1)
    states = np.cumsum(gt @ v, axis=0)
    both = ((f @ gt) * x["below"][:c, :c]) @ v
    both[1:] += f[1:] @ states[:-1]
    both = both.reshape(n, -1)
    return [both[:, :-1] / (both[:, -1:] + both.dtype.type(EPSILON))]


def np_gram(x):
    squares = np.einsum("ij,ij->i", x, x)
    gram = x @ x.T
    gram *= 2
    gram -= squares[:, None]
    gram -= squares
    gram *= x.dtype.type(GAMMA)
    return np.exp(gram, out=gram)


def np_ridge(x):
    gram = np_gram(x["x"])
    gram.flat[:: len(gram) + 1] += gram.dtype.type(LAMBDA)
    return [np.linalg.solve(gram, x["y"])]


NUMPY = {
    "kernel_ridge": {"products, solve": np_ridge},
    "attention": {"products": np_attention},
    "attention_weights": {"products": np_attention_weights},
    "attention_causal": {"products, mask": np_causal},
    "attention_backward": {"written out": np_backward},
    "linear_elu": {"products": np_linear(lambda x: np_elu)},
    "linear_elu_causal": {
        "quadratic, mask": np_linear_causal_quadratic,
        "chunked": np_linear_causal_chunked,
    },
    "linear_taylor": {"products": np_linear(lambda x: np_taylor)},
    "linear_performer": {"products": np_linear(lambda x: np_performer(x["w"]))},
}


def torch_cases(torch):
    F = torch.nn.functional

    def attention(x):
        q = x["q"] * x["q"].shape[1] ** -0.5
        return [torch.softmax(q @ x["k"].T, dim=1) @ x["v"]]

    def attention_weights(x):
        p = torch.softmax((x["q"] * x["q"].shape[1] ** -0.5) @ x["k"].T, dim=1)
        return [p @ x["v"], p]

    def causal(x):
        q = x["q"] * x["q"].shape[1] ** -0.5
        return [torch.softmax(torch.add(x["barrier"], q @ x["k"].T), dim=1) @ x["v"]]

    def fused(is_causal):
        def run(x):
            q, k, v = (x[key][None, None] for key in "qkv")
            return [F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)[0, 0]]

        return run

    def backward(x):
        with torch.enable_grad():
            leaves = [x[key].detach().requires_grad_() for key in "qkv"]
            (out,) = attention(dict(zip("qkv", leaves)))
            return torch.autograd.grad(out, leaves, x["dO"])

    def elu(x):
        return F.elu(x) + 1

    def taylor(x):
        scaled = x * x.shape[1] ** -0.25
        first, second, factor = upper_pairs(x.shape[1])
        pairs = scaled[:, torch.tensor(first)] * scaled[:, torch.tensor(second)]
        ones = torch.ones(len(x), 1, dtype=x.dtype)
        return torch.cat([ones, scaled, pairs * torch.tensor(factor, dtype=x.dtype)], dim=1)

    def performer(w):
        def phi(x):
            scaled = x * x.shape[1] ** -0.25
            shift = (scaled * scaled).sum(dim=1, keepdim=True) / 2
            return torch.exp(scaled @ w.T - shift) * len(w) ** -0.5

        return phi

    def linear(phi):
        def run(x):
            f, g = phi(x)(x["q"]), phi(x)(x["k"])
            return [(f @ (g.T @ x["v"])) / (f @ g.sum(dim=0) + EPSILON)[:, None]]

        return run

    def linear_causal_quadratic(x):
        s = (elu(x["q"]) @ elu(x["k"]).T) * x["below"]
        return [(s @ x["v"]) / (s.sum(dim=1, keepdim=True) + EPSILON)]

    def linear_causal_chunked(x):
        n = len(x["q"])
        c = min(CHUNK, n)
        f, g = (elu(x[key]).reshape(n // c, c, -1) for key in "qk")
        v = torch.cat([x["v"].reshape(n // c, c, -1), torch.ones(n // c, c, 1, dtype=f.dtype)], 2)
        gt = g.transpose(1, 2)
        states = torch.cumsum(gt @ v, dim=0)
        both = ((f @ gt) * x["below"][:c, :c]) @ v
        both[1:] += f[1:] @ states[:-1]
        both = both.reshape(n, -1)
        return [both[:, :-1] / (both[:, -1:] + EPSILON)]

    cases = {
        "attention": {"products": attention},
        "attention_weights": {"products": attention_weights},
        "attention_causal": {"products, mask": causal},
        "attention_backward": {"autograd": backward},
        "linear_elu": {"products": linear(lambda x: elu)},
        "linear_elu_causal": {
            "quadratic, mask": linear_causal_quadratic,
            "chunked": linear_causal_chunked,
        },
        "linear_taylor": {"products": linear(lambda x: taylor)},
        "linear_performer": {"products": linear(lambda x: performer(x["w"]))},
    }
    if hasattr(F, "scaled_dot_product_attention"):
        cases["attention"]["scaled_dot_product_attention"] = fused(False)
        cases["attention_causal"]["scaled_dot_product_attention"] = fused(True)
    return cases


def sklearn_cases():
    from sklearn.kernel_ridge import KernelRidge
    from sklearn.svm import SVC

    def ridge(dtype):
        def run(x):
            machine = KernelRidge(kernel="rbf", gamma=GAMMA, alpha=LAMBDA)
            return [machine.fit(x["x"].astype(dtype), x["y"].astype(dtype)).dual_coef_]

        return run

    def vectors(x):
        # A cache for the whole matrix, as ours has it.
        machine = SVC(kernel="rbf", gamma=GAMMA, C=C, tol=1e-3, cache_size=1000)
        return machine.fit(x["x"], np.sign(x["y"]))

    return {
        "kernel_ridge": {"float32": ridge(np.float32), "float64": ridge(np.float64)},
        "support_vectors": {"SVC": vectors},
    }


def milliseconds(run, x, seconds):
    """CPU time of one call, of at least `seconds` of them after a first one."""
    run(x)
    calls, start = 0, time.process_time()
    while True:
        run(x)
        calls += 1
        took = time.process_time() - start
        if took >= seconds:
            return 1000 * took / calls


def blas():
    """Which BLAS library this process has loaded, from its file name; None where that is unknown."""
    try:
        with open("/proc/self/maps", encoding="utf-8") as maps:
            paths = {line.split()[-1] for line in maps if "blas" in line or "mkl" in line}
    except OSError:
        return None
    names = {"OpenBLAS" if "openblas" in path else os.path.basename(path) for path in paths}
    return ", ".join(sorted(names)) or None


def open_library(library):
    if library == "numpy":
        np.ones((2, 2), np.float32) @ np.ones((2, 2), np.float32)
        return NUMPY, f"NumPy {np.__version__}", lambda x: x, lambda x: x
    if library == "sklearn":
        import sklearn

        return sklearn_cases(), f"scikit-learn {sklearn.__version__}", lambda x: x, lambda x: x
    import torch

    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    return torch_cases(torch), f"PyTorch {torch.__version__}", torch.from_numpy, lambda x: x.numpy()


def attention(case, n, take, give):
    """The inputs as the library takes them, and what says how wrong a result is."""
    x = inputs(case, n)
    below = np.tri(n, dtype=np.float32)
    x["below"], x["barrier"] = below, np.where(below > 0, 0, -np.inf).astype(np.float32)
    doubles = {key: value.astype(np.float64) for key, value in x.items()}
    exact = next(iter(NUMPY[case].values()))(doubles)

    def judge(made):
        errors = [np.abs(give(one) - want).max() for one, want in zip(made, exact)]
        return {"max_error": float(max(errors))}

    return {key: take(value) for key, value in x.items()}, judge


def machine(case, n, take, give):
    x = sample(n)
    if case == "support_vectors":
        return x, lambda fitted: vectors_found(x, fitted)
    doubles = {key: value.astype(np.float64) for key, value in x.items()}
    gram = np_gram(doubles["x"])
    exact = gram @ np_ridge(doubles)[0]

    def judge(made):
        alpha = made[0].astype(np.float64)
        fitted = gram @ alpha
        return {
            "max_error": float(np.abs(fitted - exact).max()),
            "value": float(alpha @ fitted),
        }

    return x, judge


def vectors_found(x, fitted):
    """The error is how far the two objectives are apart, of the primal one; the value is the dual."""
    labels, points = np.sign(x["y"]).astype(np.float64), x["x"].astype(np.float64)
    weights = np.zeros(len(labels))
    weights[fitted.support_] = fitted.dual_coef_[0]
    function = np_gram(points) @ weights
    norm = weights @ function
    dual = np.abs(weights).sum() - norm / 2
    slack = np.maximum(0, 1 - labels * (function + fitted.intercept_[0])).sum()
    return {"max_error": float(1 - dual / (norm / 2 + C * slack)), "value": float(dual)}


def main():
    try:
        cases, name, take, give = open_library(sys.argv[1])
    except ImportError as error:
        print(json.dumps({"error": str(error)}), flush=True)
        return
    print(json.dumps({"about": f"{name} with {blas() or 'an unknown BLAS'}"}), flush=True)
    ready = {}
    for line in sys.stdin:
        request = json.loads(line)
        case, n = request["case"], request["n"]
        if (case, n) not in ready:
            ready[case, n] = (machine if case in MACHINES else attention)(case, n, take, give)
        x, judge = ready[case, n]
        answer = {}
        for variant, run in cases.get(case, {}).items():
            found = judge(run(x))
            answer[variant] = {"milliseconds": milliseconds(run, x, request["seconds"]), **found}
        print(json.dumps(answer), flush=True)


main()
