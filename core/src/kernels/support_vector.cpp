#include "attn/kernels/support_vector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "attn/base/errors.hpp"
#include "attn/kernels/learning_phrases.hpp"
#include "kernels/dense.hpp"

namespace attn {
namespace internal {

/// The variables that take part, and the matrix between their points.
template <typename T>
struct SmoVariables {
  /// Shared with copies, and never changed.
  std::shared_ptr<const Matrix<T>> K;
  Vector<double> sign, alpha;
  /// −sign∘gradient. At the optimum no variable that can rise has a higher score than one that can
  /// fall, where rising is moving α by its sign.
  Vector<double> score;
  Vector<double> diagonal;
  /// 0 for a variable that can rise, or fall; −∞ and ∞ for one that cannot.
  Vector<double> not_rising, not_falling;

  Index points() const { return K->rows(); }

  /// Those at some of the points.
  SmoVariables at(const std::vector<Index>& some) const {
    const Index n = points(), few = static_cast<Index>(some.size());
    Matrix<T> matrix(few, few);
    for (Index i = 0; i < few; ++i) {
      const T* const row = K->data() + some[static_cast<std::size_t>(i)] * n;
      T* const to = matrix.data() + i * few;
      for (Index j = 0; j < few; ++j) to[j] = row[some[static_cast<std::size_t>(j)]];
    }
    const auto of = [&](const Vector<double>& all) {
      Vector<double> made(all.size() / n * few);
      for (Index t = 0; t < made.size(); ++t) {
        made(t) = all(t / few * n + some[static_cast<std::size_t>(t % few)]);
      }
      return made;
    };
    return {std::make_shared<const Matrix<T>>(std::move(matrix)),
            of(sign),
            of(alpha),
            of(score),
            of(diagonal),
            of(not_rising),
            of(not_falling)};
  }
};

/// min ½αᵀQα + pᵀα with signᵀα = 0 and 0 ≤ α ≤ C, for Q_st = sign_s·sign_t·K_st. Variables are
/// blocks of N over the same points: one for classification, two for regression. In float64, except
/// for the matrix.
///
/// With many points it shrinks the problem, as LIBSVM does: points whose variables are at a bound
/// and that no pair would take are left out, with their rows and columns, until the others have
/// converged. Then all of them are asked again, so that what is left out never decides.
template <typename T>
struct SmoSolver : private SmoVariables<T> {
  SmoSolver(Matrix<T> gram, Vector<double> targets, Vector<double> signs, Vector<double> linear,
            const SupportVectorOptions& how)
      : options(how), y(std::move(targets)), p(std::move(linear)) {
    const Index size = signs.size();
    diagonal = gram.diagonal().template cast<double>();
    K = std::make_shared<const Matrix<T>>(std::move(gram));
    sign = std::move(signs);
    alpha = Vector<double>::Zero(size);
    score = -sign.cwiseProduct(p);
    not_rising.resize(size);
    not_falling.resize(size);
    for (Index t = 0; t < size; ++t) note_bounds(t);
    choose();
    first_gap = gap;
  }

  using SmoVariables<T>::K;
  using SmoVariables<T>::sign;
  using SmoVariables<T>::alpha;
  using SmoVariables<T>::score;
  using SmoVariables<T>::diagonal;
  using SmoVariables<T>::not_rising;
  using SmoVariables<T>::not_falling;
  using SmoVariables<T>::points;

  bool done() const {
    return steps >= options.max_steps || (kept.empty() && gap <= options.tolerance);
  }

  bool step(Index pairs) {
    for (Index s = 0; s < std::max<Index>(pairs, 1) && !done(); ++s) {
      move();
      choose();
      shrink();
    }
    return done();
  }

  /// A copy to which all points belong.
  SmoSolver whole() const {
    SmoSolver made = *this;
    made.restore();
    return made;
  }

  double progress() {
    if (done()) return 1;
    const double now = std::log(first_gap / gap) / std::log(first_gap / options.tolerance);
    furthest = std::max(furthest, std::clamp(now, 0.0, 0.99));
    return furthest;
  }

  /// The bias: the mean of the scores of free variables, or the middle of what is allowed.
  double bias() const {
    double sum = 0;
    Index free = 0;
    for (Index t = 0; t < alpha.size(); ++t) {
      if (alpha(t) > 0 && alpha(t) < options.C) sum += score(t), ++free;
    }
    return free > 0 ? sum / static_cast<double>(free) : (highest + lowest) / 2;
  }

  /// ½αᵀQα + pᵀα. The gradient Qα + p is −sign∘score.
  double objective() const { return 0.5 * alpha.dot(p - sign.cwiseProduct(score)); }

