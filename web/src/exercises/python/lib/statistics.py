# The module statistics. Means and variances are computed in whole numbers, exactly, as CPython computes them.
import math
from collections import Counter, namedtuple
from _python import as_integer_ratio, bit_length


class StatisticsError(ValueError):
    pass


def _divide(n, d):
    # n / d, rounded once. MicroPython makes floats of both first.
    if n == 0:
        return 0.0
    sign = -1.0 if n < 0 else 1.0
    n = abs(n)
    shift = 55 - bit_length(n) + bit_length(d)
    q, rest = divmod(n << shift, d) if shift >= 0 else divmod(n, d << -shift)
    more = bit_length(q) - 53
    half = 1 << (more - 1)
    low = q & ((1 << more) - 1)
    q >>= more
    if low > half or (low == half and (rest or q & 1)):
        q += 1
    return sign * math.ldexp(float(q), more - shift)


def _ratio(x):
    if type(x) not in (int, float, bool):
        if hasattr(x, "item"):
            return _ratio(x.item())
        raise TypeError("can't convert type '%s' to numerator/denominator" % type(x).__name__)
    return as_integer_ratio(x)


def _special(data):
    # The sum where an entry is infinite or no number; None where all are finite.
    for x in data:
        if type(x) is float and x - x != 0:
            return math.fsum(data)
    return None


