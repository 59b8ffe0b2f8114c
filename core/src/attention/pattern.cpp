#include "attn/attention/pattern.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>

#include "attn/attention/attention.hpp"
#include "attn/attention/phrases.hpp"
#include "attn/base/errors.hpp"
#include "attn/base/rng.hpp"
#include "base/product.hpp"

namespace attn {
namespace {

void require_at_least(std::string_view argument, Index value, Index least) {
  if (value < least) {
    throw ValueError(argument, phrase::number(value), phrase::at_least(least));
  }
}

void require_cells(double cells) {
  if (cells > static_cast<double>(kMaxPatternCells)) {
    throw CapacityError("pattern", phrase::kept_cells(cells),
                        phrase::fewer_kept_cells(kMaxPatternCells));
  }
}

}  // namespace

/// Receives keys row by row, ascending within each row.
struct Pattern::Builder {
  Pattern made;

  void key(Index j) { made.keys_.push_back(static_cast<std::int32_t>(j)); }
  void range(Index first, Index end) {
    for (Index j = first; j < end; ++j) key(j);
  }

  /// `emit(i, sink)` passes row i to `sink.key` and `sink.range`. It is called twice, so that a
  /// pattern that is too large is refused before memory is taken, and no list has to grow.
  template <typename Emit>
  static Pattern build(Index n, Index m, Emit emit) {
    require_at_least("n", n, 1);
    require_at_least("m", m, 1);
    if (static_cast<double>(m) > std::numeric_limits<std::int32_t>::max()) {
      throw CapacityError("m", phrase::number(m), phrase::key_index_31_bits);
    }
    if (n > kMaxPatternCells) {
      throw CapacityError("n", phrase::number(n), phrase::at_most(kMaxPatternCells));
    }
    struct Counter {
      double cells = 0;
      void key(Index) { ++cells; }
      void range(Index first, Index end) {
        cells += static_cast<double>(std::max<Index>(end - first, 0));
      }
    } counter;
    for (Index i = 0; i < n; ++i) {
      emit(i, counter);
      require_cells(counter.cells);
    }
    Builder builder;
    builder.made.cols_ = m;
    builder.made.begin_.reserve(static_cast<std::size_t>(n) + 1);
    builder.made.keys_.reserve(static_cast<std::size_t>(counter.cells));
    for (Index i = 0; i < n; ++i) {
      emit(i, builder);
      builder.made.begin_.push_back(static_cast<Index>(builder.made.keys_.size()));
    }
    return std::move(builder.made);
  }
};

Pattern Pattern::from_rows(Index m, const std::vector<std::vector<Index>>& rows) {
  std::vector<std::vector<Index>> sorted = rows;
  for (std::vector<Index>& row : sorted) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    if (!row.empty() && (row.front() < 0 || row.back() >= m)) {
      throw ValueError("rows", phrase::key_seen(row.front() < 0 ? row.front() : row.back()),
                       phrase::keys_from_to(0, m - 1));
    }
  }
  return Builder::build(static_cast<Index>(rows.size()), m, [&](Index i, auto& sink) {
    for (const Index j : sorted[static_cast<std::size_t>(i)]) sink.key(j);
  });
}

template <typename T>
Pattern Pattern::from_matrix(In<T> keep) {
  require_finite<T>("keep", keep);
  return Builder::build(keep.rows(), keep.cols(), [&](Index i, auto& sink) {
    for (Index j = 0; j < keep.cols(); ++j) {
      if (keep(i, j) != T(0)) sink.key(j);
    }
  });
}

Pattern Pattern::from_mask(const Mask& mask, Index n, Index m) {
  mask.require_fits(n, m);
  return Builder::build(n, m, [&](Index i, auto& sink) {
    const Mask::Keys seen = mask.keys(i, n, m);
    if (!seen.cells) return sink.range(seen.begin, seen.end);
    seen.for_each([&](Index j) { sink.key(j); });
  });
}

Pattern Pattern::full(Index n, Index m) {
  return Builder::build(n, m, [&](Index, auto& sink) { sink.range(0, m); });
}

Pattern Pattern::none(Index n, Index m) {
  return Builder::build(n, m, [](Index, auto&) {});
}

Pattern Pattern::causal(Index n, Index m, Alignment alignment) {
  const Index shift = alignment == Alignment::kTopLeft ? 0 : m - n;
  return Builder::build(n, m,
                        [&](Index i, auto& sink) { sink.range(0, std::min(i + shift + 1, m)); });
}

