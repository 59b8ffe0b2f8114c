#pragma once
// Sequence mixers as a registry: every way in which tokens see earlier ones, as a layer from
// d_model to d_model with its projections, behind one interface. A language model takes any of them
// by id.
//
// To add one, see core/src/mixers/registry/entry.hpp.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attn/attention/block_attention.hpp"
#include "attn/attention/quantization.hpp"
#include "attn/base/inputs.hpp"
#include "attn/base/tensor.hpp"
#include "attn/nn/parameters.hpp"

namespace attn {

struct SequenceMixerParameter {
  std::string_view name, label, description;
  double default_value, min, max;
  bool integer;
};

struct SequenceMixerPaper {
  std::string_view title, url, where;
};

/// The description of a mixer, available without making it.
struct SequenceMixerInfo {
  std::string_view id, label;
  /// TeX of the recurrence, or of the output where there is none.
  std::string_view tex;
  /// TeX of the numbers that go on from token to token.
  std::string_view state_tex;
  /// Which forms it has: all tokens at once; token by token from a state; in chunks.
  bool parallel = true, recurrent = true, chunked = false;
  /// Whether the state has one size however many tokens there were.
  bool constant_state = true;
  /// Whether what was written fades, and whether a write takes out what was there.
  bool forgets = false, overwrites = false;
  /// Whether it applies a matrix to its values that `weights` shows.
  bool has_matrix = true;
  SequenceMixerPaper paper = {};
  std::vector<SequenceMixerParameter> parameters = {};
};

/// All registered mixers, in the order in which a reader meets them.
std::span<const SequenceMixerInfo> sequence_mixers();

/// @throws ValueError listing the known ids.
const SequenceMixerInfo& sequence_mixer_info(std::string_view id);

/// Which tokens a token sees.
enum class SeenTokens {
  kEarlier,  ///< itself and those before: what a language model may see
  kAll,      ///< every token: "softmax" and "linear" alone
  kLater,    ///< itself and those after: "softmax" alone
  /// Those after and not itself: "softmax" alone. The last token sees none and gets 0, to which the
  /// output's bias is added.
  kStrictlyLater,
};

struct SequenceMixerOptions {
  std::string id = "softmax";
  Index d_model = 32, heads = 1;
  /// The width of a head's queries and keys; 0: d_model/heads. Values always have d_model/heads.
  Index d_k = 0;
  /// How many heads of keys and values there are, each for heads/kv_heads query heads in a row; 0:
  /// one for each head. Others than that have "softmax" and "sliding_window", whose caches they
  /// make smaller.
  Index kv_heads = 0;
  /// The longest sequence: what Hyena's filters and positional feature maps are made for.
  Index length = 64;
  SeenTokens sees = SeenTokens::kEarlier;
  /// Whether the projections of q, k, v and of the output have biases.
  bool bias = false;
  /// A map of `feature_maps()`, with its default parameters, for "linear".
  std::string feature_map = "elu_plus_one";
  /// What that map draws its projection from, if it has one.
  std::uint64_t seed = 0;
  /// Parameters by name; a parameter that is left out takes its default.
  std::vector<std::pair<std::string, double>> parameters;
};

/// A head whose softmax is replaced: it gives what `linear_attention` gives with φ(Wq·q) and
/// φ(Wk·k), as `MapDistillation` learns them.
template <typename T = float>
struct MappedHead {
  Index head = 0;
  /// An id of `feature_maps()`, with its default parameters.
  std::string feature_map = "hedgehog";
  /// d_k×d_k
  Matrix<T> Wq, Wk;
};

/// What is done to the outputs o of a layer's heads before they are joined: head h, whose gate is
/// ξ_h, gives ξ_h·o_h + (1 − ξ_h)·r_h.
template <typename T = float>
struct HeadGates {
  /// ξ, one for each head. Empty: all are 1. A gate of 1 changes no bit.
  Vector<T> gates;
  /// heads×d_v: r, what takes the place of each head's output, say its mean over a text. Empty:
  /// zeros.
  Matrix<T> instead;
  /// Heads that have a feature map for their softmax; each at most once.
  std::vector<MappedHead<T>> maps = {};
  /// n×n: the cells that every head keeps of those that its mask allows, where it is not 0; rows
  /// are queries. Empty: all. Heads with a map of their own keep all.
  Matrix<T> keep = {};
  /// Every head keeps its query's own block and those that its queries choose (`choose_blocks`), of
  /// the cells that `keep` leaves. Without it: all. What is chosen counts as a constant on the way
  /// back. Heads with a map of their own choose nothing.
  std::optional<BlockChoiceOptions> blocks = {};
  /// Every head reads its keys and values from a cache of few bits. Each token has the cache as it
  /// is when it comes: with fewer tokens than `exact_keys` or `exact_values`, all are exact. Only
  /// what comes out has it, not `weights` and `backward`. Heads with a map have exact keys.
  std::optional<QuantizedCacheOptions> cache = {};

