#include "attn/mask.hpp"

#include <string>

#include "attn/errors.hpp"

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

Mask Mask::with_valid_keys(Index valid) const {
  if (valid < 0) throw ValueError("valid_keys", std::to_string(valid), "at least 0");
  Mask mask = *this;
  mask.valid_keys_ = valid;
  // A mask that says kFull must not hide anything.
  if (kind_ == Kind::kFull) mask.kind_ = Kind::kPadding;
  return mask;
}

Index Mask::end(Index i, Index n, Index m) const {
  const Index valid = valid_keys(m);
  switch (kind_) {
    case Kind::kCausal:
      return std::min(i + 1, valid);
    case Kind::kCausalBottomRight:
      return std::clamp<Index>(i + m - n + 1, 0, valid);
    case Kind::kFull:
    case Kind::kMatrix:
    case Kind::kPadding:
      break;
  }
  return valid;
}

Index Mask::count(Index i, Index n, Index m) const {
  if (is_prefix()) return end(i, n, m);
  const auto row = keep_.begin() + i * m;
  return std::count(row, row + valid_keys(m), std::uint8_t{1});
}

void Mask::require_fits(Index n, Index m) const {
  if (valid_keys_ > m && valid_keys_ != std::numeric_limits<Index>::max()) {
    throw ValueError("valid_keys", std::to_string(valid_keys_), "0 to " + std::to_string(m));
  }
  if (kind_ != Kind::kMatrix || (rows_ == n && cols_ == m)) return;
  throw ShapeError("mask", shape_text(rows_, cols_),
                   shape_text(n, m) + " (a row for each query, a column for each key)");
}

template Mask Mask::from_matrix<float>(In<float>);
template Mask Mask::from_matrix<double>(In<double>);

}  // namespace attn