Pattern Pattern::reverse(Index n, Index m, Alignment alignment) {
  const Index shift = alignment == Alignment::kTopLeft ? 0 : m - n;
  return Builder::build(n, m,
                        [&](Index i, auto& sink) { sink.range(std::max<Index>(i + shift, 0), m); });
}

Pattern Pattern::padding(Index n, Index m, Index valid_keys) {
  if (valid_keys < 0 || valid_keys > m) {
    throw ValueError("valid_keys", phrase::number(valid_keys), phrase::range(0, m));
  }
  return Builder::build(n, m, [&](Index, auto& sink) { sink.range(0, valid_keys); });
}

Pattern Pattern::padding(Index n, std::span<const std::uint8_t> keep) {
  const Index m = static_cast<Index>(keep.size());
  return Builder::build(n, m, [&](Index, auto& sink) {
    for (Index j = 0; j < m; ++j) {
      if (keep[static_cast<std::size_t>(j)]) sink.key(j);
    }
  });
}

Pattern Pattern::sliding_window(Index n, Index m, Index left, Index right) {
  require_at_least("left", left, -1);
  require_at_least("right", right, -1);
  return Builder::build(n, m, [&](Index i, auto& sink) {
    const Index p = i + m - n;
    // The comparison uses differences, because p + right overflows when "no limit" is given as a
    // huge number.
    const Index first = left < 0 || left >= p ? 0 : p - left;
    const Index end = right < 0 || right >= m - 1 - p ? m : p + right + 1;
    sink.range(first, end);
  });
}

Pattern Pattern::longformer(Index n, Index w) {
  require_at_least("w", w, 0);
  return sliding_window(n, n, w, w);
}

Pattern Pattern::local(Index n, Index context) {
  require_at_least("context", context, 1);
  return sliding_window(n, n, context - 1, 0);
}

Pattern Pattern::strided(Index n, Index stride) {
  require_at_least("n", n, 1);
  require_at_least("stride", stride, 1);
  // A stride of n has the same effect as any larger one, and then j + stride does not overflow.
  stride = std::min(stride, n);
  return Builder::build(n, n, [&](Index i, auto& sink) {
    for (Index j = i % stride; j <= i; j += stride) sink.key(j);
  });
}

Pattern Pattern::sparse_transformer(Index n, Index context) {
  require_at_least("context", context, 1);
  return Builder::build(n, n, [&](Index i, auto& sink) {
    for (Index j = i % context; j <= i - context; j += context) sink.key(j);
    sink.range(std::max<Index>(i - context + 1, 0), i + 1);
  });
}

Pattern Pattern::fixed(Index n, Index block, Index summary) {
  require_at_least("block", block, 1);
  if (summary < 0 || summary > block) {
    throw ValueError("summary", phrase::number(summary), phrase::zero_to_block(block));
  }
  return Builder::build(n, n, [&](Index i, auto& sink) {
    const Index own = i - i % block;
    for (Index start = 0; start < own; start += block) {
      sink.range(start + block - summary, start + block);
    }
    sink.range(own, i + 1);
  });
}

Pattern Pattern::random(Index n, Index keys, bool causal, std::uint64_t seed) {
  require_at_least("n", n, 1);
  require_at_least("keys", keys, 0);
  keys = std::min(keys, n);
  require_cells(static_cast<double>(n) * static_cast<double>(std::min(keys + 2, n)));
  Rng rng(seed);
  std::vector<std::vector<Index>> rows(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    // The neighbours form a ring, so that every token reaches every other; causal: a chain back to
    // the first token.
    const Index neighbour = i > 0 ? i - 1 : causal ? 0 : n - 1;
    std::vector<Index> row{std::min(i, neighbour), std::max(i, neighbour)};
    row.erase(std::unique(row.begin(), row.end()), row.end());
    const std::vector<Index> kept = row;
    const Index others = (causal ? i + 1 : n) - static_cast<Index>(kept.size());
    // Floyd's sampling without replacement (Bentley & Floyd, CACM 30(9), 1987): as many draws as
    // keys, however long the sequence.
    std::set<Index> drawn;
    for (Index t = std::max<Index>(others - keys, 0); t < others; ++t) {
      const Index x = static_cast<Index>(rng.below(static_cast<std::uint64_t>(t) + 1));
      if (!drawn.insert(x).second) drawn.insert(t);
    }
    for (Index x : drawn) {
      for (const Index taken : kept) x += x >= taken ? 1 : 0;
      row.push_back(x);
    }
    rows[static_cast<std::size_t>(i)] = std::move(row);
  }
  return from_rows(n, rows);
}

