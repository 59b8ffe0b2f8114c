#include "simd/simd.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <vector>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

#if defined(ATTN_SIMD_EVERY_WIDTH)
namespace attn::simd {
namespace lanes1 {
extern const Kernels kKernels;
}
namespace lanes8 {
extern const Kernels kKernels;
}
namespace lanes16 {
extern const Kernels kKernels;
}
}  // namespace attn::simd
#endif

TEST_SUITE_BEGIN("simd");

namespace {

using simd::Size;
using Double = Matrix<double>;

constexpr float kFloatInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Calls `test` with every set of kernels.
template <typename Test>
void for_each_set(Test test) {
  std::vector<const simd::Kernels*> sets(simd::kernel_sets().begin(), simd::kernel_sets().end());
#if defined(ATTN_SIMD_EVERY_WIDTH)
  sets.insert(sets.end(),
              {&simd::lanes1::kKernels, &simd::lanes8::kKernels, &simd::lanes16::kKernels});
#endif
  for (const simd::Kernels* set : sets) {
    CAPTURE(std::string(set->name));
    test(*set);
  }
}

/// Runs with exactly the memory that the kernel asks for, filled with NaN, so that reading before
/// writing becomes visible and AddressSanitizer detects accesses beyond the end.
template <typename Problem>
void run_exactly(void (*kernel)(const Problem&, float*), Size (*floats)(const Problem&),
                 const Problem& problem) {
  const Size count = floats(problem);
  const auto bytes = static_cast<std::size_t>(count) * sizeof(float);
  float* const work = static_cast<float*>(::operator new (bytes, std::align_val_t{64}));
  std::fill(work, work + count, kNan);
  kernel(problem, work);
  ::operator delete (static_cast<void*>(work), std::align_val_t{64});
}

/// A size of at least 1, mostly small, so that every edge of every tile occurs.
Index drawn_size(Rng& rng, std::uint64_t most) {
  return static_cast<Index>(1 + rng.below(rng.below(2) == 0 ? 9 : most));
}

/// The distance of a normal result from the true one, in units of its last place.
double ulps(float got, double wanted) {
  if (std::isnan(wanted) || std::isnan(got)) return std::isnan(got) == std::isnan(wanted) ? 0 : 1e9;
  return std::abs(static_cast<double>(got) - wanted) / std::ldexp(1.0, std::ilogb(wanted) - 23);
}

/// The largest and the root mean square of got − wanted.
struct Deviation {
  double most = 0, rms = 0;

  template <typename A>
  Deviation(const A& got, const Double& wanted) {
    for (Index i = 0; i < wanted.size(); ++i) {
      const double e = static_cast<double>(got.data()[i]) - wanted.data()[i];
      most = std::max(most, std::isnan(e) ? kFloatInfinity : std::abs(e));
      rms += e * e / static_cast<double>(wanted.size());
    }
    rms = std::sqrt(rms);
  }
};

}  // namespace

TEST_CASE("exp is at most 1.3 ulp off over all floats, and never denormal") {
  for_each_set([](const simd::Kernels& set) {
    std::vector<float> x, got;
    for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += 30011) {
      const auto low = static_cast<std::uint32_t>(bits);
      float value;
      std::memcpy(&value, &low, sizeof value);
      x.push_back(value);
    }
    for (const float special : {0.0F, -0.0F, kFloatInfinity, -kFloatInfinity, kNan, 1e-45F, -1e-45F,
                                88.7228F, 88.73F, -87.0F, -86.98F, 1.0F, -1.0F}) {
      x.push_back(special);
    }
    got.resize(x.size());
    set.exp(x.data(), got.data(), static_cast<Size>(x.size()));
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double wanted = std::exp(static_cast<double>(x[i]));
      if (x[i] <= -86.99F) {
        CHECK(got[i] == 0);
      } else if (wanted > 3.4028235677973366e38) {
        CHECK(got[i] == kFloatInfinity);
      } else {
        worst = std::max(worst, ulps(got[i], wanted));
      }
    }
    CHECK(worst < 1.3);
    CHECK(worst > 0.5);
    float one = 7;
    const float zero = 0;
    set.exp(&zero, &one, 1);
    CHECK(one == 1);
  });
}

TEST_CASE("2^t for t <= 0 is at most 1.1 ulp off and 0 below -100.5") {
  for_each_set([](const simd::Kernels& set) {
    std::vector<float> x = {0,    -0.0F, -0.5F,  -1,     -99.99F,         -100, -100.0001F, -126,
                            -150, -1e9F, -1e30F, -3e38F, -kFloatInfinity, kNan};
    for (std::uint32_t bits = 0x80000000; bits < 0xff800000; bits += 9001) {
      float value;
      std::memcpy(&value, &bits, sizeof value);
      x.push_back(value);
    }
    std::vector<float> got(x.size());
    set.exp2_of_nonpositive(x.data(), got.data(), static_cast<Size>(x.size()));
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] < -100.5F) {
        CHECK(got[i] == 0);
      } else {
        worst = std::max(worst, ulps(got[i], std::exp2(static_cast<double>(x[i]))));
      }
    }
    CHECK(worst < 1.1);
    CHECK(worst > 0.5);
    CHECK(got[0] == 1);
  });
}

