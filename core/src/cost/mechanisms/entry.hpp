#pragma once
// One entry of the registry of mechanisms: its description, its cost as a formula, the run that is
// counted, and the call that is timed. Private to the core.
//
// To add a mechanism: write its formula (a `Model` of the sizes) and its run into a file of this
// folder, and append its entry in the function at the end of that file. The tests run every entry
// and hold the formula to what the run counts. For a new file, add its function to registry.cpp.

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "attn/attention/kv_cache.hpp"
#include "attn/base/inputs.hpp"
#include "attn/base/rng.hpp"
#include "attn/cost/complexity.hpp"
#include "attn/cost/operation_count.hpp"
#include "attn/cost/trial.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "base/whole.hpp"
#include "cost/meter.hpp"
#include "linear_attention/feature_maps/entry.hpp"

namespace attn::internal {

/// A cost in numbers, not bytes, added up pass by pass in the order of the kernel.
struct Model {
  Whole multiply_adds, exps, read, written;
  /// The most numbers held at once.
  Whole peak;
  Whole inputs, outputs, state;
  /// The number of cells of a pattern with n rows; empty where there is no pattern.
  std::optional<Whole> cells;

  /// C = A·B with C rows×cols; `added`: C += A·B.
  void product(Whole rows, Whole depth, Whole cols, bool added = false);
  void pass(Whole numbers_read, Whole numbers_written);
  void in_place(Whole size) { pass(size, size); }
  /// Counts the additions of `size` numbers.
  void sum(Whole size);
  /// Adds the work (but not the memory) of `times` runs of another model.
  void add(const Model& other, Whole times = 1);
};

/// The sizes of `CostShape`, with its zeros replaced by defaults.
struct Sizes {
  Whole n, m, d, d_v, D, window, block, summary, k, chunk, query_tile, key_tile, heads, kv_heads,
      d_model;
  /// Set only for mechanisms with a feature map; `projections` is the number of rows of its
  /// projection.
  const Entry<float>* feature_map = nullptr;
  Whole projections = 0;
};

inline Index index(Whole x) { return static_cast<Index>(x.value()); }

/// One run: draws its inputs, measures one call, and reports the sizes of inputs, output and state.
template <typename T>
class Run {
 public:
  Run(const Sizes& sizes, std::uint64_t seed) : s(sizes), seed_(seed) {}

  /// The seed for other random objects, such as a pattern or the projection of a feature map.
  std::uint64_t seed() const { return seed_; }
  /// Draws an input of the call from N(0, 1); its bytes are counted as inputs.
  Matrix<T> draw(Index rows, Index cols) {
    cost.input_bytes += bytes(rows, cols);
    return Rng(seed_, stream_++).gaussian_matrix<T>(rows, cols);
  }
  Matrix<T> queries() { return draw(index(s.n), index(s.d)); }
  Matrix<T> keys() { return draw(index(s.m), index(s.d)); }
  Matrix<T> values() { return draw(index(s.m), index(s.d_v)); }

  /// Runs `call` under a meter. Its result has an `output` or gradients, or is a matrix.
  template <typename Call>
  auto measure(Call call) {
    const OperationMeter meter;
    auto result = call();
    if constexpr (requires { result.output; }) {
      cost.output_bytes = bytes_of(result.output);
    } else if constexpr (requires { result.d_weights; }) {
      const auto& w = result.d_weights;
      cost.output_bytes = bytes_of(result.d_X, result.d_Yk, result.d_Yv, w.Wq, w.Wk, w.Wv, w.Wo);
    } else if constexpr (requires { result.dQ; }) {
      cost.output_bytes = bytes_of(result.dQ, result.dK, result.dV);
    } else {
      cost.output_bytes = bytes_of(result);
    }
    const OperationCount count = meter.count(cost.output_bytes);
    cost.multiply_adds = count.multiply_adds;
    cost.exps = count.exps;
    cost.bytes_read = count.bytes_read;
    cost.bytes_written = count.bytes_written;
    cost.peak_bytes = meter.peak_bytes();
    cost.workspace_bytes = count.workspace_bytes;
    return result;
  }

  static std::uint64_t bytes(Index rows, Index cols) {
    return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(cols) * sizeof(T);
  }
  template <typename... Matrices>
  static std::uint64_t bytes_of(const Matrices&... all) {
    return (bytes(all.rows(), all.cols()) + ...);
  }
  /// The bytes of a cache with the m keys and values.
  std::uint64_t cache_bytes(Whole kv_heads) const {
    return kv_cache_bytes(index(s.m), index(kv_heads), index(s.d), index(s.d_v), KvStorage::kExact,
                          sizeof(T));
  }

  const Sizes& s;
  Cost cost;