  void fill(SupportVectorState<T>& made) const {
    const Index n = points();
    Vector<double> weights = Vector<double>::Zero(n), function(n);
    for (Index t = 0; t < alpha.size(); ++t) weights(t % n) += sign(t) * alpha(t);
    const double b = bias();
    // K·weights = sign∘(Qα) = −score − sign∘p, the same in both blocks.
    for (Index t = 0; t < n; ++t) function(t) = -score(t) - sign(t) * p(t);
    made.coefficients = weights.template cast<T>();
    made.bias = b;
    made.decision = (function.array() + b).matrix().template cast<T>();
    made.dual_objective = -objective();
    made.norm_squared = weights.dot(function);
    made.gap = gap;
    made.converged = gap <= options.tolerance;
    made.steps = steps;
    for (Index t = 0; t < n; ++t) {
      double largest = 0;
      for (Index at = t; at < alpha.size(); at += n) largest = std::max(largest, alpha(at));
      made.support_vectors += largest > 0;
      made.bounded += largest >= options.C;
    }
    made.negative_curvature = negative_curvature;
    made.trace = trace;
  }

  SupportVectorOptions options;
  /// Of all points.
  Vector<double> y, p;
  double gap = 0;

  static constexpr double kNone = std::numeric_limits<double>::infinity();

  void note_bounds(Index t) {
    const bool above = alpha(t) > 0, below = alpha(t) < options.C;
    const bool rises = sign(t) > 0 ? below : above, falls = sign(t) > 0 ? above : below;
    not_rising(t) = rises ? 0 : -kNone;
    not_falling(t) = falls ? 0 : kNone;
  }

  /// The pair of the next step, and the gap. Which variables can move is as good as random to a
  /// processor, so a variable that cannot is no branch but an infinity that is added.
  void choose() {
    const Index n = points(), size = alpha.size();
    highest = -kNone;
    lowest = kNone;
    first = second = -1;
    for (Index t = 0; t < size; ++t) {
      const double s = score(t) + not_rising(t);
      if (s > highest) {
        highest = s;
        first = t;
      }
    }
    // ahead²/bend of the best so far, compared without a division.
    double best_square = 0, best_bend = 1;
    if (first >= 0) {
      const T* const row = K->data() + (first % n) * n;
      const double* const own = diagonal.data();
      const double here = diagonal(first % n), top = highest;
      double low = kNone;
      for (Index block = 0; block < size; block += n) {
        const double* const scores = score.data() + block;
        const double* const held = not_falling.data() + block;
        for (Index t = 0; t < n; ++t) {
          const double s = scores[t] + held[t], ahead = top - s;
          low = s < low ? s : low;
          const double square = ahead > 0 ? ahead * ahead : 0;
          const double bend = curvature(here, own[t], static_cast<double>(row[t]));
          if (square * best_bend > best_square * bend) {
            best_square = square;
            best_bend = bend;
            second = block + t;
          }
        }
      }
      lowest = low;
    }
    gap = second < 0 ? 0 : highest - lowest;
  }

  /// k(x_i, x_i) + k(x_j, x_j) − 2k(x_i, x_j), or a small number where that is not above 0, as for
  /// equal points: the step then goes as far as the bounds let it.
  static double curvature(double a, double b, double ab) {
    const double bend = a + b - 2 * ab;
    return bend > 0 ? bend : 1e-12;
  }

  void move() {
    const Index n = points(), i = first, j = second;
    const T* row_i = K->data() + (i % n) * n;
    const T* row_j = K->data() + (j % n) * n;
    const double a = diagonal(i % n), b = diagonal(j % n), ab = static_cast<double>(row_i[j % n]);
    const double bend = curvature(a, b, ab), ahead = score(i) - score(j);
    // Rounding of a float32 matrix can make the difference of equal numbers negative.
    if (a + b - 2 * ab < -1e-5 * (std::abs(a) + std::abs(b))) ++negative_curvature;
    const double C = options.C, i_before = alpha(i), j_before = alpha(j);
    const double room_i = sign(i) > 0 ? C - i_before : i_before;
    const double room_j = sign(j) > 0 ? j_before : C - j_before;
    const double length = std::min({ahead / bend, room_i, room_j});
    alpha(i) = length == room_i ? (sign(i) > 0 ? C : 0) : i_before + sign(i) * length;
    alpha(j) = length == room_j ? (sign(j) > 0 ? 0 : C) : j_before - sign(j) * length;
    note_bounds(i);
    note_bounds(j);
    for (Index block = 0; block < alpha.size(); block += n) {
      double* to = score.data() + block;
      for (Index t = 0; t < n; ++t) {
        to[t] -= length * (static_cast<double>(row_i[t]) - static_cast<double>(row_j[t]));
      }
    }
    ++steps;
    if (options.trace && static_cast<Index>(trace.size()) < kMaxSmoTrace) {
      const double gain = length * ahead - 0.5 * (a + b - 2 * ab) * length * length;
      trace.push_back({in_all(i), in_all(j), i_before, alpha(i), j_before, alpha(j), gap, gain});
    }
  }