TEST_CASE("GEMM of 250 drawn shapes, factors as they are and transposed, set and added") {
  for_each_set([](const simd::Kernels& set) {
    for (std::uint64_t seed = 0; seed < 250; ++seed) {
      CAPTURE(seed);
      Rng rng(seed, 5);
      const Index rows = drawn_size(rng, 70), cols = drawn_size(rng, 70);
      const Index depth = drawn_size(rng, seed % 10 == 0 ? 600 : 70);
      const bool a_turned = rng.below(2) == 1, b_turned = rng.below(2) == 1;
      // Rows are further apart than they are long.
      const Index gap = static_cast<Index>(rng.below(3));
      const Matrix<> A = random(a_turned ? depth : rows, (a_turned ? rows : depth) + gap, seed);
      const Matrix<> B =
          random(b_turned ? cols : depth, (b_turned ? depth : cols) + gap, seed + 999);
      Matrix<> C = random(rows, cols + gap, seed + 1998);
      const Matrix<> before = C;
      // Nothing, C itself, another matrix or one row is added.
      const std::uint64_t kind = rng.below(4);
      const Matrix<> more = random(kind == 3 ? 1 : rows, cols + gap, seed + 2997);
      const simd::Gemm problem{.rows = rows,
                               .cols = cols,
                               .depth = depth,
                               .a = A.data(),
                               .b = B.data(),
                               .a_row = a_turned ? 1 : A.cols(),
                               .a_col = a_turned ? A.cols() : 1,
                               .b_row = b_turned ? 1 : B.cols(),
                               .b_col = b_turned ? B.cols() : 1,
                               .c = C.data(),
                               .c_row = C.cols(),
                               .s = kind == 0   ? nullptr
                                    : kind == 1 ? C.data()
                                                : more.data(),
                               .s_row = kind == 3 ? 0 : C.cols()};
      run_exactly(set.gemm, set.gemm_floats, problem);
      const Double a = a_turned ? Double(A.leftCols(rows).transpose().cast<double>())
                                : Double(A.leftCols(depth).cast<double>());
      const Double b = b_turned ? Double(B.leftCols(depth).transpose().cast<double>())
                                : Double(B.leftCols(cols).cast<double>());
      Double wanted = a * b;
      if (kind == 1) wanted += before.leftCols(cols).cast<double>();
      if (kind == 2) wanted += more.leftCols(cols).cast<double>();
      if (kind == 3) wanted.rowwise() += more.row(0).head(cols).cast<double>();
      CHECK_CLOSE(C.leftCols(cols), wanted, 1e-5, 1e-5 * std::sqrt(static_cast<double>(depth)));
      CHECK(C.rightCols(gap) == before.rightCols(gap));
    }
  });
}

TEST_CASE("a NaN or an infinity in a factor affects its row or column only") {
  for_each_set([](const simd::Kernels& set) {
    for (const Index n : {1, 5, 16, 33}) {
      Matrix<> A = random(n, 7, 1), B = random(7, n, 2), C(n, n);
      A(n / 2, 3) = kNan;
      B(2, n - 1) = kFloatInfinity;
      run_exactly(set.gemm, set.gemm_floats,
                  {n, n, 7, A.data(), B.data(), 7, 1, n, 1, C.data(), n});
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
          CHECK(std::isnan(C(i, j)) == (i == n / 2));
          if (i != n / 2) CHECK(std::isinf(C(i, j)) == (j == n - 1));
        }
      }
    }
  });
}

namespace {

/// Softmax attention of one head by its definition, with its gradients.
struct Reference {
  Double weights, output, d_q, d_k, d_v;
  Vector<double> log_sum_exp, row_dots;

  Reference(const Matrix<>& Q, const Matrix<>& K, const Matrix<>& V, const Matrix<>& d_out,
            double scale, const Matrix<>& sees) {
    const Double q = Q.cast<double>(), k = K.cast<double>(), v = V.cast<double>(),
                 d = d_out.cast<double>();
    const Double scores = scale * q * k.transpose();
    weights = Double::Zero(Q.rows(), K.rows());
    log_sum_exp = Vector<double>::Constant(Q.rows(), -kFloatInfinity);
    for (Index i = 0; i < Q.rows(); ++i) {
      double largest = -kFloatInfinity, sum = 0;
      for (Index j = 0; j < K.rows(); ++j) {
        if (sees(i, j) != 0) largest = std::max(largest, scores(i, j));
      }
      if (std::isinf(largest)) continue;
      for (Index j = 0; j < K.rows(); ++j) {
        if (sees(i, j) != 0) sum += weights(i, j) = std::exp(scores(i, j) - largest);
      }
      weights.row(i) /= sum;
      log_sum_exp(i) = largest + std::log(sum);
    }
    output = weights * v;
    row_dots = d.cwiseProduct(output).rowwise().sum();
    Double d_scores = d * v.transpose();
    d_scores.colwise() -= row_dots;
    d_scores.array() *= scale * weights.array();
    d_q = d_scores * k;
    d_k = d_scores.transpose() * q;
    d_v = weights.transpose() * d;
  }
};

/// A sight for the kernel, and the same cells as a matrix.
struct DrawnSight {
  simd::Sight sight{};
  Matrix<> sees;
  std::vector<std::uint8_t> keep;

