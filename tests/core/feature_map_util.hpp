#pragma once
// Helpers that the suites about feature maps share.

#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "attn/linear_attention/feature_map.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "test_util.hpp"

namespace attn::test {

/// A map with few random features, small enough for finite differences. `parameters` replaces the
/// defaults.
template <typename T = double>
FeatureMap<T> small_map(const FeatureMapInfo& info, Index d_k,
                        std::vector<std::pair<std::string, double>> parameters = {}) {
  FeatureMapOptions<T> options;
  options.seed = 4;
  options.parameters = std::move(parameters);
  if (info.random) options.parameters.emplace_back("features", 6);
  return {info.id, d_k, options};
}

inline bool has_parameter(const FeatureMapInfo& info, std::string_view name) {
  for (const FeatureMapParameter& parameter : info.parameters) {
    if (parameter.name == name) return true;
  }
  return false;
}

inline constexpr DenominatorRule kRules[] = {DenominatorRule::kAdd, DenominatorRule::kClamp,
                                             DenominatorRule::kAddToKeySum};

/// For each query, Σ|φ(q)||φ(k)| over the keys that it sees, divided by its denominator: the factor
/// by which rounding grows where features cancel. It is 1 for positive maps without ε.
template <typename T>
Vector<double> magnification(In<T> Q, In<T> K, const FeatureMap<std::type_identity_t<T>>& map,
                             const Mask& mask, double epsilon, DenominatorRule rule) {
  const Index n = Q.rows(), m = K.rows();
  const Position position{0, std::max(n, m)};
  const Matrix<T> phi_q = map.apply(Q, Role::kQuery, position);
  const Matrix<T> phi_k = key_features<T>(K, map, mask, position);
  Vector<T> sums = Vector<T>::Zero(n);
  Vector<double> sizes = Vector<double>::Zero(n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < m; ++j) {
      if (!mask.keeps(i, j, n, m)) continue;
      sums(i) += phi_q.row(i).dot(phi_k.row(j));
      sizes(i) += static_cast<double>(phi_q.row(i).cwiseAbs().dot(phi_k.row(j).cwiseAbs()));
    }
  }
  finish_denominators<T>(phi_q, epsilon, rule, sums);
  return sizes.cwiseQuotient(sums.cwiseAbs().template cast<double>());
}

/// Compares two outputs that divide by the same denominators, as `mismatch` does. Sums of some
/// hundred products err by some hundred roundings, and the error is magnified twice: in the
/// numerator and in the denominator of the quotient.
template <typename T, typename A, typename B>
std::string output_mismatch(const A& a, const B& b, const Vector<double>& magnified,
                            double largest) {
  if (a.rows() != b.rows()) return "rows " + std::to_string(a.rows());
  const double rounding = 256 * static_cast<double>(std::numeric_limits<T>::epsilon());
  for (Index i = 0; i < a.rows(); ++i) {
    // A row in which every feature is 0 has no rounding to magnify, and 0/0 would be no bound.
    const double bound = 1 + (std::isnan(magnified(i)) ? 0 : magnified(i));
    const std::string found = mismatch(a.row(i), b.row(i), 0, rounding * bound * bound * largest);
    if (!found.empty()) return "row " + std::to_string(i) + ", " + found;
  }
  return {};
}

}  // namespace attn::test
