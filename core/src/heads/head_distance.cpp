#include "attn/heads/head_distance.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "heads/shared.hpp"

namespace attn {
namespace {

/// Σ over all cells of (B_a ln(B_a/M) + B_b ln(B_b/M))/2, M = (B_a + B_b)/2.
double divergence(const Matrix<double>& a, const Matrix<double>& b) {
  double sum = 0;
  for (Index i = 0; i < a.size(); ++i) {
    const double x = a.data()[i], y = b.data()[i], middle = (x + y) / 2;
    if (x == y) continue;
    sum += (x * std::log(x / middle) + y * std::log(y / middle)) / 2;
  }
  return sum;
}

/// A group of heads that were joined.
struct Group {
  Index number;
  double heads;
};

/// Average linkage: the two nearest groups are joined, again and again.
Matrix<double> joined(Matrix<double> distances) {
  const Index h = distances.rows();
  std::vector<Group> groups;
  for (Index i = 0; i < h; ++i) groups.push_back({i, 1});
  Matrix<double> merges(h - 1, 4);
  for (Index step = 0; step < h - 1; ++step) {
    const Index left = static_cast<Index>(groups.size());
    Index a = 0, b = 1;
    for (Index i = 0; i < left; ++i) {
      for (Index j = i + 1; j < left; ++j) {
        if (distances(i, j) < distances(a, b)) {
          a = i;
          b = j;
        }
      }
    }
    Group& one = groups[static_cast<std::size_t>(a)];
    const Group other = groups[static_cast<std::size_t>(b)];
    merges.row(step) << static_cast<double>(std::min(one.number, other.number)),
        static_cast<double>(std::max(one.number, other.number)), distances(a, b),
        one.heads + other.heads;
    for (Index i = 0; i < left; ++i) {
      const double mean =
          (one.heads * distances(a, i) + other.heads * distances(b, i)) / (one.heads + other.heads);
      distances(a, i) = distances(i, a) = mean;
    }
    distances(a, a) = 0;
    one = {h + step, one.heads + other.heads};
    // The last group takes the free place.
    groups[static_cast<std::size_t>(b)] = groups.back();
    groups.pop_back();
    distances.row(b) = distances.row(left - 1).eval();
    distances.col(b) = distances.col(left - 1).eval();
  }
  return merges;
}

std::vector<Index> leaves(const Matrix<double>& merges) {
  const Index h = merges.rows() + 1;
  std::vector<Index> found, waiting{2 * h - 2};
  while (!waiting.empty()) {
    const Index group = waiting.back();
    waiting.pop_back();
    if (group < h) {
      found.push_back(group);
    } else {
      waiting.push_back(static_cast<Index>(merges(group - h, 1)));
      waiting.push_back(static_cast<Index>(merges(group - h, 0)));
    }
  }
  return found;
}

}  // namespace

template <typename T>
HeadDistances head_distances(std::span<const std::vector<Matrix<T>>> texts,
                             const HeadDistanceOptions& options) {
  if (texts.empty()) throw ShapeError("texts", phrase::none, phrase::at_least_one_text);
  const std::size_t heads = texts[0].size();
  if (heads < 2) {
    throw ShapeError("texts", phrase::heads_seen(heads), phrase::at_least_two_heads);
  }
  const double s = options.smoothing;
  if (!(s > 0 && s <= 1)) {
    throw ValueError("smoothing", phrase::number(s), phrase::number_between(0, 1));
  }
  const auto h = static_cast<Index>(heads);
  HeadDistances made;
  made.js = Matrix<double>::Zero(h, h);
  made.to_uniform.assign(heads, 0);
  for (const std::vector<Matrix<T>>& text : texts) {
    if (text.size() != heads) {
      throw ShapeError("texts", phrase::heads_seen(text.size()), phrase::as_many_heads(heads));
    }
    internal::require_head_weights<T>("texts", text);
    const Index n = text[0].rows(), m = text[0].cols();
    const auto smooth = [&](const auto& A) -> Matrix<double> {
      return ((1 - s) * A.template cast<double>().array() + s / static_cast<double>(m)).matrix();
    };
    const Matrix<double> uniform = smooth(internal::uniform_weights<double>(n, m, options.mask));
    std::vector<Matrix<double>> smoothed;
    for (const Matrix<T>& A : text) smoothed.push_back(smooth(A));
    for (std::size_t a = 0; a < heads; ++a) {
      made.to_uniform[a] += divergence(smoothed[a], uniform);
      for (std::size_t b = a + 1; b < heads; ++b) {
        const double apart = divergence(smoothed[a], smoothed[b]);
        made.js(static_cast<Index>(a), static_cast<Index>(b)) += apart;
        made.js(static_cast<Index>(b), static_cast<Index>(a)) += apart;
      }
    }
    made.largest += static_cast<double>(n) * std::numbers::ln2;
  }
  made.merges = joined(made.js);
  made.leaf_order = leaves(made.merges);
  return made;
}

#define ATTN_INSTANTIATE(T)                                                         \
  template HeadDistances head_distances<T>(std::span<const std::vector<Matrix<T>>>, \
                                           const HeadDistanceOptions&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