  DrawnSight(Rng& rng, Index n, Index m) : sees(n, m) {
    const Index far = n + m;
    const auto within = [&](Index most) {
      return static_cast<Index>(rng.below(static_cast<std::uint64_t>(most)));
    };
    const std::uint64_t kind = rng.below(7);
    sight.step = 1;
    sight.valid = rng.below(4) == 0 ? within(m) : m;
    sight.first = -far;
    sight.last = far;
    if (kind == 1) sight.last = 0;
    if (kind == 2) sight.last = m - n;
    if (kind == 3) {
      sight.last = m - n + within(4);
      sight.first = sight.last - within(m);
    }
    if (kind == 4) {
      sight.step = 0;
      sight.first = within(m) - 1;
      sight.last = sight.first + within(m) - 1;
    }
    if (kind >= 5) {
      for (Index i = 0; i < n * m; ++i) keep.push_back(rng.below(3) == 0);
      sight.keep = keep.data();
      if (kind == 6) sight.last = 0;
    }
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < m; ++j) {
        const Index at = i * sight.step;
        const bool in = j < sight.valid && at + sight.first <= j && j <= at + sight.last &&
                        (keep.empty() || keep[static_cast<std::size_t>(i * m + j)]);
        sees(i, j) = in ? 1.0F : 0.0F;
      }
    }
  }
};

}  // namespace

TEST_CASE("attention of 200 drawn shapes, sights and heads: output, weights, log-sum-exp") {
  for_each_set([](const simd::Kernels& set) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      CAPTURE(seed);
      Rng rng(seed, 6);
      const Index n = drawn_size(rng, 70), m = drawn_size(rng, seed % 20 == 0 ? 600 : 70);
      const Index d = drawn_size(rng, 20), d_v = drawn_size(rng, 20);
      const Index heads = 1 + static_cast<Index>(rng.below(3));
      const DrawnSight drawn(rng, n, m);
      const Matrix<> K = random(m, d, seed + 1), V = random(m, d_v, seed + 2);
      const Matrix<> Q = random(n, heads * d, seed + 3);
      const float scale = static_cast<float>(0.2 + rng.uniform());
      Matrix<> out(n, heads * d_v), weights(heads * n, m), log_sum_exp(heads, n);
      const bool with_weights = rng.below(2) == 1;
      std::vector<float*> of_heads;
      for (Index h = 0; h < heads; ++h) of_heads.push_back(weights.row(h * n).data());
      run_exactly(set.attention, set.attention_floats,
                  {.n = n,
                   .m = m,
                   .d = d,
                   .dv = d_v,
                   .heads = heads,
                   .q = Q.data(),
                   .k = K.data(),
                   .v = V.data(),
                   .q_row = Q.cols(),
                   .k_row = d,
                   .v_row = d_v,
                   .q_head = d,
                   .scale = scale,
                   .sight = drawn.sight,
                   .out = out.data(),
                   .out_row = out.cols(),
                   .out_head = d_v,
                   .log_sum_exp = log_sum_exp.data(),
                   .weights = with_weights ? of_heads.data() : nullptr});
      for (Index h = 0; h < heads; ++h) {
        CAPTURE(h);
        const Reference wanted(Q.middleCols(h * d, d), K, V, Matrix<>::Zero(n, d_v),
                               static_cast<double>(scale), drawn.sees);
        CHECK_CLOSE(out.middleCols(h * d_v, d_v), wanted.output, kFloat, kFloat);
        CHECK_CLOSE(log_sum_exp.row(h).transpose(), wanted.log_sum_exp, kFloat, kFloat);
        if (!with_weights) continue;
        const auto got = weights.middleRows(h * n, n);
        CHECK_CLOSE(got, wanted.weights, kFloat, 1e-6);
        // The weight must be exactly 0, so that the value of a hidden key cannot count.
        CHECK((drawn.sees.array() == 0).select(got.array(), 0.0F).abs().maxCoeff() == 0);
      }
    }
  });
}