def _exact_sum(rows):
    # The sum of fractions.
    n, d = 0, 1
    for a, b in rows:
        if b == d:
            n += a
        elif b % d == 0:
            n = n * (b // d) + a
            d = b
        elif d % b == 0:
            n += a * (d // b)
        else:
            n, d = n * b + a * d, d * b
    return n, d


def _given(n, d, data):
    # n / d as the type of the data: a whole number stays one.
    if n % d == 0 and not any([type(x) is float for x in data]):
        return n // d
    return _divide(n, d)


def _some(data, name, least=1):
    data = list(data)
    if len(data) < least:
        if least == 2:
            raise StatisticsError("%s requires at least two data points" % name)
        raise StatisticsError("%s requires at least one data point" % name)
    return data


def mean(data):
    data = _some(data, "mean")
    odd = _special(data)
    if odd is not None:
        return odd / len(data)
    n, d = _exact_sum([_ratio(x) for x in data])
    return _given(n, d * len(data), data)


def fmean(data, weights=None):
    data = list(data)
    if weights is not None:
        weights = list(weights)
        if len(weights) != len(data):
            raise StatisticsError("data and weights must be the same length")
        total = math.fsum(weights)
        if not total:
            raise StatisticsError("sum of weights must be non-zero")
        return math.fsum([a * b for a, b in zip(data, weights)]) / total
    return math.fsum(_some(data, "fmean")) / len(data)


def geometric_mean(data):
    data = list(data)
    if not data:
        raise StatisticsError("geometric mean requires a non-empty dataset containing positive numbers")
    try:
        return math.exp(fmean([math.log(x) for x in data]))
    except ValueError:
        raise StatisticsError("geometric mean requires a non-empty dataset containing positive numbers")


def harmonic_mean(data, weights=None):
    data = _some(data, "harmonic_mean")
    for x in data:
        if type(x) not in (int, float, bool):
            raise TypeError("unsupported type")
    if len(data) == 1 and weights is None:
        if data[0] < 0:
            raise StatisticsError("harmonic mean does not support negative values")
        return data[0]
    weights = [1] * len(data) if weights is None else list(weights)
    if len(weights) != len(data):
        raise StatisticsError("Number of weights does not match data size")
    for x in data:
        if x < 0:
            raise StatisticsError("harmonic mean does not support negative values")
    if 0 in data:
        return 0
    n, d = _exact_sum([as_integer_ratio(w / x) if w else (0, 1) for w, x in zip(weights, data)])
    a, b = _exact_sum([_ratio(w) for w in weights])
    return _divide(a * d, b * n)


def median(data):
    data = sorted(data)
    n = len(data)
    if n == 0:
        raise StatisticsError("no median for empty data")
    return data[n // 2] if n % 2 else (data[n // 2 - 1] + data[n // 2]) / 2


def median_low(data):
    data = sorted(data)
    if not data:
        raise StatisticsError("no median for empty data")
    return data[(len(data) - 1) // 2]


def median_high(data):
    data = sorted(data)
    if not data:
        raise StatisticsError("no median for empty data")
    return data[len(data) // 2]


def mode(data):
    rows = Counter(iter(data)).most_common(1)
    if not rows:
        raise StatisticsError("no mode for empty data")
    return rows[0][0]


def multimode(data):
    counts = Counter(iter(data))
    most = max(counts.values(), default=0)
    return [x for x, n in counts.items() if n == most]


def _squares(data, center):
    # The sum of the squares of the distances from the mean, as a fraction.
    if center is not None:
        return _exact_sum([_ratio((x - center) * (x - center)) for x in data])
    rows = [_ratio(x) for x in data]
    n, d = _exact_sum(rows)
    nn, dd = _exact_sum([(a * a, b * b) for a, b in rows])
    k = len(data)
    return k * nn * d * d - n * n * dd, dd * d * d * k


def _root(n, m):
    # The root of n / m, rounded once.
    if n == 0:
        return 0.0
    q = (bit_length(n) - bit_length(m) - 109) // 2
    if q >= 0:
        return _divide(_odd_root(n, m << 2 * q) << q, 1)
    return _divide(_odd_root(n << -2 * q, m), 1 << -q)


def _odd_root(n, m):
    a = math.isqrt(n // m)
    return a | (a * a * m != n)


def variance(data, xbar=None):
    data = _some(data, "variance", 2)
    n, d = _squares(data, xbar)
    return _given(n, d * (len(data) - 1), data)


def pvariance(data, mu=None):
    data = _some(data, "pvariance")
    n, d = _squares(data, mu)
    return _given(n, d * len(data), data)


def stdev(data, xbar=None):
    data = _some(data, "stdev", 2)
    n, d = _squares(data, xbar)
    return _root(n, d * (len(data) - 1))


def pstdev(data, mu=None):
    data = _some(data, "pstdev")
    n, d = _squares(data, mu)
    return _root(n, d * len(data))


def quantiles(data, *, n=4, method="exclusive"):
    if n < 1:
        raise StatisticsError("n must be at least 1")
    data = sorted(data)
    k = len(data)
    if k < 2:
        raise StatisticsError("must have at least two data points")
    out = []
    for i in range(1, n):
        if method == "inclusive":
            j, delta = divmod(i * (k - 1), n)
            out.append((data[j] * (n - delta) + data[j + 1] * delta) / n)
        elif method == "exclusive":
            j = i * (k + 1) // n
            j = 1 if j < 1 else k - 1 if j > k - 1 else j
            delta = i * (k + 1) - j * n
            out.append((data[j - 1] * (n - delta) + data[j] * delta) / n)
        else:
            raise ValueError("Unknown method: %r" % method)
    return out


def _pairs(x, y, name):
    x, y = list(x), list(y)
    if len(x) != len(y):
        raise StatisticsError("%s requires that both inputs have same number of data points" % name)
    if len(x) < 2:
        raise StatisticsError("%s requires at least two data points" % name)
    a, b = math.fsum(x) / len(x), math.fsum(y) / len(y)
    return x, y, a, b, math.fsum([(p - a) * (q - b) for p, q in zip(x, y)])


def covariance(x, y):
    x, y, a, b, both = _pairs(x, y, "covariance")
    return both / (len(x) - 1)


def correlation(x, y):
    x, y, a, b, both = _pairs(x, y, "correlation")
    over = math.fsum([(p - a) ** 2.0 for p in x]) * math.fsum([(q - b) ** 2.0 for q in y])
    if over == 0:
        raise StatisticsError("at least one of the inputs is constant")
    return both / math.sqrt(over)


LinearRegression = namedtuple("LinearRegression", ("slope", "intercept"))


def linear_regression(x, y):
    x, y, a, b, both = _pairs(x, y, "linear regression")
    over = math.fsum([(p - a) ** 2.0 for p in x])
    if over == 0:
        raise StatisticsError("x is constant")
    return LinearRegression(both / over, b - both / over * a)