Pattern Pattern::big_bird(Index n, Index block,
                          const std::vector<std::vector<Index>>& random_blocks) {
  require_at_least("n", n, 1);
  require_at_least("block", block, 1);
  if (n % block != 0) {
    throw ValueError("block", phrase::number(block), phrase::divisor_of_n(n));
  }
  const Index blocks = n / block, inner = std::max<Index>(blocks - 2, 0);
  if (static_cast<Index>(random_blocks.size()) != inner) {
    throw ShapeError("random_blocks", phrase::lists_seen(random_blocks.size()),
                     phrase::list_each_inner_row(inner));
  }
  std::vector<std::vector<Index>> seen(static_cast<std::size_t>(blocks));
  for (Index b = 0; b < blocks; ++b) {
    std::vector<Index>& columns = seen[static_cast<std::size_t>(b)];
    if (b == 0 || b == blocks - 1) {
      columns.resize(static_cast<std::size_t>(blocks));
      std::iota(columns.begin(), columns.end(), Index{0});
      continue;
    }
    columns = random_blocks[static_cast<std::size_t>(b - 1)];
    for (const Index column : columns) {
      if (column < 0 || column >= blocks) {
        throw ValueError("random_blocks", phrase::block_seen(column),
                         phrase::blocks_from_to(0, blocks - 1));
      }
    }
    columns.insert(columns.end(), {0, b - 1, b, b + 1, blocks - 1});
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  }
  return Builder::build(n, n, [&](Index i, auto& sink) {
    for (const Index column : seen[static_cast<std::size_t>(i / block)]) {
      sink.range(column * block, (column + 1) * block);
    }
  });
}

Pattern Pattern::big_bird(Index n, Index block, Index random, std::uint64_t seed) {
  require_at_least("n", n, 1);
  require_at_least("block", block, 1);
  require_at_least("random", random, 0);
  const Index blocks = n / block;
  Rng rng(seed);
  std::vector<std::vector<Index>> lists;
  for (Index b = 1; b + 1 < blocks; ++b) {
    std::vector<Index> free;
    for (Index column = 1; column + 1 < blocks; ++column) {
      if (column < b - 1 || column > b + 1) free.push_back(column);
    }
    // These are the first steps of a Fisher–Yates shuffle.
    const std::size_t wanted = std::min(free.size(), static_cast<std::size_t>(random));
    for (std::size_t t = 0; t < wanted; ++t) {
      std::swap(free[t], free[t + static_cast<std::size_t>(rng.below(free.size() - t))]);
    }
    free.resize(wanted);
    lists.push_back(std::move(free));
  }
  return big_bird(n, block, lists);
}

namespace {

/// The k best keys of one row of scores, in ascending order of the keys.
template <typename T>
std::vector<Index> best_keys(const T* scores, Index k, const Mask& mask, Index i, Index n,
                             Index m) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  std::vector<Index> keys;
  mask.keys(i, n, m).for_each([&](Index j) {
    if (scores[j] == -kInfinity) return;
    if (!(scores[j] < kInfinity)) {
      throw ValueError("scores", phrase::not_finite_at_query(i), phrase::finite_or_minus_infinity);
    }
    keys.push_back(j);
  });
  if (k < static_cast<Index>(keys.size())) {
    std::nth_element(keys.begin(), keys.begin() + k, keys.end(), [&](Index a, Index b) {
      return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
    });
    keys.resize(static_cast<std::size_t>(k));
    std::sort(keys.begin(), keys.end());
  }
  return keys;
}

}  // namespace

template <typename T>
Pattern Pattern::top_k(In<T> scores, Index k, const Mask& mask) {
  require_at_least("k", k, 1);
  const Index n = scores.rows(), m = scores.cols();
  mask.require_fits(n, m);
  require_cells(static_cast<double>(n) * static_cast<double>(std::min(k, m)));
  std::vector<std::vector<Index>> rows;
  rows.reserve(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    rows.push_back(best_keys<T>(scores.row(i).data(), k, mask, i, n, m));
  }
  return from_rows(m, rows);
}

