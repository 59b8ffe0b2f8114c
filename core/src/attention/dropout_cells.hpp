#pragma once
// Dropout of single cells, for algorithms that never form the n×m matrix. Private to the core.

#include "attn/attention/attention_training.hpp"
#include "attn/attention/phrases.hpp"
#include "attn/base/errors.hpp"
#include "attn/base/rng.hpp"

namespace attn::internal {

template <typename T>
class DropoutCells {
 public:
  /// Keeps a reference to `dropout`.
  /// @throws ShapeError, ValueError unless it fits n queries and m keys.
  DropoutCells(const Dropout<T>& dropout, Index n, Index m)
      : dropout_(dropout),
        given_(dropout.keep.size() > 0),
        kept_factor_(static_cast<T>(1 / (1 - dropout.probability))),
        rng_(dropout.seed, dropout.stream) {
    if (!(dropout.probability >= 0 && dropout.probability < 1)) {
      throw ValueError("dropout.probability", phrase::number(dropout.probability),
                       phrase::probability_range);
    }
    if (!given_) return;
    require_shape<T>("dropout.keep", *dropout.keep, n, m, phrase::entry_each_query_key);
    require_finite<T>("dropout.keep", *dropout.keep);
  }

  /// Whether any factor can differ from 1.
  bool active() const { return given_ || dropout_.probability > 0; }
  bool keeps(Index i, Index j) const {
    return given_ ? dropout_.keep(i, j) != T(0) : rng_.uniform(i, j) >= dropout_.probability;
  }
  /// keep/(1 − p), the factor on the weight.
  T factor(Index i, Index j) const { return keeps(i, j) ? kept_factor_ : T(0); }

 private:
  const Dropout<T>& dropout_;
  bool given_;
  T kept_factor_;
  CellRng rng_;
};

/// The dropout of attention number `place` among several with n queries each: its own stream, or
/// its rows of `keep`.
template <typename T>
Dropout<T> dropout_of(const Dropout<T>& all, Index place, Index n) {
  Dropout<T> one;
  one.probability = all.probability;
  one.seed = all.seed;
  one.stream = all.stream + static_cast<std::uint64_t>(place);
  if (all.keep.size() > 0) one.keep = all.keep->middleRows(place * n, n);
  return one;
}

/// @throws ShapeError unless a given `keep` has rows for `count` attentions of n queries, m keys.
template <typename T>
void require_keep(const Dropout<T>& all, Index count, Index n, Index m) {
  if (all.keep.size() == 0) return;
  require_shape<T>("dropout.keep", *all.keep, count * n, m, phrase::heads_one_below_other);
}

}  // namespace attn::internal
