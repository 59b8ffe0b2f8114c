#include "simd/fused.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "attn/cost/operation_count.hpp"
#include "cost/meter.hpp"
#include "linear_attention/feature_maps/entry.hpp"
#include "simd/simd.hpp"

namespace attn::internal {
namespace {

float largest_magnitude(In<float> x) {
  return simd::largest_magnitude(x.data(), x.rows(), x.cols(), x.outerStride());
}

constexpr double kLargest = static_cast<double>(std::numeric_limits<float>::max()) / 16;

/// Whether nothing in the computation of scale·QKᵀ can overflow: not the scale, not Q times the
/// scale (in units of e or of 2), and not a sum of products.
bool scores_stay_finite(In<float> Q, In<float> K, float scale) {
  const double factor = 1 + std::abs(static_cast<double>(scale));
  const double q = static_cast<double>(largest_magnitude(Q)) * factor;
  const double products =
      q * static_cast<double>(largest_magnitude(K)) * static_cast<double>(K.cols());
  return factor < kLargest && q < kLargest && products < kLargest;
}

/// Whether Σ e^{score − largest}·v cannot overflow, because the kernel divides at the end.
bool sums_stay_finite(In<float> V) {
  return static_cast<double>(largest_magnitude(V)) * static_cast<double>(V.rows()) < kLargest;
}

/// Beyond this log-sum-exp, its rounding becomes visible in the weights that a kernel computes from
/// it. The kernel sums scores in units of 2, so even a row of one key would not give the weight 1.
constexpr float kLargestLogSumExp = 1000;

bool is_moderate(const Vector<float>& log_sum_exp) {
  for (const float lse : log_sum_exp) {
    if (std::isfinite(lse) && std::abs(lse) > kLargestLogSumExp) return false;
  }
  return true;
}

/// The workspace of a kernel, as memory that a meter sees. The arena itself keeps its memory.
class Workspace {
 public:
  explicit Workspace(simd::Size floats) : bytes_(static_cast<std::size_t>(floats) * sizeof(float)) {
    OperationMeter::take(bytes_);
  }
  ~Workspace() { OperationMeter::give_back(bytes_); }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

