#pragma once
// One wide head against many thin ones of the same number of parameters: a layer learns to find the
// key that is nearest to a query.

#include <cstdint>
#include <vector>

#include "attn/base/tensor.hpp"
#include "attn/models/attention_training.hpp"

namespace attn {

struct NearestKeyOptions {
  /// The width of the layer. Its heads are d_model/heads wide, so that the number of parameters,
  /// 4·d_model², does not depend on how many there are.
  Index d_model = 8, heads = 1;
  /// How many keys there are to choose from, and how many queries choose among the same.
  Index keys = 16, queries = 32;
  Index steps = 300, batch = 4;
  double learning_rate = 3e-2;
  std::uint64_t seed = 0;
};

struct NearestKeyResult {
  /// Of each step's batch before the update: the mean squared error of a query's answer, and the
  /// share of queries whose answer is nearer to the wanted key than to any other.
  std::vector<double> loss, accuracy;
  /// The same shares and the mean weight of all heads on the wanted key, after training, on sets
  /// that were not trained on.
  double held_out_accuracy = 0, held_out_loss = 0, weight_on_nearest = 0;
  /// 1/keys: the share of a guess, and the weight of even attention on the wanted key.
  double chance = 0;
  /// Of the four matrices.
  Index parameters = 0;
  /// heads entries of queries×keys: the weights on one set that was not trained on, and which key
  /// is wanted for each of its queries.
  std::vector<Matrix<float>> weights;
  std::vector<std::int32_t> nearest;
};

/// Keys and queries are uniform on the unit sphere, drawn anew for each set; the layer
/// MHA(queries, keys, keys) is trained to answer the key with the largest product. One head of full
/// width can: W_q·W_kᵀ a large multiple of the unit matrix. A head of rank d_model/heads sees keys
/// and queries through so few products, and thin heads cannot always make up for it by their
/// number: the low-rank bottleneck of Bhojanapalli et al. 2020 (arXiv:2002.07028), and the target
/// of Amsel et al. 2024 (arXiv:2407.16153). The same options give the same bits on the same
/// kernels.
template <typename T = float>
class NearestKeyTraining {
 public:
  /// @throws ValueError for sizes below 1 (keys: below 2) or heads that do not divide d_model;
  /// CapacityError for d_model, keys or queries beyond 64, batch beyond 256 or steps beyond 10,000.
  explicit NearestKeyTraining(const NearestKeyOptions& options);

  /// Makes up to `steps` more steps; returns true when all are done. One step is `batch` forward
  /// and backward passes of the layer.
  bool step(Index steps);
  double progress() const { return training_.progress(); }
  const NearestKeyResult& result() const { return result_; }

 private:
  void learn();
  void measure();

  NearestKeyOptions options_;
  AttentionTraining<T> training_;
  NearestKeyResult result_;
};

}  // namespace attn
