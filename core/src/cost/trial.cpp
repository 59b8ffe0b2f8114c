#include "attn/cost/trial.hpp"

#include <string>
#include <utility>

#include "attn/base/errors.hpp"
#include "attn/base/inputs.hpp"
#include "attn/base/machine.hpp"
#include "base/names.hpp"
#include "cost/mechanisms/entry.hpp"

namespace attn {
namespace {

constexpr std::string_view kPeak = "multiply_add_peak";
/// The number of rounds takes about 20 µs, as a short call of attention does.
constexpr std::uint64_t kPeakRounds = 4096;

}  // namespace

std::vector<std::string_view> timed_mechanisms() {
  std::vector<std::string_view> ids;
  for (const auto& mechanism : internal::mechanism_registry<float>()) {
    if (mechanism.timed) ids.push_back(mechanism.info.id);
  }
  ids.push_back(kPeak);
  return ids;
}

Trial make_trial(std::string_view mechanism, const TrialOptions& options) {
  if (mechanism == kPeak) {
    return {[] { return multiply_add_peak(kPeakRounds).sum; },
            multiply_add_peak(1).multiply_adds * kPeakRounds};
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
