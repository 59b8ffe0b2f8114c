#include "attn/nn/cross_entropy.hpp"

#include <cmath>

#include "attn/base/errors.hpp"
#include "attn/nn/phrases.hpp"
#include "cost/meter.hpp"

namespace attn {

template <typename T>
CrossEntropyResult<T> cross_entropy(In<T> logits, std::span<const std::int32_t> targets,
                                    bool gradient, std::int32_t ignored) {
  const Index n = logits.rows(), classes = logits.cols();
  if (logits.size() == 0) {
    throw ShapeError("logits", phrase::shape(n, classes), phrase::row_and_column);
  }
  if (static_cast<Index>(targets.size()) != n) {
    throw ShapeError("targets", phrase::entries_seen(targets.size()),
                     phrase::count_because(n, phrase::target_each_row));
  }
  require_finite<T>("logits", logits);
  CrossEntropyResult<T> result;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i] == ignored) continue;
    if (targets[i] < 0 || targets[i] >= classes) {
      throw ValueError("targets", phrase::at_entry(targets[i], i),
                       phrase::class_or_ignored(classes - 1, ignored));
    }
    ++result.counted;
  }
  if (gradient) result.d_logits = Matrix<T>::Zero(n, classes);
  if (result.counted == 0) return result;
  const double share = 1 / static_cast<double>(result.counted);
  Index right = 0;
  for (Index i = 0; i < n; ++i) {
    const std::int32_t target = targets[static_cast<std::size_t>(i)];
    if (target == ignored) continue;
    Index best = 0;
    const double largest = static_cast<double>(logits.row(i).maxCoeff(&best));
    double sum = 0;
    for (Index c = 0; c < classes; ++c) sum += std::exp(double{logits(i, c)} - largest);
    result.loss += share * (std::log(sum) + largest - double{logits(i, target)});
    if (best == target) ++right;
    if (!gradient) continue;
    for (Index c = 0; c < classes; ++c) {
      const double weight = std::exp(double{logits(i, c)} - largest) / sum;
      result.d_logits(i, c) = static_cast<T>(share * (weight - (c == target ? 1 : 0)));
    }
  }
  result.accuracy = share * static_cast<double>(right);
  const std::uint64_t all = internal::wide(result.counted * classes);
  internal::note<T>({.exps = gradient ? 2 * all : all,
                     .read = gradient ? 2 * all : all,
                     .written = gradient ? internal::wide(n * classes) : 0});
  return result;
}

template CrossEntropyResult<float> cross_entropy<float>(In<float>, std::span<const std::int32_t>,
                                                        bool, std::int32_t);
template CrossEntropyResult<double> cross_entropy<double>(In<double>, std::span<const std::int32_t>,
                                                          bool, std::int32_t);

}  // namespace attn
