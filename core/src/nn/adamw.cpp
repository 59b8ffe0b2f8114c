#include "attn/nn/adamw.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "attn/base/errors.hpp"
#include "attn/nn/phrases.hpp"

namespace attn {
namespace {

void require_at_least_zero(const char *name, double x) {
  if (!(x >= 0) || !std::isfinite(x)) {
    throw ValueError(name, phrase::number(x), phrase::number_of_at_least(0));
  }
}

void require_share(const char *name, double x) {
  if (!(x >= 0 && x < 1)) throw ValueError(name, phrase::number(x), phrase::probability_range);
}

}  // namespace

template <typename T>
AdamW<T>::AdamW(Index size, const AdamWOptions &options) : options_(options) {
  if (size < 1) throw ValueError("size", phrase::number(size), phrase::at_least(1));
  require_at_least_zero("learning_rate", options.learning_rate);
  require_share("beta1", options.beta1);
  require_share("beta2", options.beta2);
  require_at_least_zero("epsilon", options.epsilon);
  require_at_least_zero("weight_decay", options.weight_decay);
  m_ = Vector<T>::Zero(size);
  v_ = Vector<T>::Zero(size);
}

template <typename T>
void AdamW<T>::step(Eigen::Ref<Vector<std::type_identity_t<T>>> parameters, InVector<T> gradients,
                    double rate, InVector<T> decays) {
  require_shape<T>("parameters", parameters.transpose(), 1, m_.size(),
                   phrase::entry_each_parameter);
  require_shape<T>("gradients", gradients.transpose(), 1, m_.size(), phrase::entry_each_parameter);
  if (decays.size() > 0) {
    require_shape<T>("decays", decays.transpose(), 1, m_.size(), phrase::entry_each_parameter);
  }
  ++steps_;
  const double t = static_cast<double>(steps_);
  const T first = static_cast<T>(options_.beta1), second = static_cast<T>(options_.beta2);
  // 1 − β in float64: in float32 the last digits of 1 − 0.999 are wrong.
  const T first_rest = static_cast<T>(1 - options_.beta1);
  const T second_rest = static_cast<T>(1 - options_.beta2);
  const T pace = static_cast<T>(rate / (1 - std::pow(options_.beta1, t)));
  const T spread = static_cast<T>(1 / std::sqrt(1 - std::pow(options_.beta2, t)));
  const T kept = static_cast<T>(1 - rate * options_.weight_decay);
  const T epsilon = static_cast<T>(options_.epsilon);
  // Plain pointers and no branches, so that the loop becomes one of vectors.
  T *const p = parameters.data(), *const m = m_.data(), *const v = v_.data();
  const T *const g = gradients.data(), *const decay = decays.size() == 0 ? nullptr : decays.data();
  const auto update = [&](auto kept_at) {
    for (Index i = 0; i < m_.size(); ++i) {
      m[i] = first * m[i] + first_rest * g[i];
      v[i] = second * v[i] + second_rest * g[i] * g[i];
      p[i] = p[i] * kept_at(i) - pace * m[i] / (std::sqrt(v[i]) * spread + epsilon);
    }
  };
  if (decay == nullptr) {
    update([&](Index) { return kept; });
  } else {
    update([&](Index i) { return decay[i] != 0 ? kept : T{1}; });
  }
}

template <typename T>
void AdamW<T>::step(Eigen::Ref<Vector<std::type_identity_t<T>>> parameters, InVector<T> gradients) {
  step(parameters, gradients, options_.learning_rate, Vector<T>());
}

template <typename T>
void AdamW<T>::restore(std::uint64_t steps, InVector<T> first_moment, InVector<T> second_moment) {
  require_shape<T>("first_moment", first_moment.transpose(), 1, m_.size(),
                   phrase::entry_each_parameter);
  require_shape<T>("second_moment", second_moment.transpose(), 1, m_.size(),
                   phrase::entry_each_parameter);
  steps_ = steps;
  m_ = first_moment;
  v_ = second_moment;
}

double cosine_schedule(Index step, Index steps, Index warm_up, double least) {
  if (steps < 1) throw ValueError("steps", phrase::number(steps), phrase::at_least(1));
  if (step < 0 || step >= steps) {
    throw ValueError("step", phrase::number(step), phrase::range(0, steps - 1));
  }
  if (warm_up < 0 || warm_up > steps) {
    throw ValueError("warm_up", phrase::number(warm_up), phrase::range(0, steps));
  }
  if (!(least >= 0 && least <= 1)) {
    throw ValueError("least", phrase::number(least), phrase::number_from_to(0, 1));
  }
  if (step < warm_up) return static_cast<double>(step + 1) / static_cast<double>(warm_up);
  const double part = static_cast<double>(step - warm_up) / static_cast<double>(steps - warm_up);
  return least + (1 - least) * (1 + std::cos(std::numbers::pi * part)) / 2;
}

template <typename T>
double clip_norm(Eigen::Ref<Vector<std::type_identity_t<T>>> gradients, double most) {
  if (!(most > 0)) throw ValueError("most", phrase::number(most), phrase::positive_number);
  // Four sums side by side, because each addition waits for the one before.
  std::array<double, 4> sums{};
  const T *const g = gradients.data();
  const Index size = gradients.size(), whole = size / 4 * 4;
  for (Index i = 0; i < whole; i += 4) {
    for (Index part = 0; part < 4; ++part) {
      const double entry = static_cast<double>(g[i + part]);
      sums[static_cast<std::size_t>(part)] += entry * entry;
    }
  }
  for (Index i = whole; i < size; ++i) sums[0] += double{g[i]} * double{g[i]};
  const double norm = std::sqrt((sums[0] + sums[1]) + (sums[2] + sums[3]));
  if (norm > most) gradients *= static_cast<T>(most / norm);
  return norm;
}

template class AdamW<float>;
template class AdamW<double>;
template double clip_norm<float>(Eigen::Ref<Vector<float>>, double);
template double clip_norm<double>(Eigen::Ref<Vector<double>>, double);

}  // namespace attn
