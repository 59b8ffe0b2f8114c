#include "exp.hpp"
#include "kernel_set.hpp"
#include "panel.hpp"

// Kernels that work along rows.

namespace attn::simd::ATTN_SIMD_SET {
namespace {

const float kNone = -__builtin_inff();

/// The last, incomplete vector of a row, filled up with `rest`.
ATTN_NOINLINE F load_part(const float* x, Size count, float rest) {
  float all[kLanes];
  for (Size i = 0; i < kLanes; ++i) all[i] = i < count ? x[i] : rest;
  return load(all);
}

ATTN_NOINLINE void store_part(float* x, Size count, F value) {
  for (Size i = 0; i < count; ++i) x[i] = value[i];
}

float largest_of(const float* x, Size count) {
  F largest = splat(kNone);
  Size i = 0;
  ATTN_NO_UNROLL
  for (; i + kLanes <= count; i += kLanes) largest = larger(load(x + i), largest);
  if (i < count) largest = larger(load_part(x + i, count - i, kNone), largest);
  float result = largest[0];
  for (int lane = 1; lane < kLanes; ++lane) {
    if (largest[lane] > result) result = largest[lane];
  }
  return result;
}

/// Computes the softmax of `count` numbers in place; returns ln Σ exp.
ATTN_NOINLINE float softmax_row(float* x, Size count) {
  const float largest = count > 0 ? largest_of(x, count) : kNone;
  if (largest == kNone) {
    fill(x, count, 0);
    return kNone;
  }
  const ExpTable& table = exp_table();
  const F shift = splat(largest);
  // Rounding (x − largest)·log₂e costs a weight of e^−t up to t ulp, as x − largest itself does.
  const auto weight = [&](F value) { return exp2_of_nonpositive((value - shift) * kLog2E, table); };
  F sums = {};
  Size i = 0;
  ATTN_NO_UNROLL
  for (; i + 4 * kLanes <= count; i += 4 * kLanes) {
    F e[4];
    ATTN_UNROLL
    for (int r = 0; r < 4; ++r) {
      e[r] = weight(load(x + i + r * kLanes));
    }
    ATTN_UNROLL
    for (int r = 0; r < 4; ++r) store(x + i + r * kLanes, e[r]);
    sums += (e[0] + e[1]) + (e[2] + e[3]);
  }
  for (; i < count; i += kLanes) {
    const Size some = at_most(kLanes, count - i);
    const F e = weight(load_part(x + i, some, kNone));
    store_part(x + i, some, e);
    sums += e;
  }
  const float sum = sum_of_lanes(sums);
  const F inverse = splat(1 / sum);
  i = 0;
  ATTN_NO_UNROLL
  for (; i + kLanes <= count; i += kLanes) store(x + i, load(x + i) * inverse);
  for (; i < count; ++i) x[i] *= inverse[0];
  // In double: C libraries differ in the last bit of some logarithms in float, and losses are made
  // of these.
  return largest + static_cast<float>(__builtin_log(static_cast<double>(sum)));
}

/// Computes x·y for the rows y of four keys; the same row may occur several times.
ATTN_INLINE void dot_four(const float* x, const float* const* y, Size count, float factor,
                          float* out) {
  F a = {}, b = {}, c = {}, d = {};
  Size i = 0;
  ATTN_NO_UNROLL
  for (; i + kLanes <= count; i += kLanes) {
    const F q = load(x + i);
    a = multiply_add(q, load(y[0] + i), a);
    b = multiply_add(q, load(y[1] + i), b);
    c = multiply_add(q, load(y[2] + i), c);
    d = multiply_add(q, load(y[3] + i), d);
  }
  float sums[4] = {sum_of_lanes(a), sum_of_lanes(b), sum_of_lanes(c), sum_of_lanes(d)};
  ATTN_NO_UNROLL
  for (; i < count; ++i) {
    for (int r = 0; r < 4; ++r) sums[r] += x[i] * y[r][i];
  }
  for (int r = 0; r < 4; ++r) out[r] = sums[r] * factor;
}

/// The list of the keys of one query.
struct List {
  const int32_t* keys;
  Size first, count;