template <typename T>
Pattern Pattern::nearest_keys(In<T> Q, In<T> K, Index k, Nearness nearness, const Mask& mask) {
  require_qkv<T>(Q, K, K);
  require_at_least("k", k, 1);
  const Index n = Q.rows(), m = K.rows();
  mask.require_fits(n, m);
  require_cells(static_cast<double>(n) * static_cast<double>(std::min(k, m)));
  std::vector<std::vector<Index>> rows;
  rows.reserve(static_cast<std::size_t>(n));
  Matrix<T> scores(1, m);
  for (Index i = 0; i < n; ++i) {
    if (nearness == Nearness::kDot) {
      internal::product_nt<T>(Q.middleRows(i, 1), K, scores);
    } else {
      for (Index j = 0; j < m; ++j) scores(0, j) = -(K.row(j) - Q.row(i)).squaredNorm();
    }
    require_finite_scores<T>(scores);
    rows.push_back(best_keys<T>(scores.data(), k, mask, i, n, m));
  }
  return from_rows(m, rows);
}

Pattern Pattern::unite(const Pattern& a, const Pattern& b) {
  b.require_fits(a.rows(), a.cols());
  return Builder::build(a.rows(), a.cols(), [&](Index i, auto& sink) {
    const auto x = a.row(i), y = b.row(i);
    std::size_t s = 0, t = 0;
    while (s < x.size() || t < y.size()) {
      const bool from_x = t == y.size() || (s < x.size() && x[s] <= y[t]);
      const std::int32_t key = from_x ? x[s] : y[t];
      sink.key(key);
      if (s < x.size() && x[s] == key) ++s;
      if (t < y.size() && y[t] == key) ++t;
    }
  });
}

Pattern Pattern::intersect(const Pattern& a, const Pattern& b) {
  b.require_fits(a.rows(), a.cols());
  return Builder::build(a.rows(), a.cols(), [&](Index i, auto& sink) {
    const auto x = a.row(i), y = b.row(i);
    std::size_t s = 0, t = 0;
    while (s < x.size() && t < y.size()) {
      if (x[s] == y[t]) sink.key(x[s]);
      const std::int32_t least = std::min(x[s], y[t]);
      if (x[s] == least) ++s;
      if (t < y.size() && y[t] == least) ++t;
    }
  });
}

double Pattern::density() const {
  if (rows() == 0 || cols() == 0) return 0;
  return static_cast<double>(nnz()) / (static_cast<double>(rows()) * static_cast<double>(cols()));
}

Index Pattern::longest_row() const {
  Index longest = 0;
  for (Index i = 0; i < rows(); ++i) longest = std::max(longest, first(i + 1) - first(i));
  return longest;
}

bool Pattern::contains(Index i, Index j) const {
  if (i < 0 || i >= rows() || j < 0 || j >= cols()) return false;
  const auto keys = row(i);
  return std::binary_search(keys.begin(), keys.end(), static_cast<std::int32_t>(j));
}

bool Pattern::is_causal(Index offset) const {
  for (Index i = 0; i < rows(); ++i) {
    const auto keys = row(i);
    if (!keys.empty() && keys.back() > i + offset) return false;
  }
  return true;
}

template <typename T>
Matrix<T> Pattern::to_matrix() const {
  Matrix<T> cells = Matrix<T>::Zero(rows(), cols());
  for (Index i = 0; i < rows(); ++i) {
    for (const Index j : row(i)) cells(i, j) = T(1);
  }
  return cells;
}

template <typename T>
Matrix<T> Pattern::to_matrix(const Vector<std::type_identity_t<T>>& values) const {
  if (values.size() != nnz()) {
    throw ShapeError("values", phrase::number(values.size()),
                     phrase::count_because(nnz(), phrase::one_each_kept_cell));
  }
  Matrix<T> cells = Matrix<T>::Zero(rows(), cols());
  for (Index i = 0; i < rows(); ++i) {
    Index at = first(i);
    for (const Index j : row(i)) cells(i, j) = values(at++);
  }
  return cells;
}

Mask Pattern::to_mask() const { return Mask::from_matrix<float>(to_matrix<float>()); }

std::size_t Pattern::bytes() const {
  return keys_.size() * sizeof(keys_[0]) + begin_.size() * sizeof(begin_[0]);
}

void Pattern::require_fits(Index n, Index m) const {
  if (rows() == n && cols() == m) return;
  throw ShapeError("pattern", phrase::shape(rows(), cols()),
                   phrase::shape_because(n, m, phrase::row_each_query));
}

#define ATTN_INSTANTIATE(T)                                                              \
  template Pattern Pattern::from_matrix<T>(In<T>);                                       \
  template Pattern Pattern::top_k<T>(In<T>, Index, const Mask&);                         \
  template Pattern Pattern::nearest_keys<T>(In<T>, In<T>, Index, Nearness, const Mask&); \
  template Matrix<T> Pattern::to_matrix<T>() const;                                      \
  template Matrix<T> Pattern::to_matrix<T>(const Vector<std::type_identity_t<T>>&) const;
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