  /// The number that a variable has among those of all points.
  Index in_all(Index t) const {
    if (kept.empty()) return t;
    return t / points() * everyone.points() + kept[static_cast<std::size_t>(t % points())];
  }

  /// With fewer points than that, a step costs less than its bookkeeping.
  static constexpr Index kLarge = 256;
  /// Steps between two looks for points that can be left out.
  static constexpr Index kLook = 300;

  void shrink() {
    if (!kept.empty() && gap <= (asked ? 1 : 10) * options.tolerance) {
      restore();
      // Near the end it is better known who matters: leave out anew, once.
      since = asked ? 0 : kLook;
      asked = true;
    } else if (++since > kLook && points() >= kLarge && !done()) {
      since = 0;
      leave_out();
    }
  }

  /// Whether no pair would take the variable: it can only fall and is above all that can rise, or
  /// can only rise and is below all that can fall.
  bool idle(Index t) const {
    const bool rises = not_rising(t) == 0, falls = not_falling(t) == 0;
    return rises != falls && (rises ? score(t) < lowest : score(t) > highest);
  }

  void leave_out() {
    const Index n = points();
    std::vector<Index> stay;
    for (Index t = 0; t < n; ++t) {
      bool all_idle = true;
      for (Index at = t; at < alpha.size(); at += n) all_idle = all_idle && idle(at);
      if (!all_idle) stay.push_back(t);
    }
    // The smaller matrix has to be worth its copying.
    if (4 * static_cast<Index>(stay.size()) > 3 * n) return;
    for (Index& t : stay) t = in_all(t);
    restore();
    everyone = *this;
    static_cast<SmoVariables<T>&>(*this) = everyone.at(stay);
    kept = std::move(stay);
    choose();
  }

  /// All points belong to the problem again. The scores of those that were left out follow from
  /// what the others' α have changed.
  void restore() {
    if (kept.empty()) return;
    const Index n = everyone.points(), few = points();
    std::vector<Index> moved;
    std::vector<double> by;
    for (Index t = 0; t < few; ++t) {
      double sum = 0;
      for (Index at = t; at < alpha.size(); at += few) {
        sum += sign(at) * (alpha(at) - everyone.alpha(in_all(at)));
      }
      if (sum == 0) continue;
      moved.push_back(in_all(t));
      by.push_back(sum);
    }
    for (Index t = 0; t < n; ++t) {
      const T* const row = everyone.K->data() + t * n;
      double change = 0;
      for (std::size_t s = 0; s < moved.size(); ++s) {
        change += by[s] * static_cast<double>(row[moved[s]]);
      }
      for (Index at = t; at < everyone.score.size(); at += n) everyone.score(at) -= change;
    }
    for (Index t = 0; t < alpha.size(); ++t) {
      const Index at = in_all(t);
      everyone.alpha(at) = alpha(t);
      everyone.score(at) = score(t);
      everyone.not_rising(at) = not_rising(t);
      everyone.not_falling(at) = not_falling(t);
    }
    static_cast<SmoVariables<T>&>(*this) = std::move(everyone);
    kept.clear();
    choose();
  }

