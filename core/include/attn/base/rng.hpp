#pragma once
// A seeded generator whose numbers are the same bits on every machine and in WebAssembly.
//
// The standard library's engines are portable but its distributions are not, and libm's log and cos
// differ between platforms in the last bit; so the Gaussian here uses only + − × ÷ and √, which
// IEEE 754 fixes exactly.

#include <array>
#include <cstdint>

#include "attn/base/tensor.hpp"

namespace attn {

/// xoshiro256** (Blackman & Vigna, "Scrambled linear pseudorandom number generators", 2018), seeded
/// through SplitMix64. `stream` gives independent sequences for one seed, so that drawing more
/// values from one stream never changes another, such as the queries.
class Rng {
 public:
  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0);

  /// Returns 64 uniform bits.
  std::uint64_t next();
  /// Returns a number that is uniform in [0, 1), with 53 bits.
  double uniform();
  /// Uniform in {0, …, bound − 1}, without modulo bias.
  /// @throws ValueError when bound is 0.
  std::uint64_t below(std::uint64_t bound);
  /// N(0, 1) by Marsaglia's polar method (SIAM Review 6, 1964).
  double gaussian();

  /// rows×cols of independent N(0, 1), filled row by row: a longer matrix of the same width starts
  /// with the shorter one. O(rows·cols).
  template <typename T = float>
  Matrix<T> gaussian_matrix(Index rows, Index cols);

 private:
  std::array<std::uint64_t, 4> state_;
  double spare_ = 0;
  bool has_spare_ = false;
};

/// Uniform numbers for the cells of a table, each drawn on its own: a tile of the table, or a list
/// of its cells, has the same numbers as the whole table, whatever its size and the order of
/// drawing. Cell (i, j) is output j of the SplitMix64 sequence (Steele, Lea & Flood, "Fast
/// Splittable Pseudorandom Number Generators", 2014) that starts at a hash of seed, stream and i.
class CellRng {
 public:
  explicit CellRng(std::uint64_t seed, std::uint64_t stream = 0);

  /// Uniform in [0, 1), 53 bits. O(1).
  double uniform(Index i, Index j) const;

 private:
  std::uint64_t start_;
};

/// The length of the rows of a random projection.
enum class RowNorms {
  /// The lengths of Gaussian rows, distributed as χ(d). Every single row is N(0, I_d), orthogonal
  /// or not (`ortho_scaling` 0 of the published code).
  kGaussian,
  /// The length √d for all rows: each row is uniform on that sphere (`ortho_scaling` 1). Estimates
  /// of e^{x·y} are then too small on average, because their kernel is the regularised softmax
  /// kernel.
  kFixed,
};

/// m×d projection for random features (Choromanski et al. 2021, arXiv:2009.14794). `orthogonal`:
/// rows are orthogonal within each block of d, their lengths independent; else rows are
/// independent. O(m·d²).
/// @throws ValueError for an m or d below 1.
template <typename T = float>
Matrix<T> random_projection(Index m, Index d, bool orthogonal, std::uint64_t seed,
                            RowNorms norms = RowNorms::kGaussian);

}  // namespace attn
