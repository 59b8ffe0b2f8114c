#pragma once
// Attention weights as models export them, in arrays of a file: which axis is what, whether they
// are weights at all, and the weights of every layer and head in one form.

#include <string>
#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {

/// An array of a file, as NumPy saves it.
template <typename T = float>
struct ExportedArray {
  /// That of the member of an .npz, or of the file.
  std::string name;
  std::vector<Index> shape;
  /// As many as the shape says, in C order. NaN stands for a cell that is not there.
  Matrix<T> numbers;
};

enum class AttentionLayout {
  kOneArray,        ///< all layers and heads in one array
  kArrayEachLayer,  ///< an array of all heads for each layer
  kArrayEachHead,   ///< an array for each layer and head
  kGenerated,       ///< what `generate()` returns, step by step
};

struct ExportedAttentionOptions {
  /// Only arrays with this in their names: "cross_attentions". Empty: those with "attention" or
  /// "attn" in theirs where there are some, else all.
  std::string name;
  /// Which sequence of a batch.
  Index batch = 0;
  /// How far the sum of a row may be from 1. Rounding to float16 moves it by up to 5e-4, rounding
  /// to bfloat16 by up to 4e-3.
  double tolerance = 0.01;
  /// Whether rows with other sums are read too: softmax over one more place, as in gpt-oss, leaves
  /// less than 1.
  bool any_sum = false;
};

/// Weights of layers·heads matrices, queries × keys.
template <typename T = float>
struct ExportedAttention {
  Index layers = 0, heads = 0, queries = 0, keys = 0;
  AttentionLayout layout = AttentionLayout::kOneArray;
  /// The matrix of head h of layer l is at l·heads + h.
  std::vector<Matrix<T>> weights;
  /// The layers' numbers in the names of the arrays, where each layer has its own: those that were
  /// exported need not be all. Else 0, 1, ….
  std::vector<Index> layer_numbers;
  /// Of the keys, and of the queries; empty where the file has none.
  std::vector<std::string> tokens, query_tokens;
  /// How many queries each step of generation had, the prompt first; empty for other layouts.
  std::vector<Index> steps;
  /// Whether no query has weight on a key after it (the last query sees every key).
  bool causal = false;
  /// Rows without any weight: those of padding.
  Index empty_rows = 0;
  /// The largest |sum of a row − 1|, without empty rows.
  double worst_sum = 0;
  /// The names of the arrays that are no weights, or not those that were meant.
  std::vector<std::string> left_out;

  const Matrix<T>& at(Index layer, Index head) const;
};

/// Reads the arrays of a file, or of several. They may be
///   one array (layers, heads, n, m), (layers, batch, heads, n, m), (heads, n, m) or (n, m);
///   an array (heads, n, m) or (batch, heads, n, m) for each layer, whose names differ in one
///   number: "layer_0", "layer_1", or the arr_0, arr_1 of np.savez; an array (n, m) for each layer
///   and head, "layer_0/head_3"; what `generate(output_attentions=True)` returns: for each step and
///   layer (batch, heads, q, t), "step_0007/layer_02", or for each step (layers, heads, q, t) or
///   (layers, batch, heads, q, t). The prompt is step 0; each later one has a query of its own and
///   one key more. Where all steps stand in one array (steps, layers, heads, q, t) or (steps,
///   layers, batch, heads, q, t), what is not there is NaN.
/// n and m may differ (cross-attention). A row may end in NaN, for keys that its query had not yet.
/// `tokens` are those of the keys, one more after generation, because nothing was asked for the
/// last one; `query_tokens` those of the queries, needed only where they are others. O(numbers).
/// @throws ShapeError, ValueError: for arrays that are none of these, for batch entries that are
/// not there, for rows that are not weights, with layer, head and row, and for another number of
/// tokens; CapacityError for more than `kMostExportedNumbers` numbers.
template <typename T = float>
ExportedAttention<T> read_exported_attention(
    const std::vector<ExportedArray<std::type_identity_t<T>>>& arrays,
    const std::vector<std::string>& tokens = {}, const std::vector<std::string>& query_tokens = {},
    const ExportedAttentionOptions& options = {});

/// 512 MiB of float32, as much as files hold: 12 layers of 12 heads at 900 tokens.
inline constexpr std::uint64_t kMostExportedNumbers = std::uint64_t{1} << 27;

}  // namespace attn