 private:
  std::uint64_t seed_, stream_ = 0;
};

/// The inputs and options of a call that is timed.
template <typename T>
struct TrialInputs {
  Qkv<T> qkv;
  const TrialOptions& options;
};

template <typename T>
struct Mechanism {
  MechanismInfo info;
  /// The formula of the cost.
  Model (*model)(const Sizes& s);
  /// Draws inputs of these sizes and measures one call.
  void (*run)(Run<T>& run);
  /// Makes the call that is timed, with its inputs in place; the call returns one number of its
  /// result. nullptr: this mechanism is not timed.
  std::function<T()> (*timed)(TrialInputs<T>&& given) = nullptr;
  /// Whether the mechanism requires n = m.
  bool square = false;
  /// Whether the mechanism requires n to be a multiple of the block.
  bool block_divides = false;
  /// The feature map that replaces the one of the shape.
  std::string_view feature_map = {};
  /// Whether the mechanism is a float32 kernel, which exists for no other type.
  bool float32_only = false;
  /// The name of a size that must be at least 1 although it may be 0 for other mechanisms; empty:
  /// none.
  std::string_view at_least_one = {};
};

/// One table for each scalar type, so that a program that counts only in float32 contains no
/// float64 run.
template <typename T>
std::span<const Mechanism<T>> mechanism_registry();

/// @throws ValueError listing the known ids.
template <typename T>
const Mechanism<T>& find_mechanism(std::string_view id);

/// @throws as `cost_of`
template <typename T>
Sizes resolve(const Mechanism<T>& mechanism, const CostShape& shape);

// The files of this folder. Each function appends its mechanisms.

template <typename T>
void add_softmax_mechanisms(std::vector<Mechanism<T>>& all);
template <typename T>
void add_fused_mechanisms(std::vector<Mechanism<T>>& all);
template <typename T>
void add_pattern_mechanisms(std::vector<Mechanism<T>>& all);
template <typename T>
void add_hierarchical_mechanisms(std::vector<Mechanism<T>>& all);
template <typename T>
void add_linear_mechanisms(std::vector<Mechanism<T>>& all);
template <typename T>
void add_layer_mechanisms(std::vector<Mechanism<T>>& all);

// Helpers that several files use.

inline Whole max(std::initializer_list<Whole> all) { return std::max(all); }
/// The number of entries of Q, K and V.
inline Whole inputs_of(const Sizes& s) { return s.n * s.d + s.m * (s.d + s.d_v); }
/// The number of entries of the keys and values of earlier tokens.
inline Whole kv_state(const Sizes& s, Whole tokens) { return tokens * (s.d + s.d_v); }
/// The model of one head of `attention`; the mask keeps `seen` cells.
Model dense(const Sizes& s, Whole seen);
Model standard_backward(const Sizes& s);
Model linear(const Sizes& s);

inline constexpr std::string_view kDense = R"(nm(d+d_v))", kParallel = R"((n+m)D(d_v+1))",
                                  kFeaturesHeld = R"((n+2m)D)";
inline constexpr MechanismParameter kKeys{"m", "keys"};
inline constexpr MechanismParameter kMap{"feature_map", "which φ"};
inline constexpr MechanismParameter kFeatures{"D", "features of a random φ"};

/// The map of the sizes, with that number of random features.
template <typename T>
FeatureMap<T> map_for(const Run<T>& run) {
  FeatureMapOptions<T> how;
  how.seed = run.seed();
  const FeatureMapInfo& info = run.s.feature_map->info;
  if (info.random) how.parameters = {{"features", static_cast<double>(run.s.projections.value())}};
  return FeatureMap<T>(info.id, index(run.s.d), how);
}

template <typename T>
T corner(const Matrix<T>& x) {
  return x(x.rows() - 1, x.cols() - 1);
}

/// The map of a trial, with the number of random features of its options.
template <typename T>
FeatureMap<T> map_of_trial(const TrialInputs<T>& given, std::string_view id) {
  FeatureMapOptions<T> how;
  if (given.options.features && feature_map_info(id).random) {
    how.parameters = {{"features", static_cast<double>(*given.options.features)}};
  }
  return FeatureMap<T>(id, given.qkv.Q.cols(), std::move(how));
}

/// Makes the timed call of linear attention. Its result is written where the last call wrote its
/// own, so that a map which the kernel computes allocates nothing while the clock runs.
template <typename T>
std::function<T()> timed_linear(TrialInputs<T>&& given, FeatureMap<T> map,
                                const LinearAttentionOptions& how) {
  return [qkv = std::move(given.qkv), how, map = std::move(map),
          result = LinearAttentionResult<T>()]() mutable {
    linear_attention<T>(qkv.Q, qkv.K, qkv.V, map, how, nullptr, result);
    return corner<T>(result.output);
  };
}

}  // namespace attn::internal
