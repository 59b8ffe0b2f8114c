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

template <typename T>
struct Rates {
  T first, second, first_rest, second_rest, pace, spread, kept, epsilon;
};

/// Plain pointers that are known to differ and no branches, so that the loop becomes one of
/// vectors.
template <bool kSomeDecay, typename T>
void update(const Rates<T> &x, Index size, const T *__restrict g, const T *__restrict decays,
            T *__restrict p, T *__restrict m, T *__restrict v) {
  for (Index i = 0; i < size; ++i) {
    m[i] = x.first * m[i] + x.first_rest * g[i];
    v[i] = x.second * v[i] + x.second_rest * g[i] * g[i];
    const T kept = kSomeDecay ? decays[i] * x.kept + (T{1} - decays[i]) : x.kept;
    p[i] = p[i] * kept - x.pace * m[i] / (std::sqrt(v[i]) * x.spread + x.epsilon);
  }
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
  const Rates<T> rates{
      .first = static_cast<T>(options_.beta1),
      .second = static_cast<T>(options_.beta2),
      // 1 − β in float64: in float32 the last digits of 1 − 0.999 are wrong.
      .first_rest = static_cast<T>(1 - options_.beta1),
      .second_rest = static_cast<T>(1 - options_.beta2),
      .pace = static_cast<T>(rate / (1 - std::pow(options_.beta1, t))),
      .spread = static_cast<T>(1 / std::sqrt(1 - std::pow(options_.beta2, t))),
      .kept = static_cast<T>(1 - rate * options_.weight_decay),
      .epsilon = static_cast<T>(options_.epsilon),
  };
  if (decays.size() == 0) {
    update<false>(rates, m_.size(), gradients.data(), decays.data(), parameters.data(), m_.data(),
                  v_.data());
  } else {
    update<true>(rates, m_.size(), gradients.data(), decays.data(), parameters.data(), m_.data(),
                 v_.data());
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
