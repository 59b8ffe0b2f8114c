#include "attn/analysis/head_pictures.hpp"

#include <cmath>

#include "attn/attention/attention.hpp"
#include "attn/base/errors.hpp"
#include "attn/base/rng.hpp"

namespace attn {
namespace {

void require_place(std::string_view name, Index place, Index n) {
  if (place < 0 || place >= n)
    throw ValueError(name, phrase::number(place), phrase::range(0, n - 1));
}

void require_number(std::string_view name, double x) {
  if (!std::isfinite(x)) throw ValueError(name, phrase::number(x), phrase::finite_number);
}

void check(const HeadPictureOptions& options) {
  const Index n = options.n;
  if (n < 1 || n > kMaxPictureTokens) {
    throw ValueError("n", phrase::number(n), phrase::range(1, kMaxPictureTokens));
  }
  require_place("key", options.key, n);
  require_place("query", options.query, n);
  if (std::abs(options.offset) >= n) {
    throw ValueError("offset", phrase::number(options.offset), phrase::range(1 - n, n - 1));
  }
  if (options.block_size < 1) {
    throw ValueError("block_size", phrase::number(options.block_size), phrase::at_least(1));
  }
  require_number("diagonal", options.diagonal);
  require_number("vertical", options.vertical);
  require_number("block", options.block);
  require_number("horizontal", options.horizontal);
  require_number("noise", options.noise);
}

/// The recipes of a round: one for each kind that `name_head` knows, and one that mixes.
enum class Recipe { kPrevious, kNext, kSelf, kFirst, kOneKey, kUniform, kLocal, kBroad, kMixed };
constexpr int kRecipes = 9;

HeadPictureOptions recipe(Recipe kind, Rng& rng) {
  HeadPictureOptions made;
  made.n = 10 + static_cast<Index>(rng.below(7));
  made.seed = rng.below(std::uint64_t{1} << 31);
  const double strong = 4 + 2 * rng.uniform();
  switch (kind) {
    case Recipe::kPrevious:
    case Recipe::kNext:
    case Recipe::kSelf:
      made.diagonal = strong;
      made.offset = kind == Recipe::kSelf ? 0 : kind == Recipe::kNext ? 1 : -1;
      made.causal = kind == Recipe::kPrevious && rng.uniform() < 0.5;
      break;
    case Recipe::kFirst:
      made.vertical = strong;
      break;
    case Recipe::kOneKey:
      made.vertical = strong;
      made.key = 2 + static_cast<Index>(rng.below(static_cast<std::uint64_t>(made.n - 3)));
      break;
    case Recipe::kUniform:
      made.noise = 0.15;
      made.causal = rng.uniform() < 0.5;
      break;
    case Recipe::kLocal:
      made.block = strong;
      made.block_size = 3;
      break;
    case Recipe::kBroad:
      made.noise = 0.8;
      break;
    case Recipe::kMixed:
      made.diagonal = 2.5;
      made.vertical = 2.5;
      made.key = 1 + static_cast<Index>(rng.below(static_cast<std::uint64_t>(made.n - 2)));
      made.noise = 1.2;
      break;
  }
  return made;
}

}  // namespace

template <typename T>
Matrix<T> head_picture(const HeadPictureOptions& options) {
  check(options);
  const Index n = options.n;
  Matrix<double> scores = Rng(options.seed).gaussian_matrix<double>(n, n) * options.noise;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      if (j == i + options.offset) scores(i, j) += options.diagonal;
      if (j == options.key) scores(i, j) += options.vertical;
      if (i / options.block_size == j / options.block_size) scores(i, j) += options.block;
    }
  }
  scores.row(options.query).array() += options.horizontal;
  if (options.even_row) scores.row(options.query).setConstant(options.horizontal);
  Matrix<T> weights = scores.cast<T>();
  masked_softmax_rows<T>(weights, options.causal ? Mask::causal() : Mask::full(), 0, n);
  return weights;
}

template <typename T>
HeadQuizPicture<T> head_quiz_picture(std::uint64_t seed, Index index) {
  if (index < 0) throw ValueError("index", phrase::number(index), phrase::at_least(0));
  // Each block of `kRecipes` pictures is a shuffled list of all recipes, so every kind occurs.
  Rng order(seed, static_cast<std::uint64_t>(index / kRecipes));
  int kinds[kRecipes];
  for (int i = 0; i < kRecipes; ++i) kinds[i] = i;
  for (int i = kRecipes - 1; i > 0; --i) {
    std::swap(kinds[i], kinds[order.below(static_cast<std::uint64_t>(i) + 1)]);
  }
  Rng rng(seed, (std::uint64_t{1} << 32) + static_cast<std::uint64_t>(index));
  HeadQuizPicture<T> made;
  made.options = recipe(static_cast<Recipe>(kinds[index % kRecipes]), rng);
  made.weights = head_picture<T>(made.options);
  AttentionPatternOptions how;
  how.mask = made.options.causal ? Mask::causal() : Mask::full();
  how.rank = false;
  made.patterns = analyze_attention_patterns<T>(made.weights, how);
  made.head = name_head(made.patterns);
  return made;
}

#define ATTN_INSTANTIATE(T)                                      \
  template Matrix<T> head_picture<T>(const HeadPictureOptions&); \
  template HeadQuizPicture<T> head_quiz_picture<T>(std::uint64_t, Index);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