  /// Whether heads without a map keep all cells that their mask allows.
  bool all_cells() const { return keep.size() == 0 && !blocks; }
  bool open() const {
    return gates.size() == 0 && instead.size() == 0 && maps.empty() && all_cells() && !cache;
  }
};

/// What goes on from token to token.
template <typename T = float>
struct MixerState {
  /// Tokens so far.
  Index position = 0;
  /// What the mixer keeps of them; each mixer has its own list.
  std::vector<Matrix<T>> parts;

  /// How many numbers it holds.
  Index size() const {
    Index all = 0;
    for (const Matrix<T>& part : parts) all += part.size();
    return all;
  }
};

/// One mixer, ready to be applied. Immutable: the parameters come with each call.
template <typename T = float>
class SequenceMixer {
 public:
  virtual ~SequenceMixer() = default;
  SequenceMixer(const SequenceMixer&) = delete;
  SequenceMixer& operator=(const SequenceMixer&) = delete;

  const SequenceMixerInfo& info() const { return *info_; }
  const SequenceMixerOptions& options() const { return options_; }
  /// The parameter as it was given, or its default.
  /// @throws ValueError for a name that the mixer does not know.
  double parameter(std::string_view name) const;
  /// The parameters of the layer, with names of their own and how they begin.
  const ParameterTable& parameters() const { return table_; }

  /// The layer's output for `sequences` sequences of the same length, one below the other:
  /// (sequences·n)×d_model in, the same out.
  /// @throws ShapeError, ValueError, also for gates of a mixer that has no `gated_heads`
  Matrix<T> forward(In<T> X, Index sequences, InVector<T> parameters,
                    const HeadGates<T>& gates = {}) const;
  /// dX of Σ forward ∘ dY; adds the gradients by the parameters to `d_parameters`. The forward pass
  /// is computed again. `d_gates`, unless it is null, becomes (sequences·n)×heads: what each token
  /// adds to the gradient by each head's gate, (o − r)·∂/∂o.
  /// @throws as `forward`
  Matrix<T> backward(In<T> X, Index sequences, InVector<T> parameters, In<T> dY,
                     Eigen::Ref<Vector<std::type_identity_t<T>>> d_parameters,
                     const HeadGates<T>& gates = {}, Matrix<T>* d_gates = nullptr) const;

  /// How many heads have outputs of their own, d_v wide, that gates can change: those of mixers of
  /// queries, keys and values. 0 for all other mixers.
  virtual Index gated_heads() const { return 0; }
  /// These outputs side by side, before they are joined: (sequences·n)×heads·d_v.
  /// @throws as `forward` with gates
  Matrix<T> head_outputs(In<T> X, Index sequences, InVector<T> parameters) const;

  /// No token yet.
  MixerState<T> start() const;
  /// The next tokens of one sequence, r×d_model: the rows that `forward` gives for them, up to
  /// rounding. Changes the state.
  /// @throws ShapeError, ValueError, also where a token may see later ones; CapacityError past
  /// `length` where the mixer has such an end.
  Matrix<T> step(In<T> X, InVector<T> parameters, MixerState<T>& state,
                 const HeadGates<T>& gates = {}) const;

