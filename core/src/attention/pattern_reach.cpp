#include "attn/attention/pattern_reach.hpp"

#include <bit>
#include <cstdint>

#include "attn/attention/phrases.hpp"
#include "attn/base/errors.hpp"

namespace attn {

PatternReach pattern_reach(const Pattern& pattern, bool causal, Index layers) {
  const Index n = pattern.rows();
  if (n != pattern.cols()) {
    throw ShapeError("pattern", phrase::shape(n, pattern.cols()), phrase::key_each_query);
  }
  if (n > kMaxReachTokens) {
    throw CapacityError("pattern", phrase::shape(n, n), phrase::reach_rows(kMaxReachTokens));
  }
  if (layers < 0) throw ValueError("layers", phrase::number(layers), phrase::at_least(0));
  if (causal && !pattern.is_causal()) {
    throw ValueError("causal", phrase::given, phrase::pattern_without_later_keys);
  }

  PatternReach made;
  made.cells = pattern.nnz();
  made.hops = Matrix<float>::Constant(n, n, -1);
  const auto words = static_cast<std::size_t>((n + 63) / 64);
  const auto row = [&](std::vector<std::uint64_t>& bits, Index i) {
    return bits.data() + static_cast<std::size_t>(i) * words;
  };
  // Bit j of row i: whether token j has reached position i.
  std::vector<std::uint64_t> now(static_cast<std::size_t>(n) * words, 0), next;
  for (Index i = 0; i < n; ++i) {
    row(now, i)[i / 64] |= std::uint64_t{1} << (i % 64);
    made.hops(i, i) = 0;
  }
  const double pairs = causal ? 0.5 * static_cast<double>(n) * static_cast<double>(n + 1)
                              : static_cast<double>(n) * static_cast<double>(n);
  auto connected = static_cast<double>(n);
  if (connected == pairs) made.layers_to_connect = 0;
  for (Index layer = 1;; ++layer) {
    next = now;
    bool added = false;
    for (Index i = 0; i < n; ++i) {
      std::uint64_t* into = row(next, i);
      for (const Index j : pattern.row(i)) {
        const std::uint64_t* from = row(now, j);
        for (std::size_t w = 0; w < words; ++w) into[w] |= from[w];
      }
      const std::uint64_t* before = row(now, i);
      for (std::size_t w = 0; w < words; ++w) {
        for (std::uint64_t fresh = into[w] & ~before[w]; fresh != 0; fresh &= fresh - 1) {
          const Index j = static_cast<Index>(w) * 64 + std::countr_zero(fresh);
          made.hops(i, j) = static_cast<float>(layer);
          ++connected;
          added = true;
        }
      }
    }
    if (layer <= layers) made.share.push_back(connected / pairs);
    if (connected == pairs && made.layers_to_connect < 0) made.layers_to_connect = layer;
    if (!added) break;
    now.swap(next);
  }
  while (static_cast<Index>(made.share.size()) < layers) made.share.push_back(connected / pairs);
  return made;
}

}  // namespace attn