  /// Where points have been left out: those that were not, and all of them as they were then.
  std::vector<Index> kept;
  SmoVariables<T> everyone;
  Index since = 0;
  bool asked = false;
  double highest = 0, lowest = 0, first_gap = 0, furthest = 0;
  Index first = -1, second = -1, steps = 0, negative_curvature = 0;
  std::vector<SmoStep> trace;
};

namespace {

template <typename T>
void require_options(In<T> gram, const SupportVectorOptions& options) {
  require_gram<T>("gram", gram);
  require_positive("C", options.C);
  require_positive("tolerance", options.tolerance);
  if (options.max_steps < 0) {
    throw ValueError("max_steps", phrase::number(options.max_steps), phrase::at_least(0));
  }
}

}  // namespace
}  // namespace internal

template <typename T>
SupportVectorClassifier<T>::SupportVectorClassifier(Matrix<T> gram, InVector<T> y,
                                                    const SupportVectorOptions& options) {
  internal::require_options<T>(gram, options);
  internal::require_labels<T>("y", y, gram.rows());
  if (y.minCoeff() == y.maxCoeff()) {
    throw ValueError("y", phrase::only_label(static_cast<double>(y(0))),
                     phrase::points_of_both_labels);
  }
  const Vector<double> sign = y.template cast<double>();
  solver_ = std::make_unique<internal::SmoSolver<T>>(
      std::move(gram), sign, sign, Vector<double>::Constant(sign.size(), -1.0), options);
}

template <typename T>
SupportVectorClassifier<T>::~SupportVectorClassifier() = default;
template <typename T>
SupportVectorClassifier<T>::SupportVectorClassifier(SupportVectorClassifier&&) noexcept = default;
template <typename T>
SupportVectorClassifier<T>& SupportVectorClassifier<T>::operator=(
    SupportVectorClassifier&&) noexcept = default;

template <typename T>
bool SupportVectorClassifier<T>::step(Index pairs) {
  return solver_->step(pairs);
}
template <typename T>
double SupportVectorClassifier<T>::progress() const {
  return solver_->progress();
}

template <typename T>
SupportVectorClassification<T> SupportVectorClassifier<T>::result() const {
  SupportVectorClassification<T> made;
  const internal::SmoSolver<T> solver = solver_->whole();
  solver.fill(made);
  made.alpha = solver.alpha.template cast<T>();
  double slack = 0;
  Index right = 0;
  for (Index i = 0; i < made.decision.size(); ++i) {
    const double margin = solver.y(i) * static_cast<double>(made.decision(i));
    slack += std::max(0.0, 1 - margin);
    right += margin > 0;
  }
  made.primal_objective = 0.5 * made.norm_squared + solver.options.C * slack;
  made.accuracy = static_cast<double>(right) / static_cast<double>(made.decision.size());
  return made;
}

template <typename T>
SupportVectorRegressor<T>::SupportVectorRegressor(Matrix<T> gram, InVector<T> y, double epsilon,
                                                  const SupportVectorOptions& options) {
  internal::require_options<T>(gram, options);
  internal::require_targets<T>("y", y, gram.rows());
  if (!(epsilon >= 0) || !std::isfinite(epsilon)) {
    throw ValueError("epsilon", phrase::number(epsilon), phrase::number_of_at_least(0));
  }
  const Index n = gram.rows();
  const Vector<double> target = y.template cast<double>();
  Vector<double> sign(2 * n), linear(2 * n);
  sign << Vector<double>::Ones(n), -Vector<double>::Ones(n);
  linear << (epsilon - target.array()).matrix(), (epsilon + target.array()).matrix();
  solver_ =
      std::make_unique<internal::SmoSolver<T>>(std::move(gram), target, sign, linear, options);
}

template <typename T>
SupportVectorRegressor<T>::~SupportVectorRegressor() = default;
template <typename T>
SupportVectorRegressor<T>::SupportVectorRegressor(SupportVectorRegressor&&) noexcept = default;
template <typename T>
SupportVectorRegressor<T>& SupportVectorRegressor<T>::operator=(SupportVectorRegressor&&) noexcept =
    default;

template <typename T>
bool SupportVectorRegressor<T>::step(Index pairs) {
  return solver_->step(pairs);
}
template <typename T>
double SupportVectorRegressor<T>::progress() const {
  return solver_->progress();
}

template <typename T>
SupportVectorRegression<T> SupportVectorRegressor<T>::result() const {
  SupportVectorRegression<T> made;
  const internal::SmoSolver<T> solver = solver_->whole();
  solver.fill(made);
  const Index n = solver.points();
  made.alpha = solver.alpha.head(n).template cast<T>();
  made.alpha_star = solver.alpha.tail(n).template cast<T>();
  // ε is p's part that both blocks share.
  const double epsilon = 0.5 * (solver.p(0) + solver.p(n));
  double slack = 0;
  for (Index i = 0; i < n; ++i) {
    const double error = std::abs(static_cast<double>(made.decision(i)) - solver.y(i));
    slack += std::max(0.0, error - epsilon);
  }
  made.primal_objective = 0.5 * made.norm_squared + solver.options.C * slack;
  return made;
}

template <typename T>
double scale_gamma(In<T> X) {
  const Matrix<double> x = X.template cast<double>();
  const double mean = x.mean();
  return 1 / (static_cast<double>(x.cols()) * (x.array() - mean).square().mean());
}

template double scale_gamma<float>(In<float>);
template double scale_gamma<double>(In<double>);

template class SupportVectorClassifier<float>;
template class SupportVectorClassifier<double>;
template class SupportVectorRegressor<float>;
template class SupportVectorRegressor<double>;

}  // namespace attn
