#include "attn/cost/trial.hpp"

#include <string>
#include <utility>

#include "attn/base/errors.hpp"
#include "attn/base/inputs.hpp"
#include "attn/base/machine.hpp"
#include "attn/kernels/kernel_features.hpp"
#include "attn/kernels/smoother.hpp"
#include "base/names.hpp"
#include "cost/mechanisms/entry.hpp"

namespace attn {
namespace {

constexpr std::string_view kPeak = "multiply_add_peak";
constexpr std::string_view kKernelSmoothing = "kernel_smoothing";
constexpr std::string_view kFeatureSmoothing = "feature_smoothing";
constexpr std::string_view kSmoothed = "rbf";
constexpr Index kFeatures = 64;
/// The number of rounds takes about 20 µs, as a short call of attention does.
constexpr std::uint64_t kPeakRounds = 4096;

Trial smoothing_trial(bool by_features, const TrialOptions& options) {
  auto x = gaussian_qkv<float>(options.n, options.d_k, options.d_v, options.seed);
  if (!by_features) {
    return {[x = std::move(x), kernel = Kernel<float>(kSmoothed)] {
              return nadaraya_watson<float>(kernel, x.Q, x.K, x.V).output(0, 0);
            },
            0, options.n};
  }
  auto drawn =
      draw_frequencies<float>(kSmoothed, {}, options.d_k, options.features.value_or(kFeatures),
                              FourierForm::kOffset, options.seed);
  return {[x = std::move(x), drawn = std::move(drawn)] {
            const Matrix<float> queries = fourier_features<float>(x.Q, drawn);
            const Matrix<float> keys = fourier_features<float>(x.K, drawn);
            return feature_smoothing<float>(queries, keys, x.V)(0, 0);
          },
          0, options.n};
}

}  // namespace

std::vector<std::string_view> timed_mechanisms() {
  std::vector<std::string_view> ids;
  for (const auto& mechanism : internal::mechanism_registry<float>()) {
    if (mechanism.timed) ids.push_back(mechanism.info.id);
  }
  ids.insert(ids.end(), {kPeak, kKernelSmoothing, kFeatureSmoothing});
  return ids;
}

Trial make_trial(std::string_view mechanism, const TrialOptions& options) {
  if (mechanism == kPeak) {
    return {[] { return multiply_add_peak(kPeakRounds).sum; },
            multiply_add_peak(1).multiply_adds * kPeakRounds};
  }
  if (mechanism == kKernelSmoothing || mechanism == kFeatureSmoothing) {
    return smoothing_trial(mechanism == kFeatureSmoothing, options);
  }
  for (const auto& entry : internal::mechanism_registry<float>()) {
    if (entry.info.id != mechanism || !entry.timed) continue;
    internal::TrialInputs<float> given{
        gaussian_qkv<float>(options.n, options.d_k, options.d_v, options.seed), options};
    given.qkv.Q *= static_cast<float>(options.factor);
    return {entry.timed(std::move(given)), 0, options.n};
  }
  throw ValueError(
      "mechanism", phrase::quoted(mechanism),
      phrase::one_of(internal::names_of(timed_mechanisms(), [](auto id) { return id; })));
}

}  // namespace attn
