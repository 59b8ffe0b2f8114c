#pragma once
// Which keys a tile of queries sees.

#include "kernels.hpp"
#include "vec.hpp"

namespace attn::simd::ATTN_SIMD_SET {

/// Keys begin … end − 1; begin ≤ end.
struct KeyRange {
  Size begin, end;
};

/// The range of keys, of m, that any of `count` queries from `query` on may see, without regard to
/// `keep`.
KeyRange keys_of(const Sight& sight, Size query, Size count, Size m);

/// Sets the scores [key][kCols queries] of the keys from … to − 1 to −∞ where the query does not
/// see the key.
void hide(const Sight& sight, Size query, Size count, Size from, Size to, Size m, float* scores);

}  // namespace attn::simd::ATTN_SIMD_SET
