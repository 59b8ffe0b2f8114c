#pragma once
// Linear attention with any feature map (Katharopoulos et al. 2020, arXiv:2006.16236).

#include <optional>

#include "attn/attention/mask.hpp"
#include "attn/base/tensor.hpp"
#include "attn/linear_attention/feature_map.hpp"

namespace attn {

/// The ε that is added to φ(q)·Σφ(k), as in the paper's own code (idiap/fast-transformers). Other
/// code differs: Based adds 1e-12, and cosFormer clamps at 1e-6.
inline constexpr double kLinearAttentionEpsilon = 1e-6;

/// The state of causal linear attention: what it keeps of the tokens so far.
template <typename T = float>
struct LinearState {
  /// D×d_v: S = Σ φ(k_j) v_jᵀ
  Matrix<T> s;
  /// D: z = Σ φ(k_j)
  Vector<T> z;

  static LinearState zero(Index D, Index d_v) {
    return {Matrix<T>::Zero(D, d_v), Vector<T>::Zero(D)};
  }
};

/// How the denominator is made from z = Σφ(k) and ε.
enum class DenominatorRule {
  kAdd,    ///< φ(q)·z + ε
  kClamp,  ///< max(φ(q)·z, ε), as cosFormer has it. Below ε no gradient passes.
  /// φ(q)·(z + ε·1), as in lucidrains' causal Performer. Where φ(q) is 0, the denominator is 0 and
  /// the output NaN.
  kAddToKeySum,
};

struct LinearAttentionOptions {
  /// Whether token i sees only tokens j ≤ i (n = m); otherwise every query sees every key.
  bool causal = false;
  /// Whether outputs are divided by φ(q)·Σφ(k) + epsilon, or by what `denominator` makes of the
  /// two. Where φ(q)·Σφ(k) overflows the outputs of the query are NaN.
  bool normalize = true;
  /// With 0, outputs are divided by φ(q)·Σφ(k) itself: NaN or infinite where that is 0 although a
  /// key is visible. In float32 it is 0 as soon as the features are, such as e^x below x = −86.98.
  double epsilon = kLinearAttentionEpsilon;
  /// Only keys 0 … valid_keys − 1 count; the others are padding. Left out: all keys count.
  std::optional<Index> valid_keys;
  /// For causal attention, the number of tokens that are computed together. 1 is the recurrent
  /// form; larger chunks give the same result.
  Index chunk = 1;
  DenominatorRule denominator = DenominatorRule::kAdd;
  /// Whether the state is asked for. Without it, and without `causal`, a short text may take the
  /// weights φ(q)·φ(k) of all pairs where that is less work; `state` is then empty.
  bool keep_state = true;
  /// The position of row 0 of Q and K in its sequence, with every position below 2³¹; length 0 is
  /// offset + max(n, m). Only positional maps use it.
  Position position = {};
};

/// @throws ValueError unless ε ≥ 0 and finite, also in T.
template <typename T = float>
void require_epsilon(double epsilon);

/// Turns `sums`, the Σ φ(q)·φ(k) of the queries whose features are the rows of `phi_q`, into
/// denominators, in place. A sum that has overflowed becomes NaN under every rule, because divided
/// by ∞ the row of a query would be 0, like that of a query that sees no key. O(size of sums), for
/// `kAddToKeySum` O(size of phi_q). Checks nothing: phi_q must have a row for each sum, and
/// `require_epsilon` must have accepted ε.
template <typename T = float>
void finish_denominators(In<T> phi_q, double epsilon, DenominatorRule rule,
                         Eigen::Ref<Vector<std::type_identity_t<T>>> sums);

template <typename T = float>
struct LinearAttentionResult {
  /// n×d_v
  Matrix<T> output;
  /// The state after the last valid key. Without `keep_state` it is empty, or where a result is
  /// written into given memory whatever that held.
  LinearState<T> state;
};

/// output_i = φ(q_i)ᵀ S / (φ(q_i)·z + ε) with S = Σ φ(k_j) v_jᵀ and z = Σ φ(k_j) over the keys that
/// token i sees; without `normalize` only the numerator. A query that sees no key (valid_keys = 0,
/// no state or a zero one) gets zeros whatever ε is, and no gradient. The n×m matrix is never
/// formed as a whole.
///
/// With a map's stabiliser on, causal outputs depend a little on later keys through the maximum
/// over all keys and ε, as in the reference implementations; other maps do not look ahead.
///
/// Q n×d_k, K m×d_k, V m×d_v; causal: n = m. 2·n·D·(d_v + 1) multiply-adds when n = m, plus
/// n·chunk·(D + d_v + 1) inside chunks; O(D·d_v) memory beside φ(Q), φ(K). In float32 without
/// `keep_state`, n·m·(D + d_v + 1) where that is less, with d_k + 1 for D where the map is compact
/// Taylor, whose weights are 1 + s + s²/2 of s = q·k/√d_k; O((n + m)·(D + d_v)) memory.
/// @param initial causal only: the state after the tokens before; nullptr for none. ε is not part
/// of it: it is added once, whatever came before.
/// @throws ShapeError, ValueError (also when a state is given to a map that is not
/// `streamable(position.length)`), CapacityError as `FeatureMap::apply` wherever φ(Q) and φ(K) are
/// made: not by the kernel (see below).
template <typename T = float>
LinearAttentionResult<T> linear_attention(
    In<T> Q, In<T> K, In<T> V, const FeatureMap<std::type_identity_t<T>>& map,
    const LinearAttentionOptions& options = {},
    const LinearState<std::type_identity_t<T>>* initial = nullptr);

/// The same, written into `result`, whose memory is reused. `initial` may be result.state, which is
/// then continued in place, unless the arguments are refused. In float32 with `chunk` 1 and a map
/// that the kernel computes itself (ELU + 1, ReLU, squared ReLU, square, identity, exp, compact
/// Taylor) another call of the same shapes allocates nothing; other maps allocate φ(Q) and φ(K).
template <typename T = float>
void linear_attention(In<T> Q, In<T> K, In<T> V, const FeatureMap<std::type_identity_t<T>>& map,
                      const LinearAttentionOptions& options,
                      const LinearState<std::type_identity_t<T>>* initial,
                      LinearAttentionResult<std::type_identity_t<T>>& result);

/// `linear_attention` as steps, so that a page can show progress and stop. Features are computed
/// for some rows at a time, so that besides inputs and output only the memory of one step is
/// needed.
///
///   LinearAttentionRun work(Q, K, V, map, options);
///   while (!work.step(rows)) …
///   use(work.result());
template <typename T = float>
class LinearAttentionRun {
 public:
  /// Checks the arguments and copies them.
  /// @throws as `linear_attention`
  LinearAttentionRun(In<T> Q, In<T> K, In<T> V, FeatureMap<T> map,
                     LinearAttentionOptions options = {},
                     std::optional<LinearState<T>> initial = {});

