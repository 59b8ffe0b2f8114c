#pragma once
// Which keys a tile of queries sees.

#include "kernels.hpp"
#include "vec.hpp"

namespace attn::simd::ATTN_SIMD_SET {

/// Keys begin … end − 1; begin ≤ end.
struct KeyRange {
  Size begin, end;
};

/// What any of `count` queries from `query` on may see, of m keys, but for `keep`.
KeyRange keys_of(const Sight& sight, Size query, Size count, Size m);

/// Scores [key][kCols queries] of the keys from … to − 1 become −∞ where the query does not see the
/// key.
void hide(const Sight& sight, Size query, Size count, Size from, Size to, Size m, float* scores);

}  // namespace attn::simd::ATTN_SIMD_SET
