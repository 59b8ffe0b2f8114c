#include "attn/attention/mask.hpp"

#include <string>

#include "attn/base/errors.hpp"

namespace attn {

template <typename T>
Mask Mask::from_matrix(In<T> keep) {
  require_finite<T>("mask", keep);
  Mask mask(Kind::kMatrix);
  mask.rows_ = keep.rows();
  mask.cols_ = keep.cols();
  mask.keep_.resize(static_cast<std::size_t>(keep.size()));
  std::size_t at = 0;
  for (Index i = 0; i < keep.rows(); ++i) {
    for (Index j = 0; j < keep.cols(); ++j) mask.keep_[at++] = keep(i, j) != T(0);
  }
  mask.find_band();
  return mask;
}

void Mask::find_band() {
  Index kept = 0;
  band_ = {cols_, -rows_, true};
  for (Index i = 0; i < rows_; ++i) {
    const auto row = keep_.begin() + i * cols_, end = row + cols_;
    const auto first = std::find(row, end, std::uint8_t{1});
    if (first == end) continue;
    Index last = cols_ - 1;
    while (!*(row + last)) --last;
    band_.first = std::min(band_.first, static_cast<Index>(first - row) - i);
    band_.last = std::max(band_.last, last - i);
    kept += static_cast<Index>(std::count(first, end, std::uint8_t{1}));
  }
  Index cells = 0;
  for (Index i = 0; i < rows_; ++i) {
    cells += std::max<Index>(
        0, std::min(cols_ - 1, i + band_.last) - std::max<Index>(0, i + band_.first) + 1);
  }
  band_.whole = cells == kept;
}

Mask Mask::window(const KeyWindow& window) {
  const auto width = [](const char* name, const std::optional<Index>& given) {
    if (given.value_or(0) < 0) throw ValueError(name, phrase::number(*given), phrase::at_least(0));
    return given.value_or(kNoLimit);
  };
  Mask mask(Kind::kWindow);
  mask.left_ = width("window.left", window.left);
  mask.right_ = width("window.right", window.right);
  return mask;
}

Mask Mask::after() {
  Mask mask(Kind::kWindow);
  mask.left_ = -1;
  return mask;
}

Mask Mask::within(const KeyWindow& window, Index n, Index m) const {
  const Mask other = Mask::window(window);
  Mask both = *this;
  if (!is_range()) {
    for (Index i = 0; i < n; ++i) {
      const Keys seen = other.keys(i, n, m);
      const auto row = both.keep_.begin() + i * m;
      std::fill(row, row + seen.begin, std::uint8_t{0});
      std::fill(row + seen.end, row + m, std::uint8_t{0});
    }
    both.find_band();
    return both;
  }
  // The last query has the most keys on its left, and the first query the most on its right.
  if (other.left_ >= m - 1 && other.right_ >= n - 1) return both;
  const Index right = kind_ == Kind::kCausal ? n - m : right_;
  both.kind_ = Kind::kWindow;
  both.left_ = std::min(left_, other.left_ >= m - 1 ? kNoLimit : other.left_);
  both.right_ = std::min(right, other.right_);
  // No diagonal is left. No row may have an end, because a tile would then be visited for nothing.
  if (both.left_ < -both.right_) both.right_ = -m;
  if (both.left_ == kNoLimit && both.right_ == 0) both.kind_ = Kind::kCausalBottomRight;
  return both;
}

Mask::Band Mask::band(Index n, Index m) const {
  if (!is_range()) return band_;
  if (kind_ == Kind::kCausal) return {-n, 0, true};
  // A width beyond the other end limits nothing; clamping it also keeps sums small.
  return {m - n - std::min(left_, n + m), m - n + std::min(right_, n + m), true};
}

Mask Mask::with_valid_keys(Index valid) const {
  if (valid < 0) throw ValueError("valid_keys", phrase::number(valid), phrase::at_least(0));
  Mask mask = *this;
  mask.valid_keys_ = valid;
  // A mask of kind kFull must not hide any key.
  if (kind_ == Kind::kFull) mask.kind_ = Kind::kPadding;
  return mask;
}

Index Mask::begin(Index i, Index n, Index m) const {
  if (!is_range()) return 0;
  return std::clamp<Index>(i + band(n, m).first, 0, end(i, n, m));
}

Index Mask::end(Index i, Index n, Index m) const {
  const Index valid = valid_keys(m);
  if (!is_range()) return valid;
  return std::clamp<Index>(i + band(n, m).last + 1, 0, valid);
}

Mask::Keys Mask::keys(Index i, Index n, Index m) const {
  if (!is_range()) return {0, valid_keys(m), keep_.data() + i * m};
  const Band diagonals = band(n, m);
  const Index last = std::clamp<Index>(i + diagonals.last + 1, 0, valid_keys(m));
  return {std::clamp<Index>(i + diagonals.first, 0, last), last, nullptr};
}

Index Mask::count(Index i, Index n, Index m) const {
  if (is_range()) return end(i, n, m) - begin(i, n, m);
  const auto row = keep_.begin() + i * m;
  return std::count(row, row + valid_keys(m), std::uint8_t{1});
}

void Mask::require_fits(Index n, Index m) const {
  if (valid_keys_ > m && valid_keys_ != kNoLimit) {
    throw ValueError("valid_keys", phrase::number(valid_keys_), phrase::range(0, m));
  }
  if (kind_ != Kind::kMatrix || (rows_ == n && cols_ == m)) return;
  throw ShapeError("mask", phrase::shape(rows_, cols_),
                   phrase::shape_because(n, m, phrase::row_each_query));
}

template Mask Mask::from_matrix<float>(In<float>);
template Mask Mask::from_matrix<double>(In<double>);

}  // namespace attn
