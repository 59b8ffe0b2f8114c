#pragma once
// A small model that learns to say a list backwards, with one cross-attention layer.

#include <cstdint>
#include <vector>

#include "attn/base/tensor.hpp"
#include "attn/models/attention_training.hpp"

namespace attn {

struct ReversalOptions {
  /// Lists of `length` tokens, each uniform in 0 … vocabulary − 1.
  Index vocabulary = 10, length = 8;
  Index d_model = 32, heads = 1;
  Index steps = 150, batch = 32;
  double learning_rate = 1e-2;
  /// A picture of the attention is kept after so many steps, and after the last.
  Index frame_every = 10;
  std::uint64_t seed = 0;
};

/// The cross-attention for one list at one time of the training.
struct ReversalFrame {
  /// Finished steps.
  Index step = 0;
  /// The mean over the target places t of the weight on the source place length − 1 − t, over all
  /// heads: 1/length before any training, 1 for a perfect anti-diagonal.
  double anti_diagonal = 0;
  /// The same of each head; `anti_diagonal` is their mean.
  std::vector<double> anti_diagonals;
  /// The list as the model says it backwards.
  std::vector<std::int32_t> said;
  /// Of each head length×length: the weights; rows are target places, columns source places.
  std::vector<Matrix<float>> weights;
};

struct ReversalResult {
  /// Of each step's batch before the update: the loss in nats and the share of right tokens.
  std::vector<double> loss, accuracy;
  std::vector<ReversalFrame> frames;
  /// The list of the frames: different tokens, as far as the vocabulary has them.
  std::vector<std::int32_t> list;
};

/// Trains logits_t = Wo'·MHA(queries p_t, keys and values e(x_s) + r_s) + b with the loss of saying
/// x_{length−1−t} at place t. The queries are learned vectors of the target places alone, so all
/// that the model knows of the list comes through the cross-attention (Vaswani et al. 2017,
/// arXiv:1706.03762, section 3.2.3). The same options give the same bits on the same kernels.
template <typename T = float>
class ReversalTraining {
 public:
  /// @throws ValueError for sizes below 1 (vocabulary, length: below 2), heads that do not divide
  /// d_model; CapacityError for length or vocabulary beyond 64 or d_model beyond 256.
  explicit ReversalTraining(const ReversalOptions& options);

  /// Makes up to `steps` more steps; returns true when all are done. One step is `batch` forward
  /// and backward passes of the layer.
  bool step(Index steps);
  double progress() const { return training_.progress(); }
  const ReversalResult& result() const { return result_; }

 private:
  Matrix<T> memory(const std::vector<std::int32_t>& list) const;
  void learn();
  void keep_frame();

  ReversalOptions options_;
  AttentionTraining<T> training_;
  ReversalResult result_;
};

}  // namespace attn
