#include "attn/attention/dilated_attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/stacks.hpp"
#include "attn/attention/gap_patterns.hpp"
#include "attn/attention/phrases.hpp"
#include "attn/attention/sparse_attention.hpp"
#include "attn/base/errors.hpp"

namespace attn {

Index dilated_offset(Index head, Index heads, Index ratio, DilatedOffsets rule) {
  if (ratio < 1) throw ValueError("ratio", phrase::number(ratio), phrase::at_least(1));
  if (heads < 1) throw ValueError("heads", phrase::number(heads), phrase::at_least(1));
  if (head < 0 || head >= heads) {
    throw ValueError("head", phrase::number(head), phrase::range(0, heads - 1));
  }
  if (rule == DilatedOffsets::kHeadModRatio) return head % ratio;
  const Index share = heads / ratio + (heads % ratio != 0 ? 1 : 0);
  return head / share;
}

template <typename T>
DilatedResult<T> dilated_attention(const Stack<std::type_identity_t<T>>& Q,
                                   const Stack<std::type_identity_t<T>>& K,
                                   const Stack<std::type_identity_t<T>>& V,
                                   const DilatedOptions& options) {
  internal::require_stacks(Q, K, V);
  const auto branches = static_cast<Index>(options.segments.size());
  if (branches == 0) throw ShapeError("segments", phrase::empty, phrase::at_least_one);
  if (options.ratios.size() != options.segments.size()) {
    throw ShapeError("ratios", phrase::numbers_seen(static_cast<Index>(options.ratios.size())),
                     phrase::count_because(branches, phrase::ratio_of_segment));
  }
  for (const Index segment : options.segments) {
    if (segment < 1) throw ValueError("segments", phrase::number(segment), phrase::at_least(1));
  }
  for (const Index ratio : options.ratios) {
    if (ratio < 1) throw ValueError("ratios", phrase::number(ratio), phrase::at_least(1));
  }
  const Index n = Q.rows(), heads = Q.heads();
  if (K.rows() != n) {
    throw ShapeError("K", phrase::stack_shape(K.batch(), K.heads(), K.rows(), K.cols()),
                     phrase::key_each_query);
  }

  SparseAttentionOptions<T> each;
  each.scale = options.scale;
  DilatedResult<T> made;
  made.output = Stack<T>(Q.batch(), heads, n, V.cols());
  made.mix = Stack<T>(Q.batch(), branches, heads, n);
  for (Index h = 0; h < heads; ++h) {
    std::vector<Pattern> patterns;
    Index cells = 0;
    for (Index b = 0; b < branches; ++b) {
      const auto at = static_cast<std::size_t>(b);
      const Index ratio = options.ratios[at];
      patterns.push_back(dilated_segments_pattern(n, options.segments[at], ratio,
                                                  dilated_offset(h, heads, ratio, options.offsets),
                                                  options.causal));
      cells += patterns.back().nnz();
    }
    made.cells.push_back(cells);
    for (Index entry = 0; entry < Q.batch(); ++entry) {
      std::vector<SparseAttentionResult<T>> parts;
      for (const Pattern& pattern : patterns) {
        parts.push_back(sparse_attention<T>(Q(entry, h), K(entry, h), V(entry, h), pattern, each));
      }
      auto output = made.output(entry, h);
      for (Index i = 0; i < n; ++i) {
        double largest = -std::numeric_limits<double>::infinity(), sum = 0;
        for (const auto& part : parts) {
          largest = std::max(largest, static_cast<double>(part.log_sum_exp(i)));
        }
        if (std::isinf(largest)) continue;
        const auto share = [&](const SparseAttentionResult<T>& part) {
          return std::exp(static_cast<double>(part.log_sum_exp(i)) - largest);
        };
        for (const auto& part : parts) sum += share(part);
        for (Index b = 0; b < branches; ++b) {
          const SparseAttentionResult<T>& part = parts[static_cast<std::size_t>(b)];
          const T mix = static_cast<T>(share(part) / sum);
          made.mix(entry, b)(h, i) = mix;
          output.row(i) += mix * part.output.row(i);
        }
      }
    }
  }
  return made;
}

#define ATTN_INSTANTIATE(T)                                                        \
  template DilatedResult<T> dilated_attention<T>(const Stack<T>&, const Stack<T>&, \
                                                 const Stack<T>&, const DilatedOptions&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
