#include "attn/models/attention_training.hpp"

#include <utility>

namespace attn {

template <typename T>
AttentionTraining<T>::AttentionTraining(ParameterTable table, std::uint64_t seed, Index steps,
                                        const AdamWOptions& optimizer)
    : table_(std::move(table)),
      options_(optimizer),
      steps_(steps),
      parameters_(table_.size()),
      gradients_(Vector<T>::Zero(table_.size())),
      decays_(decay_mask<T>(table_)),
      optimizer_(table_.size(), optimizer) {
  initialize<T>(table_, seed, parameters_);
}

template <typename T>
MultiHeadWeights<T> AttentionTraining<T>::layer(Index heads) const {
  return {heads, heads, matrix("Wq"), matrix("Wk"), matrix("Wv"), matrix("Wo"), {}, {}, {}, {}};
}

template <typename T>
void AttentionTraining<T>::add_gradients(const MultiHeadWeights<T>& d_layer) {
  gradient("Wq") += d_layer.Wq;
  gradient("Wk") += d_layer.Wk;
  gradient("Wv") += d_layer.Wv;
  gradient("Wo") += d_layer.Wo;
}

template <typename T>
void AttentionTraining<T>::update() {
  const double rate = options_.learning_rate * cosine_schedule(finished_, steps_, steps_ / 20);
  optimizer_.step(parameters_, gradients_, rate, decays_);
  gradients_.setZero();
  ++finished_;
}

template class AttentionTraining<float>;
template class AttentionTraining<double>;

}  // namespace attn
