// Bindings of attn/machine.hpp, and trials: calls of the core that can be made again and again
// without anything crossing the boundary, to be timed from outside.

#include <emscripten/heap.h>

#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "attn/attention.hpp"
#include "attn/flash_attention.hpp"
#include "attn/machine.hpp"
#include "convert_full.hpp"
#include "errors.hpp"
#include "registry.hpp"

namespace attn::wasm {
namespace {

val kernel_info() {
  const KernelInfo info = attn::kernel_info();
  val result = val::object();
  result.set("name", text_to(info.name));
  result.set("lanes", static_cast<double>(info.lanes));
  result.set("fusedMultiplyAdd", info.fused_multiply_add);
  return result;
}

val memory_info() {
  val result = val::object();
  result.set("bytes", static_cast<double>(emscripten_get_heap_size()));
  result.set("limit", static_cast<double>(emscripten_get_heap_max()));
  return result;
}

val multiply_add_peak(val options) {
  const PeakRun run = attn::multiply_add_peak(seed_from(options, "rounds"));
  val result = val::object();
  result.set("multiplyAdds", static_cast<double>(run.multiply_adds));
  result.set("sum", static_cast<double>(run.sum));
  return result;
}

/// One call with its inputs in place.
struct Trial {
  /// Returns a number of the result.
  std::function<float()> call;
  /// Of one call of `multiply_add_peak`; 0 of anything else, which the cost model knows.
  double multiply_adds = 0;
  /// For what is said where memory ends.
  Index n = 0;
};

float corner(const Matrix<float>& x) { return x(x.rows() - 1, x.cols() - 1); }

/// Some 20 µs, as a short call of attention.
constexpr std::uint64_t kPeakRounds = 4096;

// Results go where those of the call before were: nothing is allocated while the clock runs.

std::function<float()> softmax_call(const std::string& mechanism, Qkv<float> qkv) {
  if (mechanism == "fused_weights") {
    return [qkv = std::move(qkv), result = AttentionResult<float>()]() mutable {
      attention<float>(qkv.Q, qkv.K, qkv.V, {}, result);
      return corner(result.output);
    };
  }
  FlashOptions<float> how;
  if (mechanism == "fused_causal") how.mask = Mask::causal();
  return [qkv = std::move(qkv), how, result = FlashResult<float>()]() mutable {
    flash_attention<float>(qkv.Q, qkv.K, qkv.V, how, {}, result);
    return corner(result.output);
  };
}

std::function<float()> linear_call(const std::string& mechanism, Qkv<float> qkv, val options) {
  std::string id = "elu_plus_one";
  FeatureMapOptions<float> map;
  if (mechanism == "taylor_compact") {
    id = mechanism;
  } else if (mechanism == "performer") {
    id = "softmax_kernel";
    if (const auto features = optional_index(options, "D")) {
      map.parameters = {{"features", static_cast<double>(*features)}};
    }
  }
  LinearAttentionOptions how;
  how.causal = mechanism == "fused_linear_causal";
  FeatureMap<float> phi(id, qkv.Q.cols(), std::move(map));
  if (mechanism == "linear") {
    if (!is_undefined(options["featureMap"])) phi = feature_map_from(options, qkv.Q.cols());
    how.causal = flag_from(options, "causal", how.causal);
    how.normalize = flag_from(options, "normalize", how.normalize);
  }
  return [qkv = std::move(qkv), how, phi, result = LinearAttentionResult<float>()]() mutable {
    linear_attention<float>(qkv.Q, qkv.K, qkv.V, phi, how, nullptr, result);
    return corner(result.output);
  };
}

/// What `work` returns; where memory ends, an error that says at how many tokens.
template <typename Work>
auto in_memory(Index n, Work work) {
  const auto refuse = [n] {
    const std::size_t limit = emscripten_get_heap_max() >> 20;
    throw CapacityError("n", std::to_string(n) + " tokens",
                        "no more than fit in " + std::to_string(limit) +
                            " MiB of memory with all that is made of them");
  };
  try {
    return work();
  } catch (const std::bad_alloc&) {
    refuse();
  } catch (const std::length_error&) {
    refuse();
  }
  throw std::bad_alloc();
}

/// {mechanism, n, dK, dV, D, featureMap, causal, normalize, factor, seed}: N(0, 1) inputs, the
/// queries times `factor`.
/// @throws ShapeError, ValueError
std::shared_ptr<Trial> make_trial(val options) {
  require_object(options, "trial", "an object with a mechanism");
  constexpr const char* kPeak = "multiply_add_peak";
  const std::string mechanism = text_from(options, "mechanism");
  if (mechanism == kPeak) {
    const double once = static_cast<double>(attn::multiply_add_peak(1).multiply_adds);
    return std::make_shared<Trial>(
        Trial{[] { return attn::multiply_add_peak(kPeakRounds).sum; }, once * kPeakRounds, 0});
  }
  const bool softmax =
      mechanism == "fused" || mechanism == "fused_weights" || mechanism == "fused_causal";
  if (!softmax && mechanism != "linear" && mechanism != "fused_linear" &&
      mechanism != "fused_linear_causal" && mechanism != "taylor_compact" &&
      mechanism != "performer") {
    throw ValueError("mechanism", mechanism,
                     "fused, fused_weights, fused_causal, fused_linear, fused_linear_causal, "
                     "taylor_compact, performer, linear or multiply_add_peak");
  }
  const Index n = index_from(options, "n");
  return in_memory(n, [&] {
    Qkv<float> qkv = gaussian_qkv<float>(
        n, optional_index(options, "dK").value_or(64), optional_index(options, "dV").value_or(64),
        is_undefined(options["seed"]) ? 1 : seed_from(options, "seed"));
    qkv.Q *= static_cast<float>(optional_number(options, "factor").value_or(1));
    return std::make_shared<Trial>(Trial{softmax ? softmax_call(mechanism, std::move(qkv))
                                                 : linear_call(mechanism, std::move(qkv), options),
                                         0, n});
  });
}

float run_trial(Trial& trial, int times) {
  return in_memory(trial.n, [&] {
    float last = 0;
    for (; times > 0; --times) last = trial.call();
    return last;
  });
}

double multiply_adds_of(const Trial& trial) { return trial.multiply_adds; }

/// The rows of a matrix that was copied in.
double copy_in(val options) { return static_cast<double>(matrix_from(options["x"], "x").rows()); }

/// A matrix of zeros, copied out.
val copy_out(val options) {
  constexpr double kMost = 1 << 26;
  const Index rows = index_from(options, "rows"), cols = index_from(options, "cols");
  for (const auto& [name, size] : {std::pair{"rows", rows}, std::pair{"cols", cols}}) {
    if (size < 0 || static_cast<double>(rows) * static_cast<double>(cols) > kMost) {
      throw ValueError(name, std::to_string(size), "0 or more, and at most 2^26 entries in all");
    }
  }
  return matrix_to(Matrix<float>::Zero(rows, cols));
}

EMSCRIPTEN_BINDINGS(attn_machine) {
  bind<&kernel_info>("kernelInfo");
  bind<&memory_info>("memoryInfo");
  bind<&multiply_add_peak>("multiplyAddPeak");
  emscripten::class_<Trial>("Trial")
      .smart_ptr<std::shared_ptr<Trial>>("TrialPointer")
      .function("run", &guarded<&run_trial, Trial&, int>)
      .function("multiplyAdds", &guarded<&multiply_adds_of, const Trial&>);
  bind<&make_trial>("makeTrial");
  bind<&copy_in>("copyIn");
  bind<&copy_out>("copyOut");
}

}  // namespace
}  // namespace attn::wasm
