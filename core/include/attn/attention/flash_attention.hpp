#pragma once
// Softmax attention tile by tile, without the n×m matrix (Dao et al. 2022, arXiv:2205.14135,
// algorithms 1, 2 and 4; the online softmax is Milakov & Gimelshein 2018, arXiv:1805.02867).
//
// The result is exact, not an approximation. It takes the same multiply-adds as `attention` (the
// backward pass one product in five more) and less memory. On a GPU it is faster because it moves
// fewer bytes.

#include <cstdint>
#include <optional>

#include "attn/attention/attention_training.hpp"
#include "attn/attention/mask.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

template <typename T = float>
struct FlashOptions {
  Mask mask = Mask::full();
  /// Factor on q·k. Left out: 1/√d_k.
  std::optional<double> scale;
  /// n×m, added to the scaled scores before the mask, and read tile by tile; empty for none. −∞
  /// blocks a cell. The bias is the only input here that takes O(n·m) memory.
  SharedMatrix<T> bias;
  /// The numbers of queries and of keys in a tile; the last tile may be smaller.
  Index query_tile = 64;
  Index key_tile = 64;
  /// Whether the forward pass records `FlashTrace`.
  bool trace = false;
  /// Whether the backward pass returns the gradient of the bias, which is n×m.
  bool d_bias = false;
};

/// The state of the online softmax after each tile of keys: tiles of keys × n. A row whose tile was
/// skipped keeps its state.
template <typename T = float>
struct FlashTrace {
  /// m: the largest score so far; −∞ while the query has seen no key.
  Matrix<T> running_max;
  /// l: Σ exp(score − m) so far.
  Matrix<T> running_sum;

  /// Whether no trace was asked for.
  bool empty() const { return running_max.size() == 0; }
};

/// What passes between the matrices and the tiles that are worked on, in numbers: the queries of a
/// row of tiles once, keys, values and biases once for every tile that is visited, the output once.
/// Log-sum-exps, one a query, are not counted.
struct TileTraffic {
  std::uint64_t read = 0, written = 0;
};

template <typename T = float>
struct FlashResult {
  /// n×d_v
  Matrix<T> output;
  /// n: m + ln l; −∞ where the query sees no key. The backward pass needs no more of the weights.
  Vector<T> log_sum_exp;
  FlashTrace<T> trace;
  /// The number of computed tiles, of query_tiles × key_tiles. Under a causal mask the tiles above
  /// the diagonal are never computed.
  Index visited_tiles = 0;
  Index query_tiles = 0, key_tiles = 0;
  /// As counted from tile to tile, of the tiles of the options.
  TileTraffic traffic;
};

/// `attention` without the weights; dropout takes the same cells. For each tile of keys, with S the
/// scores of the tile,
///   m' = max(m, max S), l' = e^{m − m'} l + Σ e^{S − m'}, O' = e^{m − m'} O + e^{S − m'} V
/// and at the end output = O/l; dropout acts on the weights in O', not on those in l'. Q n×d_k,
/// K m×d_k, V m×d_v.
///
/// Stable at any finite logits. A query that sees no key has zero output. Tile sizes change only
/// the order of the sums: for up to 200 keys and N(0, 1) inputs, outputs of any two tilings differ
/// by at most 8 ulps of max |V| (ε·max |V|; measured: 2), and log-sum-exps by 8 ulps of themselves.
/// (query_tile·key_tile)·(d_k + d_v) multiply-adds for each tile visited;
/// O(query_tile·(key_tile + d_k + d_v)) memory beside the result. In float32, unless bias, trace or
/// dropout is asked for or a meter counts, a kernel with tiles of its own does the work, in
/// O((n + m)·(d_k + d_v)) memory; `visited_tiles` are still those of the options.
/// @throws ShapeError, ValueError (also for a tile of less than 1)
template <typename T = float>
FlashResult<T> flash_attention(In<T> Q, In<T> K, In<T> V,
                               const FlashOptions<std::type_identity_t<T>>& options = {},
                               const Dropout<std::type_identity_t<T>>& dropout = {});

/// The same, written into `result`, whose memory is reused and which must not hold Q, K or V. In
/// float32, without bias, trace and dropout, a second call of the same shapes allocates nothing.
template <typename T = float>
void flash_attention(In<T> Q, In<T> K, In<T> V,
                     const FlashOptions<std::type_identity_t<T>>& options,
                     const Dropout<std::type_identity_t<T>>& dropout,
                     FlashResult<std::type_identity_t<T>>& result);

template <typename T = float>
struct FlashGradients {
  /// n×d_k, m×d_k, m×d_v
  Matrix<T> dQ, dK, dV;
  /// n: D_i = Σ_k dO_ik·O_ik
  Vector<T> row_dots;
  /// n×m: the gradient at the scores after scaling; empty unless asked for.
  Matrix<T> d_bias;
  Index visited_tiles = 0;
};

/// Gradients of Σ output ∘ dO. Computes P = e^{S − lse} again, tile by tile, from the log-sum-exp
/// of the forward pass, and uses D = rowsum(dO ∘ O) in place of Σ P∘dP. Dropout is drawn again, the
/// same cells. dO n×d_v; `forward`, `options` and `dropout` those of the forward pass (tiles may
/// differ). Since S − lse is formed at the size of S, the relative error of P is about ε·|lse|:
/// 1e-3 in float32 at logits of 1e4. (query_tile·key_tile)·(3·d_k + 2·d_v) multiply-adds for each
/// tile visited; O(query_tile·key_tile) memory beside the result. In float32, without bias, d_bias
/// and dropout, unless a meter counts or |lse| exceeds 1000, a kernel with tiles of its own does
/// the work, in O(n·(d_k + d_v)) memory.
/// @throws ShapeError, ValueError
template <typename T = float>
FlashGradients<T> flash_attention_backward(
    In<T> Q, In<T> K, In<T> V, In<T> dO, const FlashResult<std::type_identity_t<T>>& forward,
    const FlashOptions<std::type_identity_t<T>>& options = {},
    const Dropout<std::type_identity_t<T>>& dropout = {});

/// The same, written into `result`, whose memory is reused as in `flash_attention`.
template <typename T = float>
void flash_attention_backward(In<T> Q, In<T> K, In<T> V, In<T> dO,
                              const FlashResult<std::type_identity_t<T>>& forward,
                              const FlashOptions<std::type_identity_t<T>>& options,
                              const Dropout<std::type_identity_t<T>>& dropout,
                              FlashGradients<std::type_identity_t<T>>& result);

}  // namespace attn