TEST_CASE("attention of sharp logits: no NaN, no denormal, and all weight on the largest score") {
  for_each_set([](const simd::Kernels& set) {
    const Index n = 40, d = 8;
    const Matrix<> K = random(n, d, 1), V = random(n, 3, 2);
    for (const float sharpness : {30.0F, 1e4F, 1e15F}) {
      const Matrix<> Q = sharpness * random(n, d, 3);
      Matrix<> out(n, 3), weights(n, n);
      float* const cells = weights.data();
      Vector<float> log_sum_exp(n);
      run_exactly(set.attention, set.attention_floats,
                  {.n = n,
                   .m = n,
                   .d = d,
                   .dv = 3,
                   .heads = 1,
                   .q = Q.data(),
                   .k = K.data(),
                   .v = V.data(),
                   .q_row = d,
                   .k_row = d,
                   .v_row = 3,
                   .q_head = 0,
                   .scale = 1,
                   .sight = {-n, n, 1, n, nullptr},
                   .out = out.data(),
                   .out_row = 3,
                   .out_head = 0,
                   .log_sum_exp = log_sum_exp.data(),
                   .weights = &cells});
      CHECK(out.allFinite());
      CHECK(log_sum_exp.allFinite());
      for (Index i = 0; i < weights.size(); ++i) {
        const float w = weights.data()[i];
        CHECK((w == 0 || w > 1e-38F));
      }
      CHECK_CLOSE(weights.rowwise().sum(), Vector<float>::Ones(n), 0, 1e-6);
    }
  });
}

TEST_CASE("attention backward of 150 drawn shapes and sights") {
  for_each_set([](const simd::Kernels& set) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
      CAPTURE(seed);
      Rng rng(seed, 7);
      const Index n = drawn_size(rng, 150), m = drawn_size(rng, 150);
      const Index d = drawn_size(rng, 40), d_v = drawn_size(rng, 40);
      const DrawnSight drawn(rng, n, m);
      const Matrix<> Q = random(n, d, seed), K = random(m, d, seed + 1);
      const Matrix<> V = random(m, d_v, seed + 2), d_out = random(n, d_v, seed + 3);
      const float scale = 1 / std::sqrt(static_cast<float>(d));
      const Reference wanted(Q, K, V, d_out, static_cast<double>(scale), drawn.sees);
      const Vector<float> log_sum_exp = wanted.log_sum_exp.cast<float>();
      const Vector<float> row_dots = wanted.row_dots.cast<float>();
      Matrix<> d_q(n, d), d_k(m, d), d_v_out(m, d_v);
      run_exactly(set.attention_backward, set.attention_backward_floats,
                  {.n = n,
                   .m = m,
                   .d = d,
                   .dv = d_v,
                   .q = Q.data(),
                   .k = K.data(),
                   .v = V.data(),
                   .d_out = d_out.data(),
                   .q_row = d,
                   .k_row = d,
                   .v_row = d_v,
                   .d_out_row = d_v,
                   .scale = scale,
                   .sight = drawn.sight,
                   .log_sum_exp = log_sum_exp.data(),
                   .row_dots = row_dots.data(),
                   .d_q = d_q.data(),
                   .d_k = d_k.data(),
                   .d_v = d_v_out.data(),
                   .d_q_row = d,
                   .d_k_row = d,
                   .d_v_row = d_v});
      CHECK_CLOSE(d_q, wanted.d_q, kFloat, kFloat);
      CHECK_CLOSE(d_k, wanted.d_k, kFloat, kFloat);
      CHECK_CLOSE(d_v_out, wanted.d_v, kFloat, kFloat);
    }
  });
}

TEST_CASE("gathered attention of 200 drawn lists equals attention under their mask") {
  for_each_set([](const simd::Kernels& set) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      CAPTURE(seed);
      Rng rng(seed, 8);
      const Index n = drawn_size(rng, 20), m = drawn_size(rng, 60);
      const Index d = drawn_size(rng, 70), d_v = drawn_size(rng, 140);
      const bool ranges = rng.below(3) == 0;
      Matrix<> sees = Matrix<>::Zero(n, m);
      std::vector<Size> first = {0};
      std::vector<std::int32_t> keys;
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < m; ++j) {
          // The ranges of the queries follow each other, as they do for a list without keys.
          const bool in = ranges ? j * n >= i * m && j * n < (i + 1) * m : rng.below(3) == 0;
          if (!in) continue;
          sees(i, j) = 1;
          keys.push_back(static_cast<std::int32_t>(j));
        }
        first.push_back(static_cast<Size>(keys.size()));
      }
      const Matrix<> Q = random(n, d, seed), K = random(m, d, seed + 1),
                     V = random(m, d_v, seed + 2);
      Matrix<> out(n, d_v);
      Vector<float> weights(static_cast<Index>(keys.size())), log_sum_exp(n);
      set.gathered_attention({.n = n,
                              .d = d,
                              .dv = d_v,
                              .q = Q.data(),
                              .k = K.data(),
                              .v = V.data(),
                              .q_row = d,
                              .k_row = d,
                              .v_row = d_v,
                              .scale = 0.3F,
                              .first = first.data(),
                              .keys = ranges ? nullptr : keys.data(),
                              .out = out.data(),
                              .out_row = d_v,
                              .log_sum_exp = log_sum_exp.data(),
                              .weights = weights.data()});
      const Reference wanted(Q, K, V, Matrix<>::Zero(n, d_v), static_cast<double>(0.3F), sees);
      CHECK_CLOSE(out, wanted.output, kFloat, kFloat);
      CHECK_CLOSE(log_sum_exp, wanted.log_sum_exp, kFloat, kFloat);
      for (Index i = 0; i < n; ++i) {
        for (Size t = first[static_cast<std::size_t>(i)];
             t < first[static_cast<std::size_t>(i) + 1]; ++t) {
          const double w = wanted.weights(i, keys[static_cast<std::size_t>(t)]);
          CHECK(static_cast<double>(weights(t)) == doctest::Approx(w).epsilon(1e-5));
        }
      }
    }
  });
}

