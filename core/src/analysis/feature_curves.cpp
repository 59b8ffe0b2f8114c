#include "attn/analysis/feature_curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "analysis/shared.hpp"
#include "attn/analysis/gradient_quantiles.hpp"
#include "attn/analysis/phrases.hpp"
#include "attn/base/errors.hpp"
#include "attn/base/rng.hpp"
#include "base/product.hpp"
#include "base/streams.hpp"

namespace attn {
namespace {

using internal::kNaN;

/// Point `i` of `points` evenly spaced points from `from` to `to`; both ends are exact.
double place(double from, double to, Index i, Index points) {
  if (i == points - 1) return to;
  return from + (to - from) * static_cast<double>(i) / static_cast<double>(points - 1);
}

void require_points(Index points, Index least, Index most) {
  if (points >= least && points <= most) return;
  throw ValueError("points", phrase::number(points), phrase::range(least, most));
}

/// Whether the map treats every row on its own and regardless of its position.
template <typename T>
bool takes_rows_alone(const FeatureMap<T>& map) {
  return !map.info().positional && map.streamable();
}

}  // namespace

template <typename T>
FeatureMapCurve<T> feature_map_curve(const FeatureMap<T>& map, In<T> direction, double from,
                                     double to, Index points, Role role, Position position) {
  require_shape<T>("direction", direction, 1, map.d_k(), phrase::row_of_d_k);
  require_finite<T>("direction", direction);
  require_points(points, 2, kMaxCurvePoints);
  if (!std::isfinite(from)) throw ValueError("from", phrase::number(from), phrase::finite_number);
  if (!std::isfinite(to) || !(to > from)) {
    throw ValueError("to", phrase::number(to), phrase::finite_number_above(from));
  }
  const Index D = map.dimension();
  const double features = static_cast<double>(D);
  const double projection = static_cast<double>(map.options().projection.size());
  if (static_cast<double>(points) * features * (features + 2 * projection) > kMaxCurveWork) {
    throw CapacityError("feature_map", phrase::features_at_points(map.info().label, D, points),
                        phrase::fewer_points);
  }
  FeatureMapCurve<T> curve;
  curve.feature_dimension = D;
  Matrix<T> x(points, map.d_k());
  for (Index i = 0; i < points; ++i) {
    curve.t.push_back(place(from, to, i, points));
    x.row(i) = static_cast<T>(curve.t.back()) * direction;
  }
  // All rows go through the map in one pass where that does not change the result.
  const bool together = takes_rows_alone(map);
  const Index rows = together ? points : 1;
  const Position at = together ? Position{} : position;
  curve.phi.resize(points, D);
  curve.slope.resize(points, D);
  Matrix<T> d_phi = Matrix<T>::Zero(rows, D);
  for (Index first = 0; first < points; first += rows) {
    const auto block = x.middleRows(first, rows);
    curve.phi.middleRows(first, rows) = map.apply(block, role, at);
    for (Index f = 0; f < D; ++f) {
      d_phi.col(f).setOnes();
      const Matrix<T> slope = map.backward(block, d_phi, role, at);
      d_phi.col(f).setZero();
      for (Index r = 0; r < rows; ++r) {
        T sum = 0;
        for (Index k = 0; k < slope.cols(); ++k) sum += slope(r, k) * direction(0, k);
        curve.slope(first + r, f) = sum;
      }
    }
  }
  return curve;
}

template <typename T>
KernelCurve<T>::KernelCurve(FeatureMap<T> map, const KernelCurveOptions& options)
    : map_(std::move(map)), options_(options) {
  if (map_.d_k() < 2) {
    throw ValueError("d", phrase::number(map_.d_k()), phrase::two_for_an_angle);
  }
  require_points(options.points, 3, 1024);
  if (options.draws < 1)
    throw ValueError("draws", phrase::number(options.draws), phrase::at_least(1));
  const double squared = options.norm * options.norm;
  if (!(options.norm > 0) || !std::isfinite(static_cast<T>(squared))) {
    throw ValueError("norm", phrase::number(options.norm), phrase::positive_number);
  }
  if (static_cast<double>(options.points) * static_cast<double>(options.draws) >
      static_cast<double>(kMaxKernelSamples)) {
    throw CapacityError("draws", phrase::number(options.draws), phrase::samples_in_all);
  }
  result_.feature_dimension = map_.dimension();
  result_.draws = options.draws;
  const double reach = squared / std::sqrt(static_cast<double>(map_.d_k()));
  for (Index p = 0; p < options.points; ++p) {
    result_.s.push_back(place(-reach, reach, p, options.points));
    result_.exact.push_back(std::exp(result_.s.back()));
  }
  samples_.resize(static_cast<std::size_t>(options.points * options.draws));
}

template <typename T>
void KernelCurve<T>::draw() {
  const std::uint64_t seed = options_.seed + static_cast<std::uint64_t>(done_);
  if (done_ > 0) map_ = map_.redraw(seed);
  Matrix<double> plane = Rng(seed, internal::kPlaneStream).gaussian_matrix<double>(2, map_.d_k());
  plane.row(0).normalize();
  plane.row(1) -= plane.row(1).dot(plane.row(0)) * plane.row(0);
  plane.row(1).normalize();
  const Matrix<T> q = (options_.norm * plane.row(0)).template cast<T>();
  Matrix<T> keys(options_.points, map_.d_k());
  for (Index p = 0; p < options_.points; ++p) {
    const double cosine = place(-1, 1, p, options_.points);
    const double sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
    keys.row(p) =
        (options_.norm * (cosine * plane.row(0) + sine * plane.row(1))).template cast<T>();
  }
  const Position alone{0, 1};
  const Matrix<T> phi_q = map_.apply(q, Role::kQuery, alone);
  Matrix<T> products(1, options_.points);
  if (map_.info().positional) {
    for (Index p = 0; p < options_.points; ++p) {
      internal::product_nt<T>(phi_q, map_.apply(keys.row(p), Role::kKey, alone),
                              products.middleCols(p, 1));
    }
  } else {
    internal::product_nt<T>(phi_q, map_.apply(keys, Role::kKey), products);
  }
  for (Index p = 0; p < options_.points; ++p) {
    samples_[static_cast<std::size_t>(p * options_.draws + done_)] =
        static_cast<double>(products(0, p));
  }
}

template <typename T>
void KernelCurve<T>::finish() {
  constexpr double kProbabilities[] = {0.1, 0.5, 0.9};
  for (auto at = samples_.begin(); at != samples_.end(); at += options_.draws) {
    std::vector<double> values(at, at + options_.draws);
    double mean = 0;
    for (const double value : values) mean += value / static_cast<double>(options_.draws);
    const bool finite = std::isfinite(mean);
    const std::vector<double> three =
        finite ? quantiles(std::move(values), kProbabilities) : std::vector<double>(3, kNaN);
    result_.mean.push_back(finite ? mean : kNaN);
    result_.low.push_back(three[0]);
    result_.median.push_back(three[1]);
    result_.high.push_back(three[2]);
  }
}

template <typename T>
bool KernelCurve<T>::step(Index draws) {
  if (done_ == options_.draws) return true;
  for (Index r = 0; r < std::max<Index>(draws, 1) && done_ < options_.draws; ++r, ++done_) draw();
  if (done_ < options_.draws) return false;
  finish();
  return true;
}

template <typename T>
double KernelCurve<T>::progress() const {
  return static_cast<double>(done_) / static_cast<double>(options_.draws);
}

#define ATTN_INSTANTIATE(T)                                                                     \
  template FeatureMapCurve<T> feature_map_curve<T>(const FeatureMap<T>&, In<T>, double, double, \
                                                   Index, Role, Position);                      \
  template class KernelCurve<T>;
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
