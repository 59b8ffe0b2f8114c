#pragma once
// The kernel trick on actual numbers: what two orders of the same products cost, how their cells
// fill one by one, and how the state of causal linear attention grows.
//
// Inputs are small and every intermediate number is kept: these functions are for display, not for
// speed.

#include <cstdint>
#include <optional>
#include <vector>

#include "attn/base/tensor.hpp"
#include "attn/linear_attention/feature_map.hpp"
#include "attn/linear_attention/linear_attention.hpp"

namespace attn {

// --- What the orders cost ------------------------------------------------------------------------

/// One matrix product: rows×inner times inner×cols.
struct OrderProduct {
  std::uint64_t rows = 0, inner = 0, cols = 0;

  std::uint64_t multiply_adds() const { return rows * inner * cols; }
};

/// The matrix between the two products, in float32.
struct OrderIntermediate {
  std::uint64_t rows = 0, cols = 0;

  std::uint64_t numbers() const { return rows * cols; }
  std::uint64_t bytes() const { return sizeof(float) * numbers(); }
};

/// The work of dividing each row by its sum. The standard order has n row sums with n·m additions.
/// The linear order has z = Σφ(k) with m·D additions, and φ(q)·z of every query with n·D
/// multiply-adds. All are counted alike, as in `linear_multiply_adds`.
struct OrderNormalizer {
  /// How many numbers are kept: n row sums, or the D entries of z.
  std::uint64_t numbers = 0;
  std::uint64_t multiply_adds = 0;
};

/// One order of the two products, without mask and normaliser.
struct OrderPath {
  /// The first and the second product.
  OrderProduct products[2];
  OrderNormalizer normalizer;

  /// The matrix that the first product makes and the second one reads: QKᵀ n×m, or φ(K)ᵀV D×d_v.
  OrderIntermediate intermediate() const { return {products[0].rows, products[0].cols}; }
};

/// Multiply-adds of both orders.
struct OrderCount {
  std::uint64_t standard = 0, linear = 0;
  /// n*, the n = m at which both costs are equal; above it the linear order needs fewer
  /// multiply-adds.
  double crossover = 0;

  /// The ratio of the standard order's cost to the linear order's.
  double ratio() const { return static_cast<double>(standard) / static_cast<double>(linear); }
};

struct OrderCosts {
  OrderPath standard, linear;
  /// The two products alone: n·m·(d_k + d_v) against (n + m)·D·d_v; n* = 2·D·d_v/(d_k + d_v).
  OrderCount plain;
  /// With the normaliser: n·m·(d_k + d_v + 1) against (n + m)·D·(d_v + 1).
  OrderCount normalized;
  /// The cost of only the n·(n + 1)/2 cells j ≤ i, compared with the recurrent form, whose cost a
  /// mask does not change; none where m ≠ n.
  std::optional<OrderCount> causal, causal_normalized;
};

/// The largest size that `order_costs` accepts; up to it every count fits 64 bits.
inline constexpr std::uint64_t kMaxOrderSize = 1 << 20;

/// (QKᵀ)V compared with φ(Q)(φ(K)ᵀV) for Q n×d_k, K m×d_k, V m×d_v and D features that are already
/// computed (D = d_k for the identity). O(1).
/// @throws ValueError unless every size is 1 … `kMaxOrderSize`.
OrderCosts order_costs(std::uint64_t n, std::uint64_t m, std::uint64_t d_k, std::uint64_t d_v,
                       std::uint64_t D);

// --- Cell by cell --------------------------------------------------------------------------------

enum class ProductOrder {
  kStandard,  ///< (QKᵀ)V
  kLinear,    ///< Q(KᵀV)
};

enum class TraceStage {
  kProduct,  ///< the first product
  kOutput,   ///< the second one
};

/// One multiply-add of a cell; `sum` includes it.
template <typename T = float>
struct TraceTerm {
  T a = 0, b = 0, product = 0, sum = 0;
};

/// Both products after a number of multiply-adds, which are made one after another: row by row,
/// cell by cell, and within a cell in the order of its terms.
template <typename T = float>
struct AssociativityTrace {
  /// QKᵀ n×m or KᵀV d_k×d_v, and the output n×d_v. An entry is NaN until its cell is begun; a cell
  /// in progress holds its sum so far.
  Matrix<T> product, output;
  /// The matrix of the last multiply-add; before the first one, the product.
  TraceStage stage = TraceStage::kProduct;
  /// The cell of the last multiply-add; before the first one, (0, 0).
  Index row = 0, col = 0;
  /// How many terms that cell has, and how many of them are done.
  Index inner = 0;
  std::vector<TraceTerm<T>> terms;
  /// How many multiply-adds are done.
  Index multiply_adds = 0;
  /// The multiply-adds of the first product, and of both.
  Index product_total = 0, total = 0;
};

/// The largest size that `associativity_trace` takes.
inline constexpr Index kMaxTraceSize = 16;

/// Makes `step` multiply-adds for Q n×d_k, K m×d_k, V m×d_v, each rounded to T. The output of the
/// last step is (QKᵀ)V or Q(KᵀV) up to the order of the sums.
/// @throws ShapeError, ValueError (also for a step outside 0 … total), CapacityError for a size
/// above `kMaxTraceSize`.
template <typename T = float>
AssociativityTrace<T> associativity_trace(In<T> Q, In<T> K, In<T> V, ProductOrder order,
                                          Index step);

// --- Token by token ------------------------------------------------------------------------------

/// Causal linear attention token by token, with every state kept.
template <typename T = float>
struct RecurrentTrace {
  /// D
  Index feature_dimension = 0;
  /// φ(q_t) and φ(k_t), n×D.
  Matrix<T> phi_q, phi_k;
  /// n·D×d_v: rows t·D … t·D + D − 1 are S_t = Σ_{j ≤ t} φ(k_j) v_jᵀ; and z_t = Σ_{j ≤ t} φ(k_j),
  /// n×D.
  Matrix<T> s, z;
  /// φ(q_t)ᵀS_t, n×d_v; φ(q_t)·z_t before ε, and the denominator that the rule makes of it, n
  /// entries each.
  Matrix<T> numerator;
  Vector<T> sum, denominator;
  /// numerator/denominator, and the same computed with the n×n matrix φ(q_i)·φ(k_j), j ≤ i. n×d_v.
  Matrix<T> output, parallel;
  /// The largest |output − parallel|; NaN where an entry is not finite.
  double max_difference = 0;
};

/// The most tokens that `recurrent_trace` accepts, and the most numbers of its states.
inline constexpr Index kMaxRecurrentTokens = 64, kMaxRecurrentNumbers = 1 << 22;

/// Causal linear attention with every state kept (Katharopoulos et al. 2020, equations 16 to 20).
/// Q and K n×d_k, V n×d_v. 2·n·D·(d_v + 1) multiply-adds, and n²/2·(D + d_v) for the parallel form;
/// n·D·d_v numbers of memory. A map that looks at all keys at once (stabilised) is given all n; row
/// 0 has position 0 of n.
/// @throws ShapeError, ValueError, CapacityError
template <typename T = float>
RecurrentTrace<T> recurrent_trace(In<T> Q, In<T> K, In<T> V,
                                  const FeatureMap<std::type_identity_t<T>>& map,
                                  double epsilon = kLinearAttentionEpsilon,
                                  DenominatorRule rule = DenominatorRule::kAdd);

}  // namespace attn
