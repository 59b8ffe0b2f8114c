#pragma once
// What small models around one attention layer are trained with.

#include <cstdint>

#include "attn/attention/multi_head.hpp"
#include "attn/base/tensor.hpp"
#include "attn/nn/adamw.hpp"
#include "attn/nn/parameters.hpp"

namespace attn {

/// The parameters of a model with one attention layer, whose matrices are named Wq, Wk, Wv and Wo,
/// with their gradients and the steps of AdamW. The learning rate rises over a twentieth of all
/// steps and falls along half a cosine.
template <typename T>
class AttentionTraining {
 public:
  /// Parameters as the table says, from `seed`.
  AttentionTraining(ParameterTable table, std::uint64_t seed, Index steps,
                    const AdamWOptions& optimizer);

  Index parameters() const { return table_.size(); }
  auto matrix(const char* name) const { return view<T>(table_.at(name), parameters_); }
  auto vector(const char* name) const { return matrix(name).col(0); }
  auto gradient(const char* name) { return edit<T>(table_.at(name), gradients_); }

  /// The layer, with its own keys and values for each head. A copy.
  MultiHeadWeights<T> layer(Index heads) const;
  void add_gradients(const MultiHeadWeights<T>& d_layer);

  /// One step with the gradients so far, which begin at zero again.
  void update();
  Index finished() const { return finished_; }
  bool done() const { return finished_ >= steps_; }
  /// The share of the steps that is done, 0 … 1.
  double progress() const { return static_cast<double>(finished_) / static_cast<double>(steps_); }

 private:
  ParameterTable table_;
  AdamWOptions options_;
  Index steps_, finished_ = 0;
  Vector<T> parameters_, gradients_, decays_;
  AdamW<T> optimizer_;
};

}  // namespace attn