  /// Works on up to `rows` more rows: of keys and then of queries, or for causal attention of both
  /// at once. Returns true when all are done. Maps that look at all rows together (not
  /// `streamable`), and a first step with all rows, are one call of `linear_attention`.
  bool step(Index rows);
  /// The share of the work that is done, 0 … 1.
  double progress() const;
  /// The result, complete once `step` has returned true.
  const LinearAttentionResult<T>& result() const { return result_; }

 private:
  void causal_rows(Index first, Index size);
  void key_rows(Index first, Index size);
  void query_rows(Index first, Index size);
  Index total() const;
  Position position_of(Index first) const;

  Matrix<T> Q_, K_, V_;
  FeatureMap<T> map_;
  LinearAttentionOptions options_;
  std::optional<LinearState<T>> initial_;
  Position position_;
  Index valid_ = 0, done_ = 0;
  LinearAttentionResult<T> result_;
};

template <typename T = float>
struct LinearAttentionGradients {
  Matrix<T> dQ, dK, dV;
};

/// Gradients of Σ output ∘ dO with respect to Q, K and V. dO n×d_v. Same options as forward
/// (`chunk` has no effect).
///
/// Two scans that recompute the states, one forward in time for the queries and one backward for
/// keys and values: only one D×d_v state is alive at a time, and neither the n states nor the n×m
/// weights are kept. O(n·(D + d_v) + D·d_v) memory, about three times the forward's multiply-adds.
/// @throws as `linear_attention`
template <typename T = float>
LinearAttentionGradients<T> linear_attention_backward(
    In<T> Q, In<T> K, In<T> V, In<T> dO, const FeatureMap<std::type_identity_t<T>>& map,
    const LinearAttentionOptions& options = {});

/// The attention matrix that linear attention never forms, so that its output is A·V:
/// A_ij = φ(q_i)·φ(k_j) / (Σ_l φ(q_i)·φ(k_l) + ε) over the keys l the mask keeps, or what
/// `denominator` makes of the two; blocked cells 0. Padding is the mask's (`with_valid_keys`).
/// n×m. n·m·D multiply-adds. Rows sum to 1 up to ε; where the map is not positive, entries may be
/// negative or, by a denominator near 0, large.
/// @throws ShapeError, ValueError, CapacityError
template <typename T = float>
Matrix<T> compute_implicit_attention(In<T> Q, In<T> K,
                                     const FeatureMap<std::type_identity_t<T>>& map,
                                     const Mask& mask = Mask::full(),
                                     double epsilon = kLinearAttentionEpsilon,
                                     DenominatorRule denominator = DenominatorRule::kAdd);

/// Σ φ(q)·φ(k) over the keys that the mask keeps, one for each query, before ε: the number that
/// linear attention divides by. n numbers; n·m·D multiply-adds. Positive for positive maps; near 0
/// or negative where features of both signs cancel.
/// @throws as `compute_implicit_attention`
template <typename T = float>
Vector<T> compute_denominators(In<T> Q, In<T> K, const FeatureMap<std::type_identity_t<T>>& map,
                               const Mask& mask = Mask::full());

/// φ(K) m×D with zeros for the keys that `mask` calls padding: a map that looks at all keys at once
/// must not see them. The cost is that of the map, plus m·D numbers for the copy.
/// @throws as `FeatureMap::apply`
template <typename T = float>
Matrix<T> key_features(In<T> K, const FeatureMap<std::type_identity_t<T>>& map, const Mask& mask,
                       Position position);

/// Divides each row of `scores` = φ(q)·φ(k) by what `denominator` makes of its sum over the keys
/// the mask keeps and of ε, in place; blocked cells become 0. Row r is query `first_query + r` of n
/// with the features phi_q.row(r). A query that sees no key gets zeros. O(size of scores), for
/// `kAddToKeySum` also of phi_q. ε is not checked: `require_epsilon` does that.
/// @param sums Σ φ(q)·φ(k) of each row, before ε; or nullptr.
/// @throws ShapeError when the mask came from a matrix of another shape; ValueError when it calls
/// more keys valid than there are.
template <typename T = float>
void normalize_rows(Eigen::Ref<Matrix<std::type_identity_t<T>>> scores, In<T> phi_q,
                    const Mask& mask, Index first_query, Index n, double epsilon,
                    DenominatorRule denominator, std::type_identity_t<T>* sums = nullptr);

/// φ(Q)(φ(K)ᵀV), without normaliser: the linear order of lab 2. n×d_v; (n + m)·D·d_v multiply-adds.
/// @throws ShapeError, ValueError
template <typename T = float>
Matrix<T> linear_attention_order(In<T> Q, In<T> K, In<T> V,
                                 const FeatureMap<std::type_identity_t<T>>& map);

template <typename T = float>
struct AssociativityReport {
  /// (QKᵀ)V and Q(KᵀV), n×d_v; KᵀV, d_k×d_v.
  Matrix<T> standard, linear, k_tv;
  double max_difference = 0;
  /// Largest |standard − linear| / |linear| over entries where linear ≠ 0.
  double max_relative_difference = 0;
  /// |standard − linear| ≤ atol + rtol·|linear| everywhere, and all finite, as NumPy's allclose;
  /// where a product overflows, the differences are NaN.
  bool equal = false;
};

/// (QKᵀ)V = Q(KᵀV), checked on actual numbers. Equal in exact arithmetic; in float32 entries that
/// nearly cancel differ by more than rtol = 1e-5 of themselves, hence `atol`. Q n×d_k, K m×d_k,
/// V m×d_v. n·m·(d_k + d_v) + (n + m)·d_k·d_v multiply-adds; n·m numbers of memory.
/// @throws ShapeError, ValueError (also for a negative or NaN rtol or atol)
template <typename T = float>
AssociativityReport<T> verify_associativity(In<T> Q, In<T> K, In<T> V, double rtol = 1e-5,
                                            double atol = 1e-3);

}  // namespace attn
