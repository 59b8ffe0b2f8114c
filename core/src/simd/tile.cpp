#include "tile.hpp"

#include "panel.hpp"

namespace attn::simd::ATTN_SIMD_SET {

KeyRange keys_of(const Sight& sight, Size query, Size count, Size m) {
  const Size last = query + count - 1;
  const Size most = at_most(m, sight.valid);
  const Size end = at_least(0, at_most(most, last * sight.step + sight.last + 1));
  return {at_least(0, at_most(end, query * sight.step + sight.first)), end};
}

ATTN_NOINLINE void hide(const Sight& sight, Size query, Size count, Size from, Size to, Size m,
                        float* scores) {
  const float none = -__builtin_inff();
  // Before `all`, some query does not see the key yet; from `some` on, some query no longer sees
  // it.
  const Size all = keys_of(sight, query + count - 1, 1, m).begin;
  const Size some = keys_of(sight, query, 1, m).end;
  for (Size j = from; j < to; ++j) {
    if (j >= all && j < some) {
      if (!sight.keep) {
        j = some - 1;
        continue;
      }
    }
    float* const s = scores + (j - from) * kCols;
    for (Size r = 0; r < count; ++r) {
      const Size at = (query + r) * sight.step;
      const bool sees = at + sight.first <= j && j <= at + sight.last &&
                        (!sight.keep || sight.keep[(query + r) * m + j]);
      if (!sees) s[r] = none;
    }
  }
}

}  // namespace attn::simd::ATTN_SIMD_SET
