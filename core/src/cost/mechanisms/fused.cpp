// The float32 kernels of softmax and linear attention: one pass, with a workspace that depends on
// the lanes of this machine.

#include "simd/fused.hpp"

#include <algorithm>

#include "attn/attention/attention.hpp"
#include "attn/attention/flash_attention.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "cost/mechanisms/entry.hpp"
#include "simd/simd.hpp"

namespace attn::internal {
namespace {

Whole up(Whole x, std::uint64_t step) { return (x + (step - 1)) / step * step; }

/// The size of a piece of the workspace, rounded up so that the next piece is aligned to 64 bytes.
Whole piece(Whole floats) { return up(floats, 16); }

/// The workspace of simd/attention.cpp: K and V in panels of 4, a block of scores, and tiles of
/// queries.
Whole fused_workspace(const Sizes& s, bool weights) {
  if (s.n < kFewQueries) return weights ? Whole(0) : s.m;
  const std::uint64_t cols = 2 * static_cast<std::uint64_t>(simd::lanes());
  const Whole keys = up(s.m, 4), values = up(s.d_v, 4);
  const Whole tiles = weights ? Whole(1) : std::min(Whole(4), (s.n + (cols - 1)) / cols);
  const Whole block = weights ? keys : std::min(Whole(256), keys);
  return piece(keys * s.d) + piece(values * s.m) + piece(block * cols) + 2 * piece(cols) +
         tiles * (piece(s.d * cols) + piece(values * cols) + 2 * piece(cols));
}

/// The workspace of simd/linear_attention.cpp: the state in panels, z, and φ of 64 tokens.
Whole fused_linear_workspace(const Sizes& s) {
  const std::uint64_t cols = 2 * static_cast<std::uint64_t>(simd::lanes()), tokens = 64;
  const Whole features = up(s.D, 4), panels = (s.d_v + (cols - 1)) / cols;
  return piece(panels * features * cols) + 3 * piece(features) + 4 * piece(tokens * features) +
         2 * piece(tokens * cols) + piece(tokens);
}

/// The workspace of simd/attention_backward.cpp: Q and dO as panels and as rows, dQ, and for 64
/// keys their rows, tiles and gradients.
Whole fused_backward_workspace(const Sizes& s) {
  const std::uint64_t cols = 2 * static_cast<std::uint64_t>(simd::lanes()), queries = 64;
  const std::uint64_t tiles = std::max<std::uint64_t>(1, 64 / cols), keys = tiles * cols;
  const Whole n = up(s.n, 4), d = up(s.d, 4), d_v = up(s.d_v, 4), d_lanes = up(s.d, cols);
  const Whole tile = piece(s.d * cols) + piece(s.d_v * cols) + piece(d * cols) + piece(d_v * cols);
  return piece(n * s.d) + piece(n * s.d_v) + piece(s.n * d) + piece(s.n * d_v) +
         piece(n * d_lanes) + piece(keys * d_lanes) + 2 * piece(Whole(queries * cols)) +
         piece(Whole(queries * keys)) + piece(Whole(cols)) + tiles * tile;
}

Model fused_pass(const Sizes& s, Whole seen, bool weights) {
  Model model;
  model.multiply_adds = seen * (s.d + s.d_v);
  model.exps = seen;
  model.inputs = inputs_of(s);
  model.outputs = s.n * s.d_v;
  const Whole cells = weights ? s.n * s.m : Whole(0);
  model.pass(model.inputs, model.outputs + cells);
  model.peak = model.outputs + s.n + cells + fused_workspace(s, weights);
  model.state = kv_state(s, s.m);
  return model;
}

Model fused(const Sizes& s) { return fused_pass(s, s.n * s.m, false); }
Model fused_causal(const Sizes& s) { return fused_pass(s, triangle(s.n), false); }
Model fused_weights(const Sizes& s) { return fused_pass(s, s.n * s.m, true); }

/// Linear attention with ELU + 1, whose features are computed in the same pass.
Model fused_linear_pass(const Sizes& s) {
  Model model;
  model.multiply_adds = (s.n + s.m) * s.D * (s.d_v + 1);
  model.exps = (s.n + s.m) * s.D;
  model.inputs = inputs_of(s);
  model.outputs = s.n * s.d_v;
  model.pass(model.inputs, model.outputs);
  model.state = s.D * (s.d_v + 1);
  model.peak = model.outputs + model.state + fused_linear_workspace(s);
  return model;
}

Model fused_pass_backward(const Sizes& s, Whole seen) {
  Model model;
  model.sum(s.n * s.d_v);  // dO·O
  model.read += s.n * s.d_v;
  model.multiply_adds += seen * (3 * s.d + 2 * s.d_v);
  model.exps = seen;
  model.pass(inputs_of(s) + s.n * s.d_v, inputs_of(s));
  model.peak = inputs_of(s) + s.n + fused_backward_workspace(s);
  model.inputs = inputs_of(s) + 2 * s.n * s.d_v + s.n;
  model.outputs = inputs_of(s);
  return model;
}

Model fused_backward(const Sizes& s) { return fused_pass_backward(s, s.n * s.m); }
Model fused_causal_backward(const Sizes& s) { return fused_pass_backward(s, triangle(s.n)); }

/// The kernels run in float32; cost_of has refused other types.
template <typename T>
void run_fused(Run<T>& run, const Mask& mask, bool weights) {
  const Matrix<T> Q = run.queries(), K = run.keys(), V = run.values();
  const auto scale = static_cast<T>(attention_scale(std::nullopt, Q.cols()));
  run.measure([&] {
    AttentionResult<T> result;
    fused_attention<T>(Q, K, V, mask, scale, result.output, result.log_sum_exp,
                       weights ? &result.weights : nullptr);
    return result;
  });
  run.cost.state_bytes = run.cache_bytes(1);
}

template <typename T>
void run_fused_linear(Run<T>& run, bool causal) {
  const Matrix<T> Q = run.queries(), K = run.keys(), V = run.values();
  LinearAttentionOptions options;
  options.causal = causal;
  const auto made = run.measure([&] {
    LinearAttentionResult<T> result;
    result.state = LinearState<T>::zero(Q.cols(), V.cols());
    fused_linear_attention<T>(Q, K, V, {simd::Feature::kEluPlusOne, 1}, Q.cols(), options, result);
    return result;
  });
  run.cost.state_bytes = run.bytes_of(made.state.s, made.state.z);
}

template <typename T>
void run_fused_backward(Run<T>& run, const Mask& mask) {
  const Matrix<T> Q = run.queries(), K = run.keys(), V = run.values(),
                  dO = run.draw(Q.rows(), V.cols());
  const auto scale = static_cast<T>(attention_scale(std::nullopt, Q.cols()));
  FlashOptions<T> options;
  options.mask = mask;
  const FlashResult<T> forward = flash_attention<T>(Q, K, V, options);
  run.cost.input_bytes += run.bytes(Q.rows(), V.cols()) + run.bytes(Q.rows(), 1);
  run.measure([&] {
    FlashGradients<T> result;
    result.dQ.resize(Q.rows(), Q.cols());
    result.dK.resize(K.rows(), K.cols());
    result.dV.resize(V.rows(), V.cols());
    result.row_dots = dO.cwiseProduct(forward.output).rowwise().sum();
    const std::uint64_t size = wide(dO.size());
    note<T>({.multiply_adds = size, .read = 2 * size});
    fused_attention_backward<T>(Q, K, V, dO, mask, scale, forward.log_sum_exp, result);
    return result;
  });
}

// Results are written where the last call wrote its own, so nothing is allocated while the clock
// runs.

template <typename T>
std::function<T()> timed_flash(TrialInputs<T>&& given, const Mask& mask) {
  FlashOptions<T> how;
  how.mask = mask;
  return [qkv = std::move(given.qkv), how, result = FlashResult<T>()]() mutable {
    flash_attention<T>(qkv.Q, qkv.K, qkv.V, how, {}, result);
    return corner<T>(result.output);
  };
}

template <typename T>
std::function<T()> timed_weights(TrialInputs<T>&& given) {
  return [qkv = std::move(given.qkv), result = AttentionResult<T>()]() mutable {
    attention<T>(qkv.Q, qkv.K, qkv.V, {}, result);
    return corner<T>(result.output);
  };
}

}  // namespace

template <typename T>
void add_fused_mechanisms(std::vector<Mechanism<T>>& all) {
  all.push_back(
      {.info = {.id = "fused",
                .label = "Softmax attention, fused (as it runs here)",
                .multiply_adds_tex = kDense,
                .memory_tex = R"(n\,d_v+m(d+d_v))",
                .parameters = {kKeys}},
       .model = fused,
       .run = [](Run<T>& run) { run_fused(run, Mask::full(), false); },
       .timed = [](TrialInputs<T>&& given) { return timed_flash(std::move(given), Mask::full()); },
       .float32_only = true});

  all.push_back(
      {.info = {.id = "fused_causal",
                .label = "Causal attention, fused (as it runs here)",
                .multiply_adds_tex = R"(\tfrac{n(n+1)}{2}(d+d_v))",
                .memory_tex = R"(n(d+2d_v))"},
       .model = fused_causal,
       .run = [](Run<T>& run) { run_fused(run, Mask::causal(), false); },
       .timed =
           [](TrialInputs<T>&& given) { return timed_flash(std::move(given), Mask::causal()); },
       .square = true,
       .float32_only = true});

  all.push_back({.info = {.id = "fused_weights",
                          .label = "Softmax attention with weights, fused (as it runs here)",
                          .multiply_adds_tex = kDense,
                          .memory_tex = "nm",
                          .parameters = {kKeys}},
                 .model = fused_weights,
                 .run = [](Run<T>& run) { run_fused(run, Mask::full(), true); },
                 .timed = &timed_weights<T>,
                 .float32_only = true});

  all.push_back({.info = {.id = "fused_linear",
                          .label = "Linear attention, ELU + 1, fused (as it runs here)",
                          .multiply_adds_tex = kParallel,
                          .memory_tex = R"(n\,d_v+2D\,d_v)",
                          .parameters = {kKeys}},
                 .model = fused_linear_pass,
                 .run = [](Run<T>& run) { run_fused_linear(run, false); },
                 .timed =
                     [](TrialInputs<T>&& given) {
                       FeatureMap<T> map = map_of_trial(given, "elu_plus_one");
                       return timed_linear(std::move(given), std::move(map), {});
                     },
                 .feature_map = "elu_plus_one",
                 .float32_only = true});

  all.push_back({.info = {.id = "fused_linear_causal",
                          .label = "Causal linear attention, ELU + 1, fused (as it runs here)",
                          .multiply_adds_tex = R"(2nD(d_v+1))",
                          .memory_tex = R"(n\,d_v+2D\,d_v)"},
                 .model = fused_linear_pass,
                 .run = [](Run<T>& run) { run_fused_linear(run, true); },
                 .timed =
                     [](TrialInputs<T>&& given) {
                       LinearAttentionOptions how;
                       how.causal = true;
                       FeatureMap<T> map = map_of_trial(given, "elu_plus_one");
                       return timed_linear(std::move(given), std::move(map), how);
                     },
                 .square = true,
                 .feature_map = "elu_plus_one",
                 .float32_only = true});

  all.push_back({.info = {.id = "fused_backward",
                          .label = "Softmax attention, fused, gradients (as it runs here)",
                          .multiply_adds_tex = R"(nm(3d+2d_v)+nd_v)",
                          .memory_tex = R"(n(4d+2d_v)+m(d+d_v))",
                          .parameters = {kKeys}},
                 .model = fused_backward,
                 .run = [](Run<T>& run) { run_fused_backward(run, Mask::full()); },
                 .float32_only = true});

  all.push_back({.info = {.id = "fused_causal_backward",
                          .label = "Causal attention, fused, gradients (as it runs here)",
                          .multiply_adds_tex = R"(\tfrac{n(n+1)}{2}(3d+2d_v)+nd_v)",
                          .memory_tex = R"(n(5d+3d_v))"},
                 .model = fused_causal_backward,
                 .run = [](Run<T>& run) { run_fused_backward(run, Mask::causal()); },
                 .square = true,
                 .float32_only = true});
}

template void add_fused_mechanisms<float>(std::vector<Mechanism<float>>&);
template void add_fused_mechanisms<double>(std::vector<Mechanism<double>>&);

}  // namespace attn::internal