TEST_CASE("softmax of rows: row ends, blocked cells and rows without visible cells") {
  for_each_set([](const simd::Kernels& set) {
    for (const Index cols : {1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 64, 70}) {
      CAPTURE(cols);
      const Index rows = 9;
      Matrix<> x = 4 * random(rows, cols, static_cast<std::uint64_t>(cols));
      x(2, 0) = -kFloatInfinity;
      x.row(5).setConstant(-kFloatInfinity);
      for (const Size step : {0, 1}) {
        Matrix<> got = x;
        Vector<float> log_sum_exp(rows);
        const Size end = step == 0 ? cols : -1;
        set.softmax_rows({rows, cols, got.data(), cols, end, step, log_sum_exp.data()});
        for (Index i = 0; i < rows; ++i) {
          CAPTURE(i);
          const Index seen = std::clamp<Index>(end + i * step, 0, cols);
          double sum = 0;
          for (Index j = 0; j < seen; ++j) sum += std::exp(static_cast<double>(x(i, j)));
          for (Index j = 0; j < cols; ++j) {
            const bool none = j >= seen || std::isinf(x(i, j));
            if (none) CHECK(got(i, j) == 0);
            if (none) continue;
            // x − largest and that times log₂e are rounded, and each costs up to one ulp of the
            // weight for each unit of the distance.
            CHECK(ulps(got(i, j), std::exp(static_cast<double>(x(i, j))) / sum) <
                  4 + 2 * static_cast<double>(x.row(i).head(seen).maxCoeff() - x(i, j)));
          }
          CHECK_CLOSE(log_sum_exp.segment(i, 1), Vector<double>::Constant(1, std::log(sum)), 1e-6,
                      1e-6);
        }
      }
    }
  });
}

TEST_CASE("feature maps computed by the kernels equal their formulas") {
  for_each_set([](const simd::Kernels& set) {
    for (const Index d : {1, 3, 4, 16, 17, 35}) {
      CAPTURE(d);
      const Matrix<> x = 3 * random(5, d, static_cast<std::uint64_t>(d));
      const auto check = [&](simd::Feature kind, float a, auto value) {
        CAPTURE(static_cast<int>(kind));
        Matrix<> got = Matrix<>::Constant(5, d + 2, 7);
        set.features({{kind, a}, 5, d, x.data(), d, got.data(), d + 2});
        for (Index i = 0; i < 5; ++i) {
          for (Index k = 0; k < d; ++k) {
            CHECK(static_cast<double>(got(i, k)) ==
                  doctest::Approx(value(static_cast<double>(x(i, k)))).epsilon(1e-6));
          }
        }
        CHECK((got.rightCols(2).array() == 7).all());
      };
      using simd::Feature;
      check(Feature::kGiven, 0, [](double v) { return v; });
      check(Feature::kEluPlusOne, 1, [](double v) { return v > 0 ? v + 1 : std::exp(v); });
      check(Feature::kEluPlusOne, 0.5F,
            [](double v) { return v > 0 ? v / 2 + 1 : std::exp(v / 2); });
      check(Feature::kRelu, 0.25F, [](double v) { return std::max(v, 0.25); });
      check(Feature::kSquaredRelu, 0, [](double v) { return v > 0 ? v * v : 0; });
      check(Feature::kSquare, 0, [](double v) { return v * v; });
      check(Feature::kExp, 0, [](double v) { return std::exp(v); });
      // The kernel of the Taylor features is 1 + s + s²/2.
      const Index D = (d + 1) * (d + 2) / 2;
      Matrix<> phi(5, D);
      const float root = std::pow(static_cast<float>(d), -0.25F);
      set.features({{Feature::kTaylorCompact, root}, 5, d, x.data(), d, phi.data(), D});
      const Double s =
          x.cast<double>() * x.cast<double>().transpose() / std::sqrt(static_cast<double>(d));
      const Double wanted = 1 + s.array() + s.array().square() / 2;
      CHECK_CLOSE(phi.cast<double>() * phi.cast<double>().transpose(), wanted, 1e-5, 1e-5);
      Matrix<> e = x;
      Vector<float> shift = x.col(0);
      set.exp_rows({5, d, e.data(), d, shift.data(), 2, 0.5F});
      const Double shifted = (x.colwise() - shift).cast<double>().array().exp() * 2 + 1;
      CHECK_CLOSE(e, shifted, 1e-6, 0);
    }
    const float special[] = {-kFloatInfinity, kFloatInfinity, kNan, -200, 0};
    float got[5];
    set.features({{simd::Feature::kEluPlusOne, 1}, 1, 5, special, 5, got, 5});
    CHECK(got[0] == 0);
    CHECK(got[1] == kFloatInfinity);
    CHECK(std::isnan(got[2]));
    CHECK(got[3] == 0);
    CHECK(got[4] == 1);
    set.features({{simd::Feature::kRelu, 0}, 1, 5, special, 5, got, 5});
    CHECK(std::isnan(got[2]));
  });
}