  Size operator[](Size t) const { return keys ? keys[first + t] : first + t; }
};

ATTN_NOINLINE void score(const GatheredAttention& x, const float* q, const List& list,
                         float* scores) {
  for (Size t = 0; t < list.count; t += 4) {
    const float* k[4];
    const Size some = at_most(4, list.count - t);
    for (Size r = 0; r < 4; ++r) k[r] = x.k + list[t + at_most(r, some - 1)] * x.k_row;
    float four[4];
    dot_four(q, k, x.d, x.scale, four);
    for (Size r = 0; r < some; ++r) scores[t + r] = four[r];
  }
}

/// Computes out = Σ weight·v for the columns from c on that fit into kWide vectors.
template <int kWide>
ATTN_INLINE void average(const GatheredAttention& x, const List& list, const float* weights, Size c,
                         float* out) {
  F sums[kWide] = {};
  ATTN_NO_UNROLL
  for (Size t = 0; t < list.count; ++t) {
    const F weight = splat(weights[t]);
    const float* const v = x.v + list[t] * x.v_row + c;
    ATTN_UNROLL
    for (int i = 0; i < kWide; ++i) {
      sums[i] = multiply_add(weight, load(v + i * kLanes), sums[i]);
    }
  }
  ATTN_UNROLL
  for (int i = 0; i < kWide; ++i) store(out + c + i * kLanes, sums[i]);
}

ATTN_NOINLINE void average_all(const GatheredAttention& x, const List& list, const float* weights,
                               float* out) {
  Size c = 0;
  for (; c + 8 * kLanes <= x.dv; c += 8 * kLanes) average<8>(x, list, weights, c, out);
  for (; c + kLanes <= x.dv; c += kLanes) average<1>(x, list, weights, c, out);
  for (; c < x.dv; ++c) {
    float sum = 0;
    ATTN_NO_UNROLL
    for (Size t = 0; t < list.count; ++t) sum += weights[t] * x.v[list[t] * x.v_row + c];
    out[c] = sum;
  }
}

/// Computes out = map(x) for each row, two vectors at a time; the last one is filled up with 0.
template <typename Map>
ATTN_INLINE void apply(Size rows, Size cols, const float* x, Size x_row, float* out, Size out_row,
                       Map map) {
  for (; rows > 0; --rows) {
    Size i = 0;
    ATTN_NO_UNROLL
    for (; i + 2 * kLanes <= cols; i += 2 * kLanes) {
      F t[2];
      ATTN_UNROLL
      for (int v = 0; v < 2; ++v) t[v] = map(load(x + i + v * kLanes));
      ATTN_UNROLL
      for (int v = 0; v < 2; ++v) store(out + i + v * kLanes, t[v]);
    }
    for (; i < cols; i += kLanes) {
      const Size some = at_most(kLanes, cols - i);
      store_part(out + i, some, map(load_part(x + i, some, 0)));
    }
    x += x_row;
    out += out_row;
  }
}

/// out = x·factor
ATTN_INLINE void scale_row(const float* x, Size count, float factor, float* out) {
  Size i = 0;
  ATTN_NO_UNROLL
  for (; i + kLanes <= count; i += kLanes) store(out + i, load(x + i) * factor);
  ATTN_NO_UNROLL
  for (; i < count; ++i) out[i] = x[i] * factor;
}

void taylor_row(const float* x, Size d, float root, float* out) {
  const float cross = root * root, square = cross * 0.707106781F;
  out[0] = 1;
  scale_row(x, d, root, out + 1);
  for (Size i = 0; i < d; ++i) out[1 + d + i] = square * (x[i] * x[i]);
  out += 1 + 2 * d;
  for (Size i = 0; i < d; ++i) {
    scale_row(x, i, cross * x[i], out);
    out += i;
  }
}

}  // namespace

void gathered_attention(const GatheredAttention& x) {
  for (Size i = 0; i < x.n; ++i) {
    const List list{x.keys, x.first[i], x.first[i + 1] - x.first[i]};
    float* const weights = x.weights + x.first[i];
    score(x, x.q + i * x.q_row, list, weights);
    const float log_sum_exp = softmax_row(weights, list.count);
    if (x.log_sum_exp) x.log_sum_exp[i] = log_sum_exp;
    average_all(x, list, weights, x.out + i * x.out_row);
  }
}

void softmax_rows(const SoftmaxRows& x) {
  for (Size r = 0; r < x.rows; ++r) {
    float* const row = x.x + r * x.x_row;
    const Size end = at_least(0, at_most(x.cols, x.end + r * x.end_step));
    fill(row + end, x.cols - end, 0);
    const float log_sum_exp = softmax_row(row, end);
    if (x.log_sum_exp) x.log_sum_exp[r] = log_sum_exp;
  }
}

void features(const Features& x) {
  const ExpTable& table = exp_table();
  const F a = splat(x.map.a), zero = {};
  const auto each = [&x](auto map) { apply(x.rows, x.d, x.x, x.x_row, x.out, x.out_row, map); };
  switch (x.map.kind) {
    case Feature::kGiven:
      copy_rows(x.x, x.x_row, x.rows, x.d, x.out, x.out_row, x.d);
      break;
    case Feature::kEluPlusOne:
      each([&](F value) {
        const F y = a * value;
        // One of the two terms is y + 1 or e^y, and the other is 0 or 1.
        return larger(zero, y) + exp_of_nonpositive(smaller(zero, y), table);
      });
      break;
    case Feature::kRelu:
      each([a](F value) { return larger(a, value); });
      break;
    case Feature::kSquaredRelu:
      each([zero](F value) { return larger(zero, value) * larger(zero, value); });
      break;
    case Feature::kSquare:
      each([](F value) { return value * value; });
      break;
    case Feature::kExp:
      each([&table](F value) { return exp(value, table); });
      break;
    case Feature::kTaylorCompact:
      for (Size r = 0; r < x.rows; ++r) {
        taylor_row(x.x + r * x.x_row, x.d, x.map.a, x.out + r * x.out_row);
      }
      break;
    case Feature::kRandomExp:
      break;
  }
}

void exp_rows(const ExpRows& x) {
  const ExpTable& table = exp_table();
  const F factor = splat(x.factor), add = splat(x.add);
  for (Size r = 0; r < x.rows; ++r) {
    float* const row = x.x + r * x.x_row;
    const F shift = splat(x.shift[r]);
    apply(1, x.cols, row, 0, row, 0,
          [&](F value) { return (exp(value - shift, table) + add) * factor; });
  }
}

float largest_magnitude(const float* x, Size rows, Size cols, Size x_row) {
  if (cols == x_row) {
    cols *= rows;
    rows = rows > 0;
  }
  // The comparison is between integers, because as an integer NaN is above ∞ and both are above all
  // numbers. Two maxima, because each comparison waits for the one before.
  I even = {}, odd = {};
  const auto more = [](I largest, F value) {
    const I bits = reinterpret_cast<I>(value) & 0x7fffffff;
    return bits > largest ? bits : largest;
  };
  for (Size r = 0; r < rows; ++r) {
    const float* const row = x + r * x_row;
    Size i = 0;
    ATTN_NO_UNROLL
    for (; i + 2 * kLanes <= cols; i += 2 * kLanes) {
      even = more(even, load(row + i));
      odd = more(odd, load(row + i + kLanes));
    }
    for (; i < cols; i += kLanes) {
      even = more(even, load_part(row + i, at_most(kLanes, cols - i), 0));
    }
  }
  even = odd > even ? odd : even;
  // Lanes are read by constant numbers: a vector whose lanes are counted through stays in memory.
  int32_t most = 0;
  ATTN_UNROLL
  for (int lane = 0; lane < kLanes; ++lane) {
    if (even[lane] > most) most = even[lane];
  }
  float result;
  __builtin_memcpy(&result, &most, sizeof result);
  return result;
}

void exp_all(const float* x, float* out, Size count) {
  const ExpTable& table = exp_table();
  apply(1, count, x, 0, out, 0, [&table](F value) { return exp(value, table); });
}

void exp2_all(const float* x, float* out, Size count) {
  const ExpTable& table = exp_table();
  apply(1, count, x, 0, out, 0, [&table](F value) { return exp2_of_nonpositive(value, table); });
}

float peak(Size rounds, const float* seeds) {
  F sums[12];
  const F factor = splat(seeds[0]), term = splat(seeds[1]);
  ATTN_UNROLL
  for (int i = 0; i < 12; ++i) sums[i] = splat(seeds[2 + i]);
  ATTN_NO_UNROLL
  for (; rounds > 0; --rounds) {
    ATTN_UNROLL
    for (int i = 0; i < 12; ++i) sums[i] = multiply_add(sums[i], factor, term);
  }
  F all = sums[0];
  ATTN_UNROLL
  for (int i = 1; i < 12; ++i) all += sums[i];
  return sum_of_lanes(all);
}

}  // namespace attn::simd::ATTN_SIMD_SET
