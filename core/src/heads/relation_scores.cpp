#include "attn/heads/relation_scores.hpp"

#include <map>

#include "heads/shared.hpp"

namespace attn {
namespace {

using internal::RunningMean;

/// The mean weights of one head, or of even attention, on cells without the relation, by distance.
template <typename Weight>
std::map<Index, RunningMean> without_relation(std::size_t texts, Weight each_cell) {
  std::map<Index, RunningMean> at;
  for (std::size_t t = 0; t < texts; ++t) {
    each_cell(t, [&](Index i, Index j, double weight, bool holds) {
      if (!holds) at[j - i].add(weight);
    });
  }
  return at;
}

}  // namespace

template <typename T>
std::vector<RelationScore> relation_scores(std::span<const RelationText<T>> texts,
                                           const Mask& mask) {
  if (texts.empty()) throw ShapeError("texts", phrase::none, phrase::at_least_one_text);
  const std::size_t heads = texts[0].weights.size();
  for (const RelationText<T>& text : texts) {
    internal::require_square_weights<T>("texts", std::span<const Matrix<T>>(text.weights));
    if (text.weights.size() != heads) {
      throw ShapeError("texts", phrase::heads_seen(text.weights.size()),
                       phrase::as_many_heads(heads));
    }
    const Index n = text.weights[0].rows();
    require_shape<T>("texts", text.relation, n, n, phrase::shape_of_first_head);
    mask.require_fits(n, n);
  }
  std::vector<RelationScore> made(heads);
  for (std::size_t h = 0; h < heads; ++h) {
    const auto cells = [&](std::size_t t, auto use) {
      const RelationText<T>& text = texts[t];
      const Matrix<T>& A = text.weights[h];
      const Index n = A.rows();
      for (Index i = 0; i < n; ++i) {
        mask.keys(i, n, n).for_each(
            [&](Index j) { use(i, j, static_cast<double>(A(i, j)), text.relation(i, j) != T(0)); });
      }
    };
    const auto elsewhere = without_relation(texts.size(), cells);
    RunningMean score, beside, uniform;
    std::map<Index, Index> largest;
    Index free = 0;
    for (std::size_t t = 0; t < texts.size(); ++t) {
      const RelationText<T>& text = texts[t];
      const Matrix<T>& A = text.weights[h];
      const Index n = A.rows();
      for (Index i = 0; i < n; ++i) {
        double on = 0, off = 0, seen = 0, named = 0, best = -1;
        Index at = 0;
        bool comparable = true;
        mask.keys(i, n, n).for_each([&](Index j) {
          const double weight = static_cast<double>(A(i, j));
          ++seen;
          if (weight > best) {
            best = weight;
            at = j - i;
          }
          if (text.relation(i, j) == T(0)) return;
          const auto found = elsewhere.find(j - i);
          if (found == elsewhere.end()) {
            comparable = false;
            return;
          }
          on += weight;
          off += found->second.value();
          ++named;
        });
        if (seen > 1 && best > 0) {
          ++largest[at];
          ++free;
        }
        if (named == 0 || !comparable || best <= 0) continue;
        score.add(on);
        beside.add(off);
        uniform.add(named / seen);
      }
    }
    RelationScore& one = made[h];
    one.score = score.value();
    one.elsewhere = beside.value();
    one.uniform = uniform.value();
    one.rows = score.count();
    for (const auto& [offset, count] : largest) {
      const double share = static_cast<double>(count) / static_cast<double>(free);
      if (share <= one.offset_share) continue;
      one.offset = offset;
      one.offset_share = share;
    }
  }
  return made;
}

template std::vector<RelationScore> relation_scores<float>(std::span<const RelationText<float>>,
                                                           const Mask&);
template std::vector<RelationScore> relation_scores<double>(std::span<const RelationText<double>>,
                                                            const Mask&);

}  // namespace attn
