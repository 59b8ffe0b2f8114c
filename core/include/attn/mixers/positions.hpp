#pragma once
// How a token's place in its sequence enters attention: rotations of queries and keys, biases on
// scores, codes added to embeddings.

#include "attn/base/tensor.hpp"

namespace attn {

/// Which two entries of a row are turned together. Both have the same angles.
enum class RotaryPairs {
  kHalves,       ///< i and i + width/2, as in Llama and GPT-NeoX.
  kInterleaved,  ///< 2i and 2i + 1, as in RoFormer and GPT-J.
};

struct RotaryOptions {
  RotaryPairs pairs = RotaryPairs::kHalves;
  /// How many entries of a row are turned, from the first on; an even number. 0: all of them.
  Index width = 0;
  double base = 10000;
};

/// Rotary position embedding (Su et al. 2021, arXiv:2104.09864, eq. 34): row i of X stands at
/// position offset + i, and its pair c is turned by position·base^(−2c/width). The product of a
/// query and a key that are both turned depends on the distance of their positions only. Angles are
/// computed in float64. X n×d. O(n·d), a sine and a cosine for each pair and row.
/// @throws ShapeError for an X without entries, ValueError for a width that is odd, negative or
/// above d, an odd d when all of it is to be turned, a base that is not positive and finite, or an
/// offset outside 0 … 2³¹ − n.
template <typename T = float>
Matrix<T> rotate(In<T> X, Index offset = 0, const RotaryOptions& options = {});

/// The gradient by X of Σ rotate(X) ∘ dO: the rotation by minus the same angles.
/// @throws as `rotate`
template <typename T = float>
Matrix<T> rotate_backward(In<T> dO, Index offset = 0, const RotaryOptions& options = {});

template <typename T = float>
struct RotaryTable {
  /// n×width/2
  Matrix<T> cos, sin;
};

/// The cosines and sines that rows of d entries are turned with.
/// @throws as `rotate`
template <typename T = float>
RotaryTable<T> rotary_table(Index n, Index d, Index offset = 0, const RotaryOptions& options = {});

/// Rotation by any angles: row i stands at position offset + i, and its pair c is turned by
/// position·speeds(c), backwards if `back`. X n×2·speeds. O(n·d).
/// @throws as `rotate`, and ShapeError unless X has two columns for each speed.
template <typename T = float>
Matrix<T> rotate_by(In<T> X, InVector<double> speeds, Index offset = 0,
                    RotaryPairs pairs = RotaryPairs::kInterleaved, bool back = false);

/// base^(−2c/width) for c < width/2: the speeds of `rotate`.
/// @throws ValueError unless width is even and at least 2, and base positive and finite.
Vector<double> rotary_speeds(Index width, double base = 10000);

/// YaRN (Peng et al. 2023, arXiv:2309.00071, section 3.2, as in DeepSeek-V3's code): rotation for
/// sequences `factor` times as long as those of training. Pairs that turn fewer than `slow` times
/// in `trained` tokens are slowed down by the factor, those that turn more than `fast` times are
/// left as they are, with a ramp in between.
struct YarnOptions {
  Index trained = 4096;
  double factor = 40, fast = 32, slow = 1;
};

/// The speeds of `rotary_speeds` after YaRN.
/// @throws as `rotary_speeds`, and ValueError for trained < 1 or numbers that are not positive.
Vector<double> yarn_speeds(Index width, const YarnOptions& yarn, double base = 10000);

/// The slopes of ALiBi (Press et al. 2022, arXiv:2108.12409, section 3): 2^(−8(h+1)/H) for head h
/// of H where H is a power of two. Else those of the next lower power of two, then every second one
/// of the next higher: they do not descend. O(H).
/// @throws ValueError unless 1 ≤ heads ≤ 65,536.
template <typename T = float>
Vector<T> alibi_slopes(Index heads);

/// −slope·(i − j) for keys j ≤ i, 0 for later ones, which a causal mask hides. n×n. The original
/// code adds slope·j instead: the same but for a constant in each row, which softmax takes away.
/// @throws ValueError unless n ≥ 1 and slope is finite.
template <typename T = float>
Matrix<T> alibi_bias(Index n, double slope);

/// Two codes of the same frequencies that are not the same numbers.
enum class SinusoidalLayout {
  /// sin and cos in turn: Vaswani et al. 2017, arXiv:1706.03762, section 3.5.
  kInterleaved,
  /// All sines, then all cosines, with d/2 − 1 in the exponent's denominator: tensor2tensor and
  /// fairseq. An odd d has a last column of zeros.
  kHalves,
};

/// The code of positions 0 … n − 1, n×d. O(n·d).
/// @throws ValueError unless n, d ≥ 1 and base is positive and finite.
template <typename T = float>
Matrix<T> sinusoidal_positions(Index n, Index d,
                               SinusoidalLayout layout = SinusoidalLayout::kInterleaved,
                               double base = 10000);

}  // namespace attn