TEST_CASE("linear attention of 200 drawn shapes: causal and not, in pieces, every denominator") {
  for_each_set([](const simd::Kernels& set) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      CAPTURE(seed);
      Rng rng(seed, 9);
      const bool causal = rng.below(2) == 1, normalize = rng.below(4) != 0;
      const Index n = drawn_size(rng, 150), m = causal ? n : drawn_size(rng, 150);
      const Index d = drawn_size(rng, 20), d_v = drawn_size(rng, 40);
      simd::FeatureMap map{simd::Feature::kEluPlusOne, 1};
      Index D = d;
      Matrix<> W;
      if (seed % 4 == 1) map = {simd::Feature::kGiven, 0};
      if (seed % 4 == 2) {
        map = {simd::Feature::kTaylorCompact, 0.7F};
        D = (d + 1) * (d + 2) / 2;
      }
      if (seed % 4 == 3) {
        D = drawn_size(rng, 70);
        W = random(D, d, seed + 3);
        map = {simd::Feature::kRandomExp, 0.7F, W.data()};
      }
      Matrix<> Q = random(n, d, seed), K = random(m, d, seed + 1);
      const Matrix<> V = random(m, d_v, seed + 2);
      // Given features are made positive as well, because the quotient is checked closely.
      if (map.kind == simd::Feature::kGiven) {
        Q = Q.cwiseAbs();
        K = K.cwiseAbs();
      }
      const auto features_of = [&](const Matrix<>& x) {
        Matrix<> phi(x.rows(), D);
        if (map.kind != simd::Feature::kRandomExp) {
          set.features({map, x.rows(), d, x.data(), d, phi.data(), D});
          return phi;
        }
        const Double scaled = x.cast<double>() * 0.7;
        const Eigen::VectorXd halves = scaled.rowwise().squaredNorm() / 2;
        const Double exponents = (scaled * W.cast<double>().transpose()).colwise() - halves;
        phi = (exponents.array().exp() / std::sqrt(static_cast<double>(D))).cast<float>();
        return phi;
      };
      const Matrix<> phi_q = features_of(Q), phi_k = features_of(K);
      const float epsilon = rng.below(2) == 0 ? 0.0F : 0.25F;
      const float key_epsilon = rng.below(2) == 0 ? 0.0F : 0.125F;
      const float least = rng.below(2) == 0 ? -kFloatInfinity : 2;

      Double A = phi_q.cast<double>() * phi_k.cast<double>().transpose();
      if (causal) A = A.triangularView<Eigen::Lower>();
      Double wanted = A * V.cast<double>();
      if (normalize) {
        for (Index i = 0; i < n; ++i) {
          const double sum = A.row(i).sum() + static_cast<double>(epsilon) +
                             static_cast<double>(key_epsilon) * phi_q.row(i).cast<double>().sum();
          wanted.row(i) /= std::max(sum, static_cast<double>(least));
        }
      }
      Matrix<> out(n, d_v), s = Matrix<>::Zero(D, d_v);
      Vector<float> z = Vector<float>::Zero(D);
      simd::LinearAttention problem{.n = n,
                                    .m = m,
                                    .d = d,
                                    .dv = d_v,
                                    .features = D,
                                    .map = map,
                                    .q = Q.data(),
                                    .k = K.data(),
                                    .v = V.data(),
                                    .q_row = d,
                                    .k_row = d,
                                    .v_row = d_v,
                                    .causal = causal,
                                    .normalize = normalize,
                                    .epsilon = epsilon,
                                    .key_epsilon = key_epsilon,
                                    .least = least,
                                    .out = out.data(),
                                    .out_row = d_v,
                                    .s = s.data(),
                                    .z = z.data()};
      const double slack = 1e-4 * (1 + wanted.cwiseAbs().maxCoeff());
      if (!causal && key_epsilon == 0 && map.kind != simd::Feature::kRandomExp) {
        simd::LinearAttention without = problem;
        without.s = without.z = nullptr;
        run_exactly(set.linear_attention, set.linear_attention_floats, without);
        CHECK_CLOSE(out, wanted, 0, slack);
        out.setConstant(kNan);
      }
      // Causal attention runs in two pieces with the state carried over.
      const Index cut = causal ? static_cast<Index>(rng.below(static_cast<std::uint64_t>(n))) : 0;
      for (int piece = cut > 0 ? 0 : 1; piece < 2; ++piece) {
        const Index first = piece == 0 ? 0 : cut;
        problem.n = piece == 0 ? cut : n - cut;
        if (causal) problem.m = problem.n;
        problem.q = Q.data() + first * d;
        problem.k = K.data() + first * d;
        problem.v = V.data() + first * d_v;
        problem.out = out.data() + first * d_v;
        run_exactly(set.linear_attention, set.linear_attention_floats, problem);
      }
      CHECK_CLOSE(out, wanted, 0, slack);
      const Double state = phi_k.cast<double>().transpose() * V.cast<double>();
      CHECK_CLOSE(s, state, 0, 1e-5 * (1 + state.cwiseAbs().maxCoeff()));
      const Vector<double> sums = phi_k.cast<double>().colwise().sum().transpose();
      CHECK_CLOSE(z, sums, 1e-5, 1e-5);
    }
  });
}

