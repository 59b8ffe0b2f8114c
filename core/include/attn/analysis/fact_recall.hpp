#pragma once
// How long a memory of attention keeps one fact: a key and its value, planted before other tokens
// and asked for after them.

#include <cstdint>
#include <optional>
#include <vector>

#include "attn/analysis/random_feature_errors.hpp"
#include "attn/base/tensor.hpp"
#include "attn/linear_attention/feature_map.hpp"

namespace attn {

struct FactRecallOptions {
  /// The number of tokens that follow the fact.
  Index n = 1024;
  Index d_k = 16, d_v = 16;
  /// Keys are drawn from N(0, 1) and multiplied by this.
  double key_scale = 2;
  Index draws = 10;
  /// Draw i takes its keys, its values and its projection from seed + i.
  std::uint64_t seed = 0;
};

/// The most tokens after the fact, widths and draws.
inline constexpr Index kMaxRecallTokens = 65536, kMaxRecallWidth = 256, kMaxRecallDraws = 1000;

template <typename T = float>
struct FactRecallResult {
  /// D; 0 for softmax, which has no finite one.
  Index feature_dimension = 0;
  /// The numbers of tokens after the fact at which every draw is asked: 0, 1, 2, 4, … and n.
  std::vector<Index> tokens;
  /// For each of them, over the draws: the share of the answer that comes from the fact,
  /// φ(q)·φ(k)/(φ(q)·z + ε), or its softmax weight.
  std::vector<Spread> weight;
  /// For each of them the share of the entries of all draws whose sign in the answer is that of the
  /// fact's value. A guess reaches one half.
  std::vector<double> right;
  /// For each of them how many numbers the memory holds: D·(d_v + 1), or for softmax all keys and
  /// values, (t + 1)·(d_k + d_v).
  std::vector<double> numbers;
  /// The first draw: the fact's value, 1×d_v, entries −1 and 1; and after t = 0 … n tokens the
  /// answer, (n + 1)×d_v, and the fact's weight in it.
  Matrix<T> fact, answers;
  std::vector<double> weights;
};

/// Plants a fact as the first token, lets n others pass, and asks for it with its own key. The keys
/// are Gaussian and the values are random signs, so nothing about the fact follows from another
/// token. Linear attention answers from its state, which has one size (Katharopoulos et al. 2020,
/// arXiv:2006.16236, section 3.4; Schlag et al. 2021, arXiv:2102.11174, section 4.1, for what such
/// a state can hold). Softmax attention weighs all keys by e^{q·k/√d_k}.
///
///   FactRecall work(map_or_nothing, options);
///   while (!work.step(1)) …
///   use(work.result());
template <typename T = float>
class FactRecall {
 public:
  /// @param map left out: softmax attention.
  /// @throws ValueError for a size outside 1 … its largest, a scale that is not positive and
  /// finite, or a map that is not `streamable`; ShapeError for a map of another width.
  FactRecall(std::optional<FeatureMap<T>> map, const FactRecallOptions& options);

  /// Makes up to `draws` more draws; returns true when all are done. A draw costs about n·D·(d_v +
  /// 1) multiply-adds and φ of n + 1 keys, the first one n·D·(d_v + 1) more; softmax n·(d_k + d_v)
  /// and n exp.
  bool step(Index draws);
  /// The share of the work that is done, 0 … 1.
  double progress() const;
  /// The result, complete once `step` has returned true.
  const FactRecallResult<T>& result() const { return result_; }

 private:
  /// The answer and the weight of the fact at one moment of a draw.
  struct Answer {
    Vector<T> output;
    double weight = 0;
  };

  void draw();
  void note(Index t, const Answer& answer, In<T> fact);
  void softmax(In<T> K, In<T> V);
  void linear(In<T> K, In<T> V, std::uint64_t seed);
  void finish();

  std::optional<FeatureMap<T>> map_;
  FactRecallOptions options_;
  Index drawn_ = 0;
  /// For each of `tokens`: the weights of the draws, and how many signs were right.
  std::vector<std::vector<double>> samples_;
  std::vector<double> right_;
  FactRecallResult<T> result_;
};

}  // namespace attn
