#pragma once
// Feature maps as curves: φ along a line, and the kernel φ(q)·φ(k) by q·k.

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
  /// points: t from `from` to `to`, evenly.
  std::vector<double> t;
  /// points×D: φ(t·u), and its derivative by t.
  Matrix<T> phi, slope;
};

/// The most points of a curve, and the most work (points·D·(D + 2·numbers of the projection)).
inline constexpr Index kMaxCurvePoints = 4096;
inline constexpr double kMaxCurveWork = 1 << 30;

/// φ along x = t·u; u is 1×d_k, the direction. The derivative is the map's own gradient
/// (`FeatureMap::backward`), 0 at a kink. Every point is a row alone at `position`, so that
/// positions and what couples rows (a stabiliser) play no part. points·D backward passes of a row.
/// @throws ShapeError unless u is 1×d_k; ValueError unless 2 ≤ points ≤ `kMaxCurvePoints` and from
/// < to, both finite; CapacityError beyond `kMaxCurveWork`.
template <typename T = float>
FeatureMapCurve<T> feature_map_curve(const FeatureMap<T>& map, In<T> direction, double from,
                                     double to, Index points, Role role = Role::kQuery,
                                     Position position = {0, 1});

struct KernelCurveOptions {
  /// ‖q‖ = ‖k‖; of d_k entries N(0, 1) it is about √d_k.
  double norm = 1;
  Index points = 65;
  Index draws = 1;
  std::uint64_t seed = 0;
};

/// φ(q)·φ(k) of queries and keys of one length, by the angle between them. One entry a point.
struct KernelCurveResult {
  /// D
  Index feature_dimension = 0;
  /// s = q·k/√d_k, evenly from −norm²/√d_k to norm²/√d_k, and e^s.
  std::vector<double> s, exact;
  /// φ(q)·φ(k) over the draws: mean and quantiles 0.1, 0.5, 0.9. NaN where one is not finite.
  std::vector<double> mean, low, median, high;
  Index draws = 0;
};

/// Samples of all points and draws, at most.
inline constexpr Index kMaxKernelSamples = Index{1} << 22;

/// φ(q)·φ(k) of queries and keys of one length against s. Every draw takes two orthogonal
/// directions at random, q along the first, k turned towards the second; and from the second draw
/// on a random map draws its projection anew, from seed + draw. So what depends on more than s
/// (ELU + 1: on the directions; random features: on the projection) shows as a spread, and what
/// depends on s alone (Taylor, identity) as none. Keys are applied together, each alone at position
/// 0 where positions matter.
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

  /// Up to `draws` more; true when all are done. One costs φ of points + 1 rows and points·D
  /// multiply-adds.
  /// @throws ValueError when the second draw finds a projection that was given and not drawn.
  bool step(Index draws);
  /// 0 … 1
  double progress() const;
  /// Complete once `step` returned true.
  const KernelCurveResult& result() const { return result_; }
  const FeatureMap<T>& map() const { return map_; }
  const KernelCurveOptions& options() const { return options_; }

 private:
  void draw();
  void finish();

  FeatureMap<T> map_;
  KernelCurveOptions options_;
  Index done_ = 0;
  /// By point, then draw.
  std::vector<double> samples_;
  KernelCurveResult result_;
};

}  // namespace attn