TEST_CASE("the largest magnitude finds entries that are not finite at any position") {
  for_each_set([](const simd::Kernels& set) {
    for (const Index cols : {1, 3, 16, 37}) {
      Matrix<> x = random(5, cols + 1, static_cast<std::uint64_t>(cols));
      CHECK(set.largest_magnitude(x.data(), 5, cols, cols + 1) ==
            x.leftCols(cols).cwiseAbs().maxCoeff());
      CHECK(set.largest_magnitude(x.data(), 5, cols + 1, cols + 1) == x.cwiseAbs().maxCoeff());
      x(4, cols - 1) = -kFloatInfinity;
      CHECK(set.largest_magnitude(x.data(), 5, cols, cols + 1) == kFloatInfinity);
      x(0, 0) = kNan;
      CHECK(std::isnan(set.largest_magnitude(x.data(), 5, cols, cols + 1)));
    }
    CHECK(set.largest_magnitude(nullptr, 0, 0, 0) == 0);
  });
}

TEST_CASE("sums over pairs of 120 drawn shapes: distances and χ², whole and above the diagonal") {
  for_each_set([](const simd::Kernels& set) {
    Rng rng(21);
    for (int round = 0; round < 120; ++round) {
      const bool upper = round % 3 == 0;
      const Index rows = drawn_size(rng, 70), d = drawn_size(rng, 40),
                  cols = upper ? rows : drawn_size(rng, 70);
      const Index wide = (cols + simd::kPairColumns - 1) / simd::kPairColumns * simd::kPairColumns;
      Matrix<> x = random(rows, d, static_cast<std::uint64_t>(round)).cwiseAbs();
      Matrix<> y = Matrix<>::Zero(d, wide);
      y.leftCols(cols) = random(d, cols, static_cast<std::uint64_t>(round) + 1000).cwiseAbs();
      // Empty bins: on one side, and on both.
      x(0, 0) = 0;
      y(0, 0) = 0;
      x(rows - 1, d - 1) = 0;
      for (const auto term : {simd::PairTerm::kAbsolute, simd::PairTerm::kChiSquared}) {
        CAPTURE(round);
        Matrix<> out = Matrix<>::Constant(rows, cols + 1, -1);
        set.pair_sums(
            {term, rows, cols, d, x.data(), d, y.data(), wide, out.data(), cols + 1, upper});
        double worst = 0;
        for (Index i = 0; i < rows; ++i) {
          for (Index j = upper ? i : 0; j < cols; ++j) {
            double wanted = 0;
            for (Index c = 0; c < d; ++c) {
              const double a = static_cast<double>(x(i, c)), b = static_cast<double>(y(c, j));
              if (term == simd::PairTerm::kAbsolute) wanted += std::abs(a - b);
              if (term == simd::PairTerm::kChiSquared && a + b > 0) {
                wanted += (a - b) * (a - b) / (a + b);
              }
            }
            // One rounding for each of d additions, and a few for each term.
            const double room = 1.2e-7 * static_cast<double>(d + 4) * wanted;
            worst = std::max(worst, std::abs(static_cast<double>(out(i, j)) - wanted) - room);
          }
        }
        CHECK(worst <= 0);
        // Nothing is written beyond the last column.
        CHECK(out.col(cols) == Vector<>::Constant(rows, -1));
      }
    }
  });
}

