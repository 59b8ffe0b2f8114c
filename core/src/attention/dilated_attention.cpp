#include "attn/attention/dilated_attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/stacks.hpp"
#include "attn/attention/attention.hpp"
#include "attn/attention/gap_patterns.hpp"
#include "attn/attention/phrases.hpp"
#include "attn/attention/sparse_attention.hpp"
#include "attn/base/errors.hpp"

namespace attn {
namespace {

/// What every branch of one head computes, and how the branches are mixed.
template <typename T>
struct DilatedHead {
  std::vector<SparseAttentionResult<T>> parts;
  /// branches×n
  Matrix<T> mix;
};

template <typename T>
DilatedHead<T> dilated_head(In<T> Q, In<T> K, In<T> V, const std::vector<Pattern>& patterns,
                            const SparseAttentionOptions<T>& options) {
  const auto branches = static_cast<Index>(patterns.size());
  DilatedHead<T> made{{}, Matrix<T>::Zero(branches, Q.rows())};
  for (const Pattern& pattern : patterns) {
    made.parts.push_back(sparse_attention<T>(Q, K, V, pattern, options));
  }
  for (Index i = 0; i < Q.rows(); ++i) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (const auto& part : made.parts) {
      largest = std::max(largest, static_cast<double>(part.log_sum_exp(i)));
    }
    if (std::isinf(largest)) continue;
    const auto share = [&](const SparseAttentionResult<T>& part) {
      return std::exp(static_cast<double>(part.log_sum_exp(i)) - largest);
    };
    for (const auto& part : made.parts) sum += share(part);
    for (Index b = 0; b < branches; ++b) {
      made.mix(b, i) = static_cast<T>(share(made.parts[static_cast<std::size_t>(b)]) / sum);
    }
  }
  return made;
}

template <typename T>
void require_dilated(const Stack<T>& Q, const Stack<T>& K, const Stack<T>& V,
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
  if (K.rows() != Q.rows()) {
    throw ShapeError("K", phrase::stack_shape(K.batch(), K.heads(), K.rows(), K.cols()),
                     phrase::key_each_query);
  }
}

/// The patterns of one head's branches.
std::vector<Pattern> branches_of(Index head, Index heads, Index n, const DilatedOptions& options) {
  std::vector<Pattern> made;
  for (std::size_t b = 0; b < options.segments.size(); ++b) {
    const Index ratio = options.ratios[b];
    made.push_back(dilated_segments_pattern(n, options.segments[b], ratio,
                                            dilated_offset(head, heads, ratio, options.offsets),
                                            options.causal));
  }
  return made;
}

}  // namespace

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
  require_dilated<T>(Q, K, V, options);
  const Index n = Q.rows(), heads = Q.heads();
  const auto branches = static_cast<Index>(options.segments.size());
  SparseAttentionOptions<T> each;
  each.scale = options.scale;
  DilatedResult<T> made;
  made.output = Stack<T>(Q.batch(), heads, n, V.cols());
  made.mix = Stack<T>(Q.batch(), branches, heads, n);
  for (Index h = 0; h < heads; ++h) {
    const std::vector<Pattern> patterns = branches_of(h, heads, n, options);
    Index cells = 0;
    for (const Pattern& pattern : patterns) cells += pattern.nnz();
    made.cells.push_back(cells);
    for (Index entry = 0; entry < Q.batch(); ++entry) {
      const DilatedHead<T> head =
          dilated_head<T>(Q(entry, h), K(entry, h), V(entry, h), patterns, each);
      auto output = made.output(entry, h);
      for (Index b = 0; b < branches; ++b) {
        const Matrix<T>& part = head.parts[static_cast<std::size_t>(b)].output;
        made.mix(entry, b).row(h) = head.mix.row(b);
        for (Index i = 0; i < n; ++i) output.row(i) += head.mix(b, i) * part.row(i);
      }
    }
  }
  return made;
}

template <typename T>
DilatedGradients<T> dilated_attention_backward(const Stack<std::type_identity_t<T>>& Q,
                                               const Stack<std::type_identity_t<T>>& K,
                                               const Stack<std::type_identity_t<T>>& V,
                                               const Stack<std::type_identity_t<T>>& dO,
                                               const DilatedOptions& options, bool through_mix) {
  require_dilated<T>(Q, K, V, options);
  if (dO.batch() != Q.batch() || dO.heads() != Q.heads() || dO.rows() != Q.rows() ||
      dO.cols() != V.cols()) {
    throw ShapeError("dO", phrase::stack_shape(dO.batch(), dO.heads(), dO.rows(), dO.cols()),
                     phrase::shape_of_output);
  }
  const Index n = Q.rows(), heads = Q.heads();
  const auto branches = static_cast<Index>(options.segments.size());
  SparseAttentionOptions<T> each;
  each.scale = options.scale;
  const T scale = static_cast<T>(attention_scale(options.scale, Q.cols()));
  DilatedGradients<T> made{Stack<T>(Q.batch(), heads, n, Q.cols()),
                           Stack<T>(Q.batch(), heads, n, K.cols()),
                           Stack<T>(Q.batch(), heads, n, V.cols())};
  for (Index h = 0; h < heads; ++h) {
    const std::vector<Pattern> patterns = branches_of(h, heads, n, options);
    for (Index entry = 0; entry < Q.batch(); ++entry) {
      const auto q = Q(entry, h), k = K(entry, h), d_out = dO(entry, h);
      const DilatedHead<T> head = dilated_head<T>(q, k, V(entry, h), patterns, each);
      auto dQ = made.dQ(entry, h), dK = made.dK(entry, h), dV = made.dV(entry, h);
      // branches×n: dO·output of each branch, and of all of them mixed.
      Matrix<T> dots(branches, n);
      for (Index b = 0; b < branches; ++b) {
        const auto& output = head.parts[static_cast<std::size_t>(b)].output;
        for (Index i = 0; i < n; ++i) dots(b, i) = d_out.row(i).dot(output.row(i));
      }
      const Matrix<T> mixed = head.mix.cwiseProduct(dots).colwise().sum();
      for (Index b = 0; b < branches; ++b) {
        const Pattern& pattern = patterns[static_cast<std::size_t>(b)];
        const Matrix<T> share = head.mix.row(b).transpose().asDiagonal() * Matrix<T>(d_out);
        const auto part = sparse_attention_backward<T>(q, k, V(entry, h), pattern, share, each);
        dQ += part.dQ;
        dK += part.dK;
        dV += part.dV;
        if (!through_mix) continue;
        // The mix is a softmax over the branches' log-sum-exps, whose gradients by the scores are
        // the weights.
        const Vector<T>& weights = head.parts[static_cast<std::size_t>(b)].weights;
        for (Index i = 0; i < n; ++i) {
          const T by_sum = scale * head.mix(b, i) * (dots(b, i) - mixed(0, i));
          for (Index c = pattern.first(i); c < pattern.first(i + 1); ++c) {
            const T by_score = by_sum * weights(c);
            dQ.row(i) += by_score * k.row(pattern.keys()[c]);
            dK.row(pattern.keys()[c]) += by_score * q.row(i);
          }
        }
      }
    }
  }
  return made;
}

#define ATTN_INSTANTIATE(T)                                                                    \
  template DilatedResult<T> dilated_attention<T>(const Stack<T>&, const Stack<T>&,             \
                                                 const Stack<T>&, const DilatedOptions&);      \
  template DilatedGradients<T> dilated_attention_backward<T>(const Stack<T>&, const Stack<T>&, \
                                                             const Stack<T>&, const Stack<T>&, \
                                                             const DilatedOptions&, bool);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
