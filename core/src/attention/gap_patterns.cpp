#include "attn/attention/gap_patterns.hpp"

#include <algorithm>
#include <utility>

#include "attn/attention/phrases.hpp"
#include "attn/base/errors.hpp"

namespace attn {
namespace {

void require_from(std::string_view argument, Index value, Index least) {
  if (value < least) throw ValueError(argument, phrase::number(value), phrase::at_least(least));
}

/// `emit(i, key)` passes the keys of row i to `key`. It is called twice, so that a pattern that is
/// too large is refused before memory is taken.
template <typename Emit>
Pattern from_rule(Index n, Emit emit) {
  require_from("n", n, 1);
  if (n > kMaxPatternCells) {
    throw CapacityError("n", phrase::number(n), phrase::at_most(kMaxPatternCells));
  }
  Index cells = 0;
  for (Index i = 0; i < n; ++i) {
    emit(i, [&](Index) { ++cells; });
    if (cells > kMaxPatternCells) {
      throw CapacityError("pattern", phrase::kept_cells(cells),
                          phrase::fewer_kept_cells(kMaxPatternCells));
    }
  }
  std::vector<std::vector<Index>> rows(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    emit(i, [&](Index j) { rows[static_cast<std::size_t>(i)].push_back(j); });
  }
  return Pattern::from_rows(n, rows);
}

}  // namespace

Pattern dilated_window_pattern(Index n, Index w, Index dilation, bool causal) {
  require_from("n", n, 1);
  require_from("w", w, 0);
  require_from("dilation", dilation, 1);
  // Beyond n they have the same effect, and their product does not overflow.
  const Index gap = std::min(dilation, n);
  const Index widest = gap * std::min(w, n / gap);
  return from_rule(n, [=](Index i, auto key) {
    const Index last = causal ? i : std::min(i + widest, n - 1);
    for (Index j = i - std::min(widest, i - i % gap); j <= last; j += gap) key(j);
  });
}

Pattern dilated_segments_pattern(Index n, Index segment, Index ratio, Index offset, bool causal) {
  require_from("n", n, 1);
  require_from("segment", segment, 1);
  require_from("ratio", ratio, 1);
  if (offset < 0 || offset >= ratio) {
    throw ValueError("offset", phrase::number(offset), phrase::offset_below(ratio - 1));
  }
  return from_rule(n, [=](Index i, auto key) {
    const Index place = i % segment, start = i - place;
    if (place % ratio != offset) return;
    const Index end = causal ? i + 1 : start + std::min(segment, n - start);
    // A ratio beyond the end is as good as any larger one, and does not overflow.
    const Index gap = std::min(ratio, n);
    for (Index j = start + offset; j < end; j += gap) key(j);
  });
}

Pattern powers_of_two_pattern(Index n) {
  return from_rule(n, [](Index i, auto key) {
    for (Index step = 1; step <= i; step *= 2) key(i - step);
    key(i);
  });
}

}  // namespace attn