TEST_CASE("no less accurate than plain float32 loops: GEMM, attention, linear attention") {
  // The results in float64 are taken as the truth; plain loops round as the definition is written.
  const Index n = 200, d = 64;
  const Matrix<> Q = random(n, d, 1), K = random(n, d, 2), V = random(n, d, 3);
  Matrix<> scores(n, n), plain(n, d), plain_linear(n, d);
  const float scale = 0.125F;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      float sum = 0;
      for (Index k = 0; k < d; ++k) sum += Q(i, k) * K(j, k);
      scores(i, j) = sum;
    }
    float largest = -kFloatInfinity, total = 0;
    for (Index j = 0; j < n; ++j) largest = std::max(largest, scale * scores(i, j));
    plain.row(i).setZero();
    for (Index j = 0; j < n; ++j) {
      const float w = std::exp(scale * scores(i, j) - largest);
      total += w;
      for (Index k = 0; k < d; ++k) plain(i, k) += w * V(j, k);
    }
    plain.row(i) /= total;
  }
  const auto elu = [](float x) { return x > 0 ? x + 1 : std::exp(x); };
  const Matrix<> phi_q = Q.unaryExpr(elu), phi_k = K.unaryExpr(elu);
  Matrix<> state = Matrix<>::Zero(d, d);
  Vector<float> sums = Vector<float>::Zero(d);
  for (Index j = 0; j < n; ++j) {
    for (Index f = 0; f < d; ++f) {
      sums(f) += phi_k(j, f);
      for (Index k = 0; k < d; ++k) state(f, k) += phi_k(j, f) * V(j, k);
    }
  }
  for (Index i = 0; i < n; ++i) {
    float total = 0;
    plain_linear.row(i).setZero();
    for (Index f = 0; f < d; ++f) {
      total += phi_q(i, f) * sums(f);
      for (Index k = 0; k < d; ++k) plain_linear(i, k) += phi_q(i, f) * state(f, k);
    }
    plain_linear.row(i) /= total;
  }
  const Double true_scores = Q.cast<double>() * K.cast<double>().transpose();
  const Reference truth(Q, K, V, V, 0.125, Matrix<>::Ones(n, n));
  const auto true_elu = [](double x) { return x > 0 ? x + 1 : std::exp(x); };
  const Double tq = Q.cast<double>().unaryExpr(true_elu), tk = K.cast<double>().unaryExpr(true_elu);
  Double true_linear = tq * Double(tk.transpose() * V.cast<double>());
  true_linear.array().colwise() /= (tq * tk.colwise().sum().transpose()).array().col(0);

  const Deviation plain_gemm(scores, true_scores), plain_attention(plain, truth.output),
      plain_linear_attention(plain_linear, true_linear);
  for_each_set([&](const simd::Kernels& set) {
    Matrix<> out(n, n), attended(n, d), linear(n, d), s(d, d);
    Vector<float> z(d);
    run_exactly(set.gemm, set.gemm_floats,
                {n, n, d, Q.data(), K.data(), d, 1, 1, d, out.data(), n});
    run_exactly(set.attention, set.attention_floats,
                {.n = n,
                 .m = n,
                 .d = d,
                 .dv = d,
                 .heads = 1,
                 .q = Q.data(),
                 .k = K.data(),
                 .v = V.data(),
                 .q_row = d,
                 .k_row = d,
                 .v_row = d,
                 .q_head = 0,
                 .scale = scale,
                 .sight = {-n, n, 1, n, nullptr},
                 .out = attended.data(),
                 .out_row = d,
                 .out_head = 0,
                 .log_sum_exp = nullptr,
                 .weights = nullptr});
    run_exactly(set.linear_attention, set.linear_attention_floats,
                {.n = n,
                 .m = n,
                 .d = d,
                 .dv = d,
                 .features = d,
                 .map = {simd::Feature::kEluPlusOne, 1},
                 .q = Q.data(),
                 .k = K.data(),
                 .v = V.data(),
                 .q_row = d,
                 .k_row = d,
                 .v_row = d,
                 .causal = false,
                 .normalize = true,
                 .epsilon = 0,
                 .key_epsilon = 0,
                 .least = -kFloatInfinity,
                 .out = linear.data(),
                 .out_row = d,
                 .s = s.data(),
                 .z = z.data()});
    const auto compare = [](const std::string& what, const Deviation& got, const Deviation& loop) {
      CAPTURE(what);
      MESSAGE(what, ": max ", got.most, " (loop ", loop.most, "), rms ", got.rms, " (loop ",
              loop.rms, ")");
      // Rounding varies with the order of the sums: the factors 1.3 and 1.1 allow for another
      // order.
      CHECK(got.most <= 1.3 * loop.most);
      CHECK(got.rms <= 1.1 * loop.rms);
    };
    compare("GEMM", Deviation(out, true_scores), plain_gemm);
    compare("attention", Deviation(attended, truth.output), plain_attention);
    compare("linear attention", Deviation(linear, true_linear), plain_linear_attention);
  });
}

TEST_CASE("the arena keeps its memory: repeating a call allocates nothing") {
  static simd::Arena arena;
  constexpr std::size_t kFirst = simd::Arena::kFirst * sizeof(float);
  CHECK(arena.bytes() == kFirst);
  float* const small = arena.reserve(10);
  CHECK(reinterpret_cast<std::uintptr_t>(small) % 64 == 0);
  CHECK(arena.reserve(simd::Arena::kFirst) == small);
  CHECK(arena.bytes() == kFirst);
  float* const large = arena.reserve(100000);
  CHECK(reinterpret_cast<std::uintptr_t>(large) % 64 == 0);
  CHECK(arena.bytes() == 400000);
  CHECK(arena.reserve(100000) == large);
  CHECK(arena.reserve(10) == large);
  CHECK(arena.bytes() == 400000);
  arena.reserve(200000);
  CHECK(arena.bytes() == 800000);
  arena.clear();
  CHECK(arena.bytes() == kFirst);
  CHECK(arena.reserve(10) == small);
}

TEST_CASE("the fastest set that runs here is chosen, and another can be selected") {
  CHECK(&simd::kernels() == simd::kernel_sets().back());
  CHECK(simd::kernel_sets().front()->lanes <= simd::kernels().lanes);
  simd::use_kernels(*simd::kernel_sets().front());
  CHECK(&simd::kernels() == simd::kernel_sets().front());
  simd::use_kernels(*simd::kernel_sets().back());
}

TEST_SUITE_END();
