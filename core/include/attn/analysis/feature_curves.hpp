#pragma once
// Feature maps as curves: φ along a line, and the kernel φ(q)·φ(k) as a function of q·k.

#include <cstdint>
#include <vector>

#include "attn/base/tensor.hpp"
#include "attn/linear_attention/feature_map.hpp"

namespace attn {

/// φ along a line x = t·u.
template <typename T = float>
struct FeatureMapCurve {
  /// D
  Index feature_dimension = 0;
  /// One entry for each point: t from `from` to `to`, evenly spaced.
  std::vector<double> t;
  /// points×D: φ(t·u), and its derivative with respect to t.
  Matrix<T> phi, slope;
};

/// The most points of a curve, and the most work (points·D·(D + 2·numbers of the projection)).
inline constexpr Index kMaxCurvePoints = 4096;
inline constexpr double kMaxCurveWork = 1 << 30;

/// φ along x = t·u; u is 1×d_k, the direction. The derivative is the map's own gradient
/// (`FeatureMap::backward`), 0 at a kink. Every point is evaluated as a row of its own at
/// `position`, so that other points, and a stabiliser that couples rows, have no effect. Costs
/// points·D backward passes of a row.
/// @throws ShapeError unless u is 1×d_k; ValueError unless 2 ≤ points ≤ `kMaxCurvePoints` and from
/// < to, both finite; CapacityError beyond `kMaxCurveWork`.
template <typename T = float>
FeatureMapCurve<T> feature_map_curve(const FeatureMap<T>& map, In<T> direction, double from,
                                     double to, Index points, Role role = Role::kQuery,
                                     Position position = {0, 1});

struct KernelCurveOptions {
  /// The norm of queries and keys, ‖q‖ = ‖k‖. For d_k entries from N(0, 1) it is about √d_k.
  double norm = 1;
  Index points = 65;
  Index draws = 1;
  std::uint64_t seed = 0;
};

/// φ(q)·φ(k) of queries and keys of one length, by the angle between them. One entry for each
/// point.
struct KernelCurveResult {
  /// D
  Index feature_dimension = 0;
  /// s = q·k/√d_k, evenly from −norm²/√d_k to norm²/√d_k, and e^s.
  std::vector<double> s, exact;
  /// φ(q)·φ(k) over the draws: mean and quantiles 0.1, 0.5 and 0.9; NaN where a value is not
  /// finite.
  std::vector<double> mean, low, median, high;
  Index draws = 0;
};

/// The largest number of samples, over all points and draws.
inline constexpr Index kMaxKernelSamples = Index{1} << 22;

/// φ(q)·φ(k) of queries and keys of one length as a function of s. Every draw takes two random
/// orthogonal directions: q points along the first, and k is turned towards the second. From the
/// second draw on, a random map also draws its projection again, from seed + draw. A kernel that
/// depends on more than s therefore shows a spread (ELU + 1 depends on the directions, random
/// features on the projection), and a kernel that depends on s alone (Taylor, identity) shows none.
/// All keys go through the map together, each at position 0 where positions matter.
///
///   KernelCurve work(map, options);
///   while (!work.step(1)) …
///   use(work.result());
template <typename T = float>
class KernelCurve {
 public:
  /// @throws ValueError unless d_k ≥ 2, 3 ≤ points ≤ 1024, draws ≥ 1 and norm is positive and
  /// finite, also its square; CapacityError beyond `kMaxKernelSamples`.
  KernelCurve(FeatureMap<T> map, const KernelCurveOptions& options);

  /// Makes up to `draws` more draws; returns true when all are done. One draw costs φ of points + 1
  /// rows and points·D multiply-adds.
  /// @throws ValueError when the second draw finds a projection that was given and not drawn.
  bool step(Index draws);
  /// The share of the work that is done, 0 … 1.
  double progress() const;
  /// The result, complete once `step` has returned true.
  const KernelCurveResult& result() const { return result_; }
  const FeatureMap<T>& map() const { return map_; }
  const KernelCurveOptions& options() const { return options_; }

 private:
  void draw();
  void finish();

  FeatureMap<T> map_;
  KernelCurveOptions options_;
  Index done_ = 0;
  /// The samples by point, then by draw.
  std::vector<double> samples_;
  KernelCurveResult result_;
};

}  // namespace attn
