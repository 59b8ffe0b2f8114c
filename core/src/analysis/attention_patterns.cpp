#include "attn/analysis/attention_patterns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "analysis/shared.hpp"
#include "attn/analysis/phrases.hpp"
#include "attn/analysis/singular_values.hpp"
#include "attn/base/errors.hpp"

namespace attn {
namespace {

using internal::kNaN;

/// The mean of the added numbers; NaN when there are none.
class Mean {
 public:
  void add(double x) {
    sum_ += x;
    ++count_;
  }
  double value() const { return count_ > 0 ? sum_ / static_cast<double>(count_) : kNaN; }

 private:
  double sum_ = 0;
  Index count_ = 0;
};

void require_options(const AttentionPatternOptions& options) {
  if (options.window < 0)
    throw ValueError("window", phrase::number(options.window), phrase::at_least(0));
  if (!(options.sparsity_threshold >= 0)) {
    throw ValueError("sparsity_threshold", phrase::number(options.sparsity_threshold),
                     phrase::number_of_at_least(0));
  }
  const double tolerance = options.rank_tolerance.value_or(0);
  if (!(tolerance >= 0 && tolerance < 1)) {
    throw ValueError("rank_tolerance", phrase::number(tolerance),
                     phrase::number_from_to_below(0, 1));
  }
}

template <typename T>
void require_weights(In<T> weights, const Mask& mask) {
  const Index n = weights.rows(), m = weights.cols();
  if (n == 0 || m == 0) {
    throw ShapeError("weights", phrase::shape(n, m), phrase::row_and_column);
  }
  mask.require_fits(n, m);
  for (Index i = 0; i < n; ++i) {
    const Mask::Keys keys = mask.keys(i, n, m);
    for (Index j = 0; j < m; ++j) {
      const double w = static_cast<double>(weights(i, j));
      const bool kept = keys.contains(j);
      if (kept ? w >= 0 && std::isfinite(w) : w == 0) continue;
      throw ValueError("weights", phrase::at_cell(w, i, j),
                       kept ? phrase::finite_weights() : phrase::zero_where_blocked());
    }
  }
}

}  // namespace

template <typename T>
AttentionPatterns analyze_attention_patterns(In<T> weights,
                                             const AttentionPatternOptions& options) {
  require_options(options);
  require_weights<T>(weights, options.mask);
  const Mask& mask = options.mask;
  const Index n = weights.rows(), m = weights.cols();
  const bool top_left = options.alignment ? *options.alignment == Alignment::kTopLeft
                                          : mask.kind() == Mask::Kind::kCausal;
  const Index shift = top_left ? 0 : m - n;
  const auto size = static_cast<std::size_t>(n);

  AttentionPatterns all;
  AttentionRows& rows = all.rows;
  for (auto* list : {&rows.max, &rows.entropy, &rows.effective_keys, &rows.uniformity,
                     &rows.diagonal, &rows.local, &rows.distance}) {
    list->assign(size, kNaN);
  }
  rows.top_key.assign(size, -1);
  rows.visible_keys.assign(size, 0);
  AttentionColumns& columns = all.columns;
  columns.received.assign(static_cast<std::size_t>(m), 0);
  columns.received_if_equal.assign(static_cast<std::size_t>(m), 0);
  columns.seen_by.assign(static_cast<std::size_t>(m), 0);
  std::vector<double> from_free(static_cast<std::size_t>(m), 0);

  Mean max, entropy, effective_keys, diagonal, local, global, distance, uniformity;
  Mean equal_diagonal, equal_local, equal_distance, sparsity;
  Mean previous, next, self, first;
  for (Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Index visible = mask.count(i, n, m), position = i + shift;
    rows.visible_keys[at] = visible;
    const double sum = weights.row(i).template cast<double>().sum();
    if (!(sum > 0)) {
      ++all.empty_rows;
      continue;
    }
    const bool free = visible > 1;
    all.free_rows += free;
    const double equal = 1 / static_cast<double>(visible);
    double top = -1, nats = 0, on_diagonal = 0, near = 0, beyond = 0, far = 0;
    double same_diagonal = 0, same_near = 0, same_far = 0;
    mask.keys(i, n, m).for_each([&](Index j) {
      const auto key = static_cast<std::size_t>(j);
      const double w = static_cast<double>(weights(i, j)) / sum;
      const Index apart = std::abs(position - j);
      if (w > top) {
        top = w;
        rows.top_key[at] = j;
      }
      if (w > 0) nats -= w * std::log(w);
      sparsity.add(w < options.sparsity_threshold ? 1 : 0);
      far += w * static_cast<double>(apart);
      same_far += equal * static_cast<double>(apart);
      if (apart == 0) {
        on_diagonal = w;
        same_diagonal = equal;
      }
      if (apart <= options.window) {
        near += w;
        same_near += equal;
      } else {
        beyond += w;
      }
      columns.received[key] += w;
      columns.received_if_equal[key] += equal;
      ++columns.seen_by[key];
      if (!free) return;
      from_free[key] += w;
      if (j == position - 1) previous.add(w);
      if (j == position + 1) next.add(w);
      if (j == position) self.add(w);
      if (j == 0 && position != 0) first.add(w);
    });
    // A weight that is rounded to just above 1 would make the entropy negative.
    nats = std::max(nats, 0.0);
    const auto note = [&](std::vector<double>& list, Mean& mean, double value) {
      list[at] = value;
      mean.add(value);
    };
    note(rows.max, max, top);
    note(rows.entropy, entropy, nats);
    note(rows.effective_keys, effective_keys, std::exp(nats));
    note(rows.diagonal, diagonal, on_diagonal);
    note(rows.local, local, near);
    note(rows.distance, distance, far);
    if (free) note(rows.uniformity, uniformity, nats / std::log(static_cast<double>(visible)));
    global.add(beyond);
    equal_diagonal.add(same_diagonal);
    equal_local.add(same_near);
    equal_distance.add(same_far);
    all.max_attention = std::max(all.max_attention, top);
  }

  if (all.empty_rows == n) all.max_attention = kNaN;
  all.mean_max = max.value();
  all.mean_entropy = entropy.value();
  all.mean_effective_keys = effective_keys.value();
  all.diagonal_mass = diagonal.value();
  all.local_mass = local.value();
  all.global_mass = global.value();
  all.local_vs_global = all.local_mass / all.global_mass;
  all.mean_distance = distance.value();
  all.diagonal_mass_if_equal = equal_diagonal.value();
  all.local_mass_if_equal = equal_local.value();
  all.mean_distance_if_equal = equal_distance.value();
  all.sparsity = sparsity.value();
  all.previous_token_score = previous.value();
  all.next_token_score = next.value();
  all.self_score = self.value();
  all.first_token_score = first.value();
  all.uniformity_score = uniformity.value();
  all.top_key_share = kNaN;
  if (all.free_rows > 0) {
    const auto top = std::max_element(from_free.begin(), from_free.end());
    all.top_key = static_cast<Index>(top - from_free.begin());
    all.top_key_share = *top / static_cast<double>(all.free_rows);
  }
  if (options.rank && std::min(n, m) <= kMaxRankSize) {
    all.singular_values = singular_values<T>(weights);
    all.rank = numerical_rank(all.singular_values,
                              options.rank_tolerance.value_or(rank_tolerance<T>(n, m)));
  }
  return all;
}

HeadName name_head(const AttentionPatterns& patterns, const HeadThresholds& thresholds) {
  const auto require_threshold = [](const char* name, double value) {
    if (!(value >= 0)) throw ValueError(name, phrase::number(value), phrase::number_of_at_least(0));
  };
  require_threshold("target", thresholds.target);
  require_threshold("uniform", thresholds.uniform);
  require_threshold("broad", thresholds.broad);
  require_threshold("local", thresholds.local);
  require_threshold("local_gain", thresholds.local_gain);
  if (patterns.free_rows == 0) {
    return {HeadKind::kUndecided, "undecided", "No query has a choice", kNaN};
  }
  const std::array<HeadName, 5> targets{{
      {HeadKind::kPreviousToken, "previous_token", "Previous token", patterns.previous_token_score},
      {HeadKind::kNextToken, "next_token", "Next token", patterns.next_token_score},
      {HeadKind::kDiagonal, "diagonal", "Itself", patterns.self_score},
      {HeadKind::kFirstToken, "first_token", "First token", patterns.first_token_score},
      // Key 0 has a score and a name of its own.
      {HeadKind::kOneKey, "one_key", "One key",
       patterns.top_key == 0 ? kNaN : patterns.top_key_share},
  }};
  // The scores of keys that no query sees are NaN, and NaN loses every comparison.
  HeadName best;
  best.score = -1;
  for (const HeadName& one : targets) {
    if (one.score > best.score) best = one;
  }
  if (best.score >= thresholds.target) return best;
  if (patterns.uniformity_score >= thresholds.uniform) {
    return {HeadKind::kUniform, "uniform", "Uniform", patterns.uniformity_score};
  }
  if (patterns.local_mass >= thresholds.local &&
      patterns.local_mass >= thresholds.local_gain * patterns.local_mass_if_equal) {
    return {HeadKind::kLocal, "local", "Local", patterns.local_mass};
  }
  if (patterns.uniformity_score >= thresholds.broad) {
    return {HeadKind::kBroad, "broad", "Broad", patterns.uniformity_score};
  }
  return {HeadKind::kMixed, "mixed", "Mixed", patterns.uniformity_score};
}

#define ATTN_INSTANTIATE(T) \
  template AttentionPatterns analyze_attention_patterns<T>(In<T>, const AttentionPatternOptions&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