 private:
  std::size_t bytes_;
};

/// The number of cells that a mask keeps; 0 without a meter, because counting them may cost a pass.
std::uint64_t kept_cells(const Mask& mask, Index n, Index m) {
  std::uint64_t kept = 0;
  if (!OperationMeter::active()) return kept;
  for (Index i = 0; i < n; ++i) kept += wide(mask.count(i, n, m));
  return kept;
}

simd::Sight sight_of(const Mask& mask, Index n, Index m) {
  // Memory outside the band is never touched.
  const Mask::Band band = mask.band(n, m);
  return {band.first, band.last, 1, mask.valid_keys(m), band.whole ? nullptr : mask.cells()};
}

/// Processes one query at a time, because a tile of queries would be mostly empty.
void attend_by_rows(const simd::Attention& x, const Mask& mask) {
  float* const spare = x.weights ? nullptr : simd::arena().reserve(x.m);
  const Workspace workspace(x.weights ? 0 : x.m);
  for (simd::Size h = 0; h < x.heads; ++h) {
    for (simd::Size i = 0; i < x.n; ++i) {
      const Index n = static_cast<Index>(x.n), m = static_cast<Index>(x.m);
      const Index query = static_cast<Index>(i);
      const simd::Size range[2] = {mask.begin(query, n, m), mask.end(query, n, m)};
      float* const weights = x.weights ? x.weights[h] + i * x.m : spare;
      simd::gathered_attention({1, x.d, x.dv, x.q + h * x.q_head + i * x.q_row, x.k, x.v, 0,
                                x.k_row, x.v_row, x.scale, range, nullptr,
                                x.out + h * x.out_head + i * x.out_row, 0,
                                x.log_sum_exp + h * x.n + i, weights});
      if (!x.weights) continue;
      std::fill(weights, weights + range[0], 0.0F);
      std::fill(weights + range[1], weights + x.m, 0.0F);
    }
  }
}

/// `weights` is null, or holds for each head the place of its n×m weights.
bool attend_heads(In<float> Q, Index heads, In<float> K, In<float> V, const Mask& mask, float scale,
                  float* output, Index output_row, float* log_sum_exp, float* const* weights) {
  const Index n = Q.rows(), m = K.rows(), d = K.cols(), d_v = V.cols();
  if (!scores_stay_finite(Q, K, scale) || !sums_stay_finite(V)) return false;
  const simd::Attention problem{.n = n,
                                .m = m,
                                .d = d,
                                .dv = d_v,
                                .heads = heads,
                                .q = Q.data(),
                                .k = K.data(),
                                .v = V.data(),
                                .q_row = Q.outerStride(),
                                .k_row = K.outerStride(),
                                .v_row = V.outerStride(),
                                .q_head = d,
                                .scale = scale,
                                .sight = sight_of(mask, n, m),
                                .out = output,
                                .out_row = output_row,
                                .out_head = d_v,
                                .log_sum_exp = log_sum_exp,
                                .weights = weights};
  if (n < kFewQueries && mask.is_range()) {
    attend_by_rows(problem, mask);
  } else {
    const Workspace workspace(simd::attention_floats(problem));
    simd::attention(problem);
  }
  const std::uint64_t kept = wide(heads) * kept_cells(mask, n, m);
  const std::uint64_t cells = weights ? wide(heads) * wide(n) * wide(m) : 0;
  note<float>({.multiply_adds = kept * wide(d + d_v),
               .exps = kept,
               .read = wide(Q.size()) + wide(K.size()) + wide(V.size()),
               .written = wide(heads) * wide(n) * wide(d_v) + cells});
  return true;
}

}  // namespace

template <>
bool fused_heads<float>(In<float> Q, In<float> K, In<float> V, const Mask& mask, float scale,
                        float* output, Index output_row, float* log_sum_exp,
                        std::span<Matrix<float>> weights) {
  std::vector<float*> cells;
  for (Matrix<float>& head : weights) {
    head.resize(Q.rows(), K.rows());
    cells.push_back(head.data());
  }
  return attend_heads(Q, static_cast<Index>(weights.size()), K, V, mask, scale, output, output_row,
                      log_sum_exp, cells.data());
}

template <>
bool fused_attention<float>(In<float> Q, In<float> K, In<float> V, const Mask& mask, float scale,
                            Matrix<float>& output, Vector<float>& log_sum_exp,
                            Matrix<float>* weights) {
  const Index n = Q.rows(), m = K.rows(), d_v = V.cols();
  output.resize(n, d_v);
  log_sum_exp.resize(n);
  if (weights) weights->resize(n, m);
  float* const cells = weights ? weights->data() : nullptr;
  return attend_heads(Q, 1, K, V, mask, scale, output.data(), d_v, log_sum_exp.data(),
                      weights ? &cells : nullptr);
}

template <typename T>
void softmax_rows(Eigen::Ref<Matrix<T>> scores, const Mask& mask, Index first_query, Index n,
                  T* log_sum_exp) {
  if (!kernels_run<T>()) {
    masked_softmax_rows<T>(scores, mask, first_query, n, log_sum_exp);
    return;
  }
  if constexpr (std::is_same_v<T, float>) {
    const Index m = scores.cols();
    mask.require_fits(n, m);
    for (Index r = 0; r < scores.rows(); ++r) {
      const Mask::Keys keys = mask.keys(first_query + r, n, m);
      float* const row = scores.row(r).data();
      keys.for_each_blocked([row](Index j) { row[j] = -std::numeric_limits<float>::infinity(); });
      simd::softmax_rows({1, m, row, m, keys.end, 0, log_sum_exp ? log_sum_exp + r : nullptr});
    }
  }
}

template void softmax_rows<float>(Eigen::Ref<Matrix<float>>, const Mask&, Index, Index, float*);
template void softmax_rows<double>(Eigen::Ref<Matrix<double>>, const Mask&, Index, Index, double*);

template <>
bool fused_attention_backward<float>(In<float> Q, In<float> K, In<float> V, In<float> dO,
                                     const Mask& mask, float scale,
                                     const Vector<float>& log_sum_exp,
                                     FlashGradients<float>& result) {
  if (!scores_stay_finite(Q, K, scale) || !is_moderate(log_sum_exp)) return false;
  const Index n = Q.rows(), m = K.rows(), d = Q.cols(), d_v = V.cols();
  const simd::AttentionBackward problem{n,
                                        m,
                                        d,
                                        d_v,
                                        Q.data(),
                                        K.data(),
                                        V.data(),
                                        dO.data(),
                                        Q.outerStride(),
                                        K.outerStride(),
                                        V.outerStride(),
                                        dO.outerStride(),
                                        scale,
                                        sight_of(mask, n, m),
                                        log_sum_exp.data(),
                                        result.row_dots.data(),
                                        result.dQ.data(),
                                        result.dK.data(),
                                        result.dV.data(),
                                        d,
                                        d,
                                        d_v};
  const Workspace workspace(simd::attention_backward_floats(problem));
  simd::attention_backward(problem);
  const std::uint64_t kept = kept_cells(mask, n, m);
  note<float>({.multiply_adds = kept * wide(3 * d + 2 * d_v),
               .exps = kept,
               .read = wide(Q.size()) + wide(K.size()) + wide(V.size()) + wide(dO.size()),
               .written = wide(Q.size()) + wide(K.size()) + wide(V.size())});
  return true;
}

template <>
bool fused_sparse_attention<float>(In<float> Q, In<float> K, In<float> V, const Pattern& pattern,
                                   float scale, Matrix<float>& output, Vector<float>& weights,
                                   Vector<float>& log_sum_exp) {
  if (!scores_stay_finite(Q, K, scale)) return false;
  const Index n = Q.rows(), d_v = V.cols();
  simd::gathered_attention({n, Q.cols(), d_v, Q.data(), K.data(), V.data(), Q.outerStride(),
                            K.outerStride(), V.outerStride(), scale, pattern.first_of_rows(),
                            pattern.keys(), output.data(), d_v, log_sum_exp.data(),
                            weights.data()});
  // Each pass is counted as in sparse_attention.cpp, over all rows.
  const std::uint64_t cells = wide(pattern.nnz()), out = wide(output.size());
  note<float>({.multiply_adds = cells * wide(Q.cols()),
               .read = wide(Q.size()) + cells * wide(Q.cols()),
               .written = cells});
  note<float>({.exps = exps_in(weights), .read = cells, .written = cells});
  note<float>(
      {.multiply_adds = cells * wide(d_v), .read = cells + cells * wide(d_v), .written = out});
  return true;
}

template <>
std::optional<simd::FeatureMap> fused_map<float>(const FeatureMap<float>& map) {
  const Entry<float>& entry = map.entry();
  if (!entry.kernel) return {};
  Kernel kernel = entry.kernel(Parameters{&entry.info, &map.options().parameters}, map.d_k());
  const Matrix<float>& projection = map.options().projection;
  if (kernel && projection.size() > 0) kernel->projection = projection.data();
  return kernel;
}

template <>
bool fused_linear_attention<float>(In<float> Q, In<float> K, In<float> V,
                                   const simd::FeatureMap& map, Index features,
                                   const LinearAttentionOptions& options,
                                   LinearAttentionResult<float>& result) {
  const float epsilon = static_cast<float>(options.epsilon);
  const DenominatorRule rule = options.denominator;
  result.output.resize(Q.rows(), V.cols());
  simd::LinearAttention problem{
      .n = Q.rows(),
      .m = K.rows(),
      .d = Q.cols(),
      .dv = V.cols(),
      .features = features,
      .map = map,
      .q = Q.data(),
      .k = K.data(),
      .v = V.data(),
      .q_row = Q.outerStride(),
      .k_row = K.outerStride(),
      .v_row = V.outerStride(),
      .causal = options.causal,
      .normalize = options.normalize,
      .epsilon = rule == DenominatorRule::kAdd ? epsilon : 0,
      .key_epsilon = rule == DenominatorRule::kAddToKeySum ? epsilon : 0,
      .least = rule == DenominatorRule::kClamp ? epsilon : -std::numeric_limits<float>::infinity(),
      .out = result.output.data(),
      .out_row = V.cols(),
      .s = result.state.s.data(),
      .z = result.state.z.data()};
  const bool by_weights = !options.keep_state && simd::weights_cost_less(problem);
  if (by_weights) problem.s = problem.z = nullptr;
  const Workspace workspace(simd::linear_attention_floats(problem));
  simd::linear_attention(problem);
  const std::uint64_t n = wide(Q.rows()), m = wide(K.rows()), D = wide(features);
  const std::uint64_t sums = options.normalize ? (n + m) * D : m * D;
  const std::uint64_t width = map.kind == simd::Feature::kTaylorCompact ? wide(Q.cols()) + 1 : D;
  note<float>({.multiply_adds = by_weights ? n * m * (width + wide(V.cols()) + 1)
                                           : (n + m) * D * wide(V.cols()) + sums,
               .exps = map.kind == simd::Feature::kEluPlusOne || map.kind == simd::Feature::kExp ||
                               map.kind == simd::Feature::kRandomExp
                           ? (n + m) * D
                           : 0,
               .read = wide(Q.size()) + wide(K.size()) + wide(V.size()),
               .written = wide(result.output.size())});
  return true;
}

template <>
bool fused_heads<double>(In<double>, In<double>, In<double>, const Mask&, double, double*, Index,
                         double*, std::span<Matrix<double>>) {
  return false;
}

template <>
bool fused_attention<double>(In<double>, In<double>, In<double>, const Mask&, double,
                             Matrix<double>&, Vector<double>&, Matrix<double>*) {
  return false;
}

template <>
bool fused_attention_backward<double>(In<double>, In<double>, In<double>, In<double>, const Mask&,
                                      double, const Vector<double>&, FlashGradients<double>&) {
  return false;
}

template <>
bool fused_sparse_attention<double>(In<double>, In<double>, In<double>, const Pattern&, double,
                                    Matrix<double>&, Vector<double>&, Vector<double>&) {
  return false;
}

template <>
std::optional<simd::FeatureMap> fused_map<double>(const FeatureMap<double>&) {
  return {};
}

template <>
bool fused_linear_attention<double>(In<double>, In<double>, In<double>, const simd::FeatureMap&,
                                    Index, const LinearAttentionOptions&,
                                    LinearAttentionResult<double>&) {
  return false;
}

}  // namespace attn::internal
