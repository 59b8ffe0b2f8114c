#include "attn/models/influence.hpp"

#include <cmath>
#include <vector>

#include "attn/base/errors.hpp"
#include "attn/models/phrases.hpp"
#include "attn/models/speculative.hpp"

namespace attn {
namespace {

/// The probabilities of the next token at every place, as they are without sampling options.
template <typename T>
Matrix<double> said_at_every_place(const LanguageModel<T>& model,
                                   std::span<const std::int32_t> tokens) {
  const Matrix<T> logits = model.logits(tokens, 1);
  Matrix<double> made(logits.rows(), logits.cols());
  for (Index i = 0; i < logits.rows(); ++i) {
    made.row(i) = token_probabilities<T>(logits.row(i).transpose(), {}).transpose();
  }
  return made;
}

}  // namespace

template <typename T>
Matrix<T> token_influence(const LanguageModel<T>& model, std::span<const std::int32_t> tokens,
                          Index draws, Rng& rng) {
  const Index vocabulary = model.options().vocabulary;
  if (draws < 1) throw ValueError("draws", phrase::number(draws), phrase::at_least(1));
  if (vocabulary < 2)
    throw ValueError("model", phrase::vocabulary_seen(vocabulary), phrase::at_least(2));
  const auto n = static_cast<Index>(tokens.size());
  const Matrix<double> before = said_at_every_place(model, tokens);
  std::vector<std::int32_t> text(tokens.begin(), tokens.end());
  Matrix<T> made = Matrix<T>::Zero(n, n);
  for (Index j = 0; j < n; ++j) {
    auto& place = text[static_cast<std::size_t>(j)];
    const std::int32_t own = place;
    for (Index draw = 0; draw < draws; ++draw) {
      const auto other =
          static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(vocabulary - 1)));
      place = other < own ? other : other + 1;
      const Matrix<double> after = said_at_every_place(model, text);
      for (Index i = 0; i < n; ++i) {
        const double apart = 0.5 * (after.row(i) - before.row(i)).cwiseAbs().sum();
        made(i, j) += static_cast<T>(apart / static_cast<double>(draws));
      }
    }
    place = own;
  }
  return made;
}

#define ATTN_INSTANTIATE(T)                                                                     \
  template Matrix<T> token_influence<T>(const LanguageModel<T>&, std::span<const std::int32_t>, \
                                        Index, Rng&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
