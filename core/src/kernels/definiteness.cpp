#include "attn/kernels/definiteness.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/analysis/phrases.hpp"
#include "attn/analysis/singular_values.hpp"
#include "attn/base/errors.hpp"
#include "attn/base/rng.hpp"
#include "attn/kernels/phrases.hpp"

namespace attn {
namespace {

using Solver = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;

/// From here on each try of a search has a stream of its own.
constexpr std::uint64_t kTryStreams = 4096;

}  // namespace

template <typename T>
double definiteness_tolerance(Index N) {
  return std::max(kDefinitenessTolerance,
                  static_cast<double>(N) * static_cast<double>(std::numeric_limits<T>::epsilon()));
}

template <typename T>
double quadratic_form(In<T> K, InVector<T> alpha) {
  if (K.rows() != K.cols()) {
    throw ShapeError("K", phrase::shape(K.rows(), K.cols()), phrase::square);
  }
  if (alpha.size() != K.rows()) {
    throw ShapeError("alpha", phrase::entries_seen(alpha.size()),
                     phrase::count_because(K.rows(), phrase::weight_each_point));
  }
  const Vector<double> a = alpha.template cast<double>();
  return a.dot(K.template cast<double>() * a);
}

template <typename T>
DefinitenessReport check_definiteness(In<T> K, double tolerance) {
  const Index n = K.rows();
  if (n < 1 || K.cols() != n) {
    throw ShapeError("K", phrase::shape(n, K.cols()), phrase::square);
  }
  if (n > kMaxDefinitenessRows) {
    throw CapacityError("K", phrase::shape(n, n), phrase::at_most_rows(kMaxDefinitenessRows));
  }
  if (!(tolerance >= 0 && tolerance < 1)) {
    throw ValueError("tolerance", phrase::number(tolerance), phrase::number_from_to_below(0, 1));
  }
  require_finite<T>("K", K);
  const Eigen::MatrixXd given = K.template cast<double>();
  const double skew = (given - given.transpose()).cwiseAbs().maxCoeff();
  if (!(skew <= kSymmetry * given.cwiseAbs().maxCoeff())) {
    throw ValueError("K", phrase::asymmetry(skew), phrase::symmetric);
  }
  const Eigen::MatrixXd symmetric = (given + given.transpose()) / 2;
  const Solver solver(symmetric);
  const Eigen::VectorXd& values = solver.eigenvalues();

  DefinitenessReport report;
  report.eigenvalues.assign(values.data(), values.data() + n);
  report.tolerance = tolerance == 0 ? definiteness_tolerance<T>(n) : tolerance;
  report.positive_semidefinite = values(0) >= -report.tolerance * values.cwiseAbs().maxCoeff();
  if (report.positive_semidefinite) return report;
  Eigen::VectorXd alpha = solver.eigenvectors().col(0);
  Index largest = 0;
  alpha.cwiseAbs().maxCoeff(&largest);
  if (alpha(largest) < 0) alpha = -alpha;
  report.witness.assign(alpha.data(), alpha.data() + n);
  report.form = alpha.dot(symmetric * alpha);
  return report;
}

WitnessSearch::WitnessSearch(Kernel<double> kernel, bool non_negative_points,
                             WitnessSearchOptions options)
    : kernel_(std::move(kernel)), non_negative_(non_negative_points), how_(options) {
  const auto within = [](const char* name, Index value, Index least, Index most) {
    if (value < least || value > most) {
      throw ValueError(name, phrase::number(value), phrase::range(least, most));
    }
  };
  within("points", how_.points, 2, kMaxWitnessPoints);
  within("d", how_.d, 1, 64);
  within("tries", how_.tries, 1, 1000000);
  if (!(how_.range > 0 && std::isfinite(how_.range))) {
    throw ValueError("range", phrase::number(how_.range), phrase::positive_number);
  }
}

Matrix<double> WitnessSearch::draw(Index at) const {
  Rng rng(how_.seed, kTryStreams + static_cast<std::uint64_t>(at));
  const auto coordinate = [&](double size) {
    return non_negative_ ? rng.uniform() * size : (2 * rng.uniform() - 1) * size;
  };
  if (at < (how_.tries + 1) / 2 || best_.size() == 0) {
    // Sets of every size, because a function can look like a kernel near 0 and fail farther away.
    const double size = how_.range * std::pow(0.05, rng.uniform());
    Matrix<double> X(how_.points, how_.d);
    for (double& x : X.reshaped()) x = coordinate(size);
    return X;
  }
  Matrix<double> X = best_;
  const auto row = static_cast<Index>(rng.below(static_cast<std::uint64_t>(how_.points)));
  const double size = how_.range * std::pow(1e-3, rng.uniform());
  const double least = non_negative_ ? 0 : -how_.range;
  for (Index c = 0; c < how_.d; ++c) {
    X(row, c) = std::clamp(X(row, c) + (2 * rng.uniform() - 1) * size, least, how_.range);
  }
  return X;
}

double WitnessSearch::smallest_share(const Matrix<double>& X) const {
  const Eigen::VectorXd values =
      Solver(Eigen::MatrixXd(kernel_.gram(X)), Eigen::EigenvaluesOnly).eigenvalues();
  const double largest = values.cwiseAbs().maxCoeff();
  return largest > 0 ? values(0) / largest : 0;
}

bool WitnessSearch::step(int amount) {
  for (int i = 0; i < amount && tried_ < how_.tries; ++i, ++tried_) {
    // The page receives float32, so these are the points that are tried.
    Matrix<double> X = draw(tried_).cast<float>().cast<double>();
    const double share = smallest_share(X);
    if (tried_ == 0 || share < best_share_) {
      best_share_ = share;
      best_ = std::move(X);
    }
  }
  return tried_ == how_.tries;
}

double WitnessSearch::progress() const {
  return static_cast<double>(tried_) / static_cast<double>(how_.tries);
}

WitnessSearchResult WitnessSearch::result() const {
  return {best_.cast<float>(), check_definiteness<double>(kernel_.gram(best_)), tried_};
}

#define ATTN_INSTANTIATE(T)                                         \
  template double definiteness_tolerance<T>(Index);                 \
  template DefinitenessReport check_definiteness<T>(In<T>, double); \
  template double quadratic_form<T>(In<T>, InVector<T>);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