  /// The next tokens of one sequence, r×d_model, of which no output is wanted: leaves the state as
  /// `step` does, up to rounding. A cache is filled with all of them at once, in O(r) beside the
  /// room that it takes; where a state is written, each token costs what it costs `step`.
  /// @throws as `step`
  void read(In<T> X, InVector<T> parameters, MixerState<T>& state) const;

  /// How many matrices `weights` has: heads, or channels where each has its own.
  virtual Index weight_count() const { return options_.heads; }
  /// The matrix n×n that head or channel `which` applies to its values in one sequence of n tokens.
  /// @throws ShapeError, ValueError, also for a mixer without a matrix or a number that is not
  /// there.
  Matrix<T> weights(In<T> X, InVector<T> parameters, Index which,
                    const HeadGates<T>& gates = {}) const;

  /// Whether a feature map can take the place of a head's softmax: in "softmax" without ALiBi,
  /// whose scores no map of q and k has, for tokens that do not see later ones alone.
  virtual bool maps_heads() const { return false; }
  /// What a head compares and mixes in one sequence: its queries and keys, turned where they have
  /// positions, and its values. n×d_k, n×d_k, n×d_v.
  /// @throws ShapeError, ValueError, also for a mixer that cannot map heads or a head that is not
  /// there
  Qkv<T> head_inputs(In<T> X, InVector<T> parameters, Index head) const;

  /// The numbers of the state after n tokens. Equal to `MixerState::size`.
  virtual std::uint64_t state_numbers(Index n) const = 0;
  /// The multiply-adds of `forward` for one sequence of n tokens, projections included: exactly
  /// what an `OperationMeter` counts.
  virtual std::uint64_t multiply_adds(Index n) const = 0;

 protected:
  SequenceMixer(const SequenceMixerInfo& info, SequenceMixerOptions options);

  // Gates that are not open are given only to mixers that have `gated_heads`.
  virtual Matrix<T> do_forward(In<T> X, Index sequences, InVector<T> parameters,
                               const HeadGates<T>& gates) const = 0;
  virtual Matrix<T> do_backward(In<T> X, Index sequences, InVector<T> parameters, In<T> dY,
                                Eigen::Ref<Vector<T>> d_parameters, const HeadGates<T>& gates,
                                Matrix<T>* d_gates) const = 0;
  virtual Matrix<T> do_head_outputs(In<T> X, Index sequences, InVector<T> parameters) const;
  virtual MixerState<T> do_start() const = 0;
  virtual Matrix<T> do_step(In<T> X, InVector<T> parameters, MixerState<T>& state,
                            const HeadGates<T>& gates) const = 0;
  virtual void do_read(In<T> X, InVector<T> parameters, MixerState<T>& state) const;
  virtual Matrix<T> do_weights(In<T> X, InVector<T> parameters, Index which,
                               const HeadGates<T>& gates) const = 0;
  virtual Qkv<T> do_head_inputs(In<T> X, InVector<T> parameters, Index head) const;

  SequenceMixerOptions options_;
  ParameterTable table_;

 private:
  void require_input(In<T> X, Index sequences, InVector<T> parameters) const;
  void require_gated_heads() const;
  void require_gates(const HeadGates<T>& gates) const;
  void require_mapped_heads(std::string_view argument = "maps") const;
  void require_steps(In<T> X, InVector<T> parameters) const;

  const SequenceMixerInfo* info_;
};

/// The mixer of that id.
/// @throws ValueError for an unknown id (listing the known ones), an unknown parameter, a value
/// outside its range, widths that heads do not divide, tokens that the mixer cannot see, or
/// kv_heads that do not divide heads or that it does not have.
template <typename T = float>
std::unique_ptr<SequenceMixer<T>> make_sequence_mixer(const SequenceMixerOptions& options);

}  // namespace attn
