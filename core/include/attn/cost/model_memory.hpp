#pragma once
// What a transformer keeps in memory: while it is trained, while it reads a text, and while it
// says one token after the other. Exact counts of the numbers that every operation has to keep,
// not of what an allocator adds.
//
// The counts are those of attention as it is written down ("eager"), operation by operation. In
// training an n×n matrix is not kept once per head but up to three times: softmax keeps the
// weights, dropout a mask of one byte, and the product with V the weights after dropout. In float32
// these are 4 + 1 + 4 = 9 bytes a cell.

#include <cstdint>

namespace attn {

enum class TrainingPrecision {
  kFloat32,
  /// Everything in 16 bits, the moments of the optimiser as well.
  kFloat16,
  /// torch.amp.autocast: parameters, gradients and moments in float32, products in 16 bits, softmax
  /// in float32. The weights are therefore kept twice: in float32 for the gradient of softmax, and
  /// in 16 bits for that of the product. 6 bytes a cell without dropout, not 2.
  kAutocast,
};

struct ModelMemoryShape {
  /// n tokens, and d numbers in each head's queries, keys and values; the width of the model is
  /// heads·d.
  std::uint64_t batch = 1, heads = 8, layers = 1, n = 512, d = 64;
  /// Heads that have keys and values of their own; 0: all.
  std::uint64_t kv_heads = 0;
  /// The width of the feed-forward networks, and the number of tokens there are; 0: none.
  std::uint64_t feed_forward = 0, vocabulary = 0;
  TrainingPrecision precision = TrainingPrecision::kFloat32;
  /// Whether training drops weights out.
  bool dropout = true;
  /// Attention in tiles: no n×n matrix is ever whole, and the backward pass makes the weights
  /// again.
  bool flash = false;
  /// Layers in a segment that is run again instead of kept, as in `CheckpointShape` with the last
  /// segment kept; 0: every layer keeps everything.
  std::uint64_t checkpoint_every = 0;
};

/// Bytes.
struct MemoryParts {
  /// The scores of the layer that is at work. They are given up after softmax.
  std::uint64_t scores = 0;
  /// What is kept of the n×n matrices of all layers; when nothing is trained, the weights of the
  /// layer that is at work.
  std::uint64_t weights = 0, dropout_mask = 0, dropped_weights = 0;
  /// What grows with n alone: inputs of layers, of norms and of products, and the logits.
  std::uint64_t activations = 0;
  std::uint64_t parameters = 0, gradients = 0;
  /// AdamW's two moments.
  std::uint64_t optimizer = 0;
  /// Keys and values of all tokens and layers.
  std::uint64_t cache = 0;
  std::uint64_t total = 0;
};

struct ModelMemory {
  /// At the peak: when the backward pass begins.
  MemoryParts training;
  /// A text of n tokens at once, whose keys and values are kept.
  MemoryParts reading;
  /// One more token after n − 1 others.
  MemoryParts decoding;
  /// The matrices alone, without norms and biases: W_Q, W_K, W_V and W_O, the two of a feed-forward
  /// network, and one table for embeddings and logits.
  std::uint64_t parameter_numbers = 0;
  /// What training keeps of each cell of an n×n matrix.
  std::uint64_t bytes_a_cell = 0;
};

/// O(1).
/// @throws ValueError for a size of 0, for kv_heads that does not divide heads, and for
/// checkpoint_every beyond `layers`; CapacityError for counts of more than 64 bits.
ModelMemory model_memory(const ModelMemoryShape& shape);

}  // namespace attn
