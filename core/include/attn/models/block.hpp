#pragma once
// A residual block: a norm, any sequence mixer, and a feed-forward network.

#include <memory>
#include <vector>

#include "attn/base/tensor.hpp"
#include "attn/mixers/sequence_mixer.hpp"
#include "attn/nn/activation.hpp"
#include "attn/nn/feed_forward.hpp"
#include "attn/nn/parameters.hpp"

namespace attn {

enum class BlockNorm {
  kLayer,  ///< LayerNorm with gain and shift
  kRms,    ///< RMSNorm with a gain
};

struct BlockOptions {
  SequenceMixerOptions mixer;
  BlockNorm norm = BlockNorm::kLayer;
  /// The width of the feed-forward network; 0: the block has none.
  Index feed_forward = 0;
  /// Whether that network has a gate, and no biases.
  bool gated = false;
  Activation activation = Activation::kGelu;
};

/// What `backward` needs of a forward pass.
template <typename T = float>
struct BlockRun {
  /// The block's input, that of the mixer, the sum after it, and the input of the feed-forward
  /// network; the last two are empty where there is none.
  Matrix<T> x, mixer_input, middle, feed_forward_input;
  FeedForwardRun<T> feed_forward;
};

/// y = x + mixer(norm(x)); then y + feed_forward(norm(y)). The norms come first (pre-norm: Xiong et
/// al. 2020, arXiv:2002.04745). Immutable: the parameters come with each call.
template <typename T = float>
class Block {
 public:
  /// @throws as `make_sequence_mixer`, and ValueError for a negative width.
  explicit Block(const BlockOptions& options);

  const BlockOptions& options() const { return options_; }
  const SequenceMixer<T>& mixer() const { return *mixer_; }
  /// "ln1.weight", "attn.…", "ln2.weight", "fc1.weight", …
  const ParameterTable& parameters() const { return table_; }

  /// X (sequences·n)×d_model, one sequence below the other. Keeps in `run` what `backward` needs,
  /// unless that is nullptr. The multiply-adds are the mixer's and 2 (gated: 3)·d·width a token.
  /// @throws as `SequenceMixer::forward`
  Matrix<T> forward(In<T> X, Index sequences, InVector<T> parameters, BlockRun<T>* run = nullptr,
                    const HeadGates<T>& gates = {}) const;
  /// dX of Σ forward ∘ dY; adds the gradients by the parameters, and writes those by the gates of
  /// the mixer's heads.
  /// @throws as `SequenceMixer::backward`
  Matrix<T> backward(const BlockRun<T>& run, Index sequences, InVector<T> parameters, In<T> dY,
                     Eigen::Ref<Vector<std::type_identity_t<T>>> d_parameters,
                     const HeadGates<T>& gates = {}, Matrix<T>* d_gates = nullptr) const;
  /// The next tokens of one sequence, r×d_model. @throws as `SequenceMixer::step`
  Matrix<T> step(In<T> X, InVector<T> parameters, MixerState<T>& state,
                 const HeadGates<T>& gates = {}) const;

  /// What the mixer sees of the part of `parameters` that is its own.
  Vector<T> mixer_parameters(InVector<T> parameters) const;

 private:
  Matrix<T> normed(In<T> X, const char* name, InVector<T> parameters) const;
  Matrix<T> feed(In<T> X, InVector<T> parameters, FeedForwardRun<T>* run = nullptr) const;

  BlockOptions options_;
  std::unique_ptr<SequenceMixer<T>> mixer_;
  ParameterTable table_;
  Index mixer_at_ = 0;
};

}  // namespace attn
