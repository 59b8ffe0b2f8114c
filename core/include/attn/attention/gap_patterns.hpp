#pragma once
// Patterns with gaps: each query sees few keys that lie far apart.

#include "attn/attention/pattern.hpp"

namespace attn {

/// |i − j| ≤ w·dilation and i − j divisible by `dilation`: Longformer's window with gaps (Beltagy
/// et al. 2020, arXiv:2004.05150, section 3.1). `causal`: j ≤ i. Alone it never connects tokens
/// with other remainders, through however many layers. At most n·(2w + 1) cells. O(n + cells).
/// @throws ValueError unless n, dilation ≥ 1 and w ≥ 0; CapacityError
Pattern dilated_window_pattern(Index n, Index w, Index dilation, bool causal);

/// One branch of LongNet (Ding et al. 2023, arXiv:2307.02486, section 2.2): segments of `segment`
/// tokens, of which the tokens with (t mod segment) mod ratio = offset see each other (`causal`:
/// the earlier ones and themselves). The others neither see nor are seen. About n·segment/ratio²
/// cells. O(n + cells).
/// @throws ValueError unless n, segment, ratio ≥ 1 and 0 ≤ offset < ratio; CapacityError
Pattern dilated_segments_pattern(Index n, Index segment, Index ratio, Index offset, bool causal);

/// j = i and j = i − 2^k: at most n·(2 + log₂ n) cells, and an earlier token is reached in as many
/// layers as its distance has ones in binary (Li et al. 2019, arXiv:1907.00235, "LogSparse").
/// O(cells).
/// @throws ValueError for n < 1; CapacityError
Pattern powers_of_two_pattern(Index n);

}  // namespace attn
