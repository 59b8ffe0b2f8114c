#pragma once
// Which keys each query sees, as lists of keys, so that the cost of work over a pattern depends on
// its kept cells.
//
// A `Mask` answers whether query i may see key j, and serves dense attention. A `Pattern` lists the
// keys of query i, and serves `sparse_attention`. Where n ≠ m, query i has the key position i + m −
// n (its row is aligned at the bottom right, as in flash-attention ≥ 2.1 and in decoding with a
// cache), unless the comment of a function below says otherwise.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attn/attention/mask.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

/// The corner through which the diagonal of a causal mask passes when n ≠ m.
enum class Alignment {
  kTopLeft,      ///< query i stands at key i
  kBottomRight,  ///< query i stands at key i + m − n
};

/// How the distance between a key and a query is measured.
enum class Nearness {
  kDot,        ///< large q·k
  kEuclidean,  ///< small ‖q − k‖
};

/// The most cells that a pattern may keep, and the most rows: 256 MiB of indices.
inline constexpr Index kMaxPatternCells = Index{1} << 26;

/// For each of n queries the ascending list of the keys it sees, in compressed rows (CSR).
/// Immutable. 4 bytes a kept cell and sizeof(Index) a query.
class Pattern {
 public:
  /// 0×0
  Pattern() = default;

  /// Row i sees the keys in rows[i], in any order; a key that occurs twice counts once. O(nnz·log
  /// nnz).
  /// @throws ValueError for a key outside 0 … m − 1; CapacityError
  static Pattern from_rows(Index m, const std::vector<std::vector<Index>>& rows);
  /// Cell (i, j) is kept where `keep(i, j)` is not 0. O(n·m).
  /// @throws ValueError for an entry that is not finite, or no row or column; CapacityError
  template <typename T = float>
  static Pattern from_matrix(In<T> keep);
  /// O(n·m), or O(n + nnz) for a mask that is no matrix.
  /// @throws ShapeError when the mask came from a matrix that is not n×m; ValueError;
  /// CapacityError
  static Pattern from_mask(const Mask& mask, Index n, Index m);

  // The functions below cost O(n + nnz) unless their comment says otherwise. All throw ValueError
  // for a number outside its range and CapacityError beyond `kMaxPatternCells`.

  /// Every query sees every key: n·m cells.
  static Pattern full(Index n, Index m);
  /// No query sees any key.
  static Pattern none(Index n, Index m);
  /// Query i sees keys up to its own position. Square: n(n+1)/2 cells.
  static Pattern causal(Index n, Index m, Alignment alignment = Alignment::kTopLeft);
  /// Query i sees its own position and the future: the transpose of causal, which lets a language
  /// model see the tokens that it should predict. Square: n(n+1)/2 cells.
  static Pattern reverse(Index n, Index m, Alignment alignment = Alignment::kTopLeft);
  /// Every query sees keys 0 … valid_keys − 1 (padding at the end).
  static Pattern padding(Index n, Index m, Index valid_keys);
  /// Every query sees the keys j with keep[j] ≠ 0 (padding anywhere); m is keep's length.
  static Pattern padding(Index n, std::span<const std::uint8_t> keep);

  /// Keys p − left … p + right around the query's position p = i + m − n; −1 means no limit. This
  /// is flash-attention's `window_size`.
  static Pattern sliding_window(Index n, Index m, Index left, Index right);
  /// |i − j| ≤ w: the sliding window of Longformer (Beltagy et al. 2020, arXiv:2004.05150) with w
  /// one-sided as in its code, so that an inner query sees 2w + 1 keys; the paper's w counts both
  /// sides. n(2w + 1) − w(w + 1) cells for w < n.
  static Pattern longformer(Index n, Index w);
  /// 0 ≤ i − j ≤ context − 1: `context` keys, the query's own included. This is what OpenAI's code
  /// keeps (openai/sparse_attention, mode "local"); the paper's text keeps one key more.
  static Pattern local(Index n, Index context);
  /// j ≤ i and (i − j) divisible by `stride` (the code's mode "strided"). About n²/(2·stride)
  /// cells.
  static Pattern strided(Index n, Index stride);
  /// `local` ∪ `strided` of the same size: both heads of the Sparse Transformer's strided scheme
  /// merged into one (Child et al. 2019, arXiv:1904.10509). Fewest cells at context ≈ √n: O(n·√n).
  static Pattern sparse_transformer(Index n, Index context);
  /// j ≤ i within the query's own block of `block`, and the last `summary` columns of every earlier
  /// block (Child et al. 2019, "fixed", both heads merged).
  static Pattern fixed(Index n, Index block, Index summary);

  /// Each query sees itself, one neighbour (i − 1; for i = 0 the last token, or none when causal),
  /// and up to `keys` random others without replacement. Random keys alone connect the sequence
  /// only with high probability, and only from about ln n keys per row (Erdős and Rényi). With the
  /// neighbour it is certain that every token reaches every other through layers (causal: every
  /// earlier one). The same seed gives the same pattern on every machine. O(nnz·log keys).
  static Pattern random(Index n, Index keys, bool causal, std::uint64_t seed);

  /// BigBird in blocks of `block` tokens, nb = n/block: a band of 3 blocks, the first and the last
  /// block as global rows and columns, and for block row i = 1 … nb − 2 the block columns
  /// random_blocks[i − 1] (Zaheer et al. 2020, arXiv:2007.14062; google-research/bigbird).
  /// @throws ValueError unless `block` divides n; ShapeError unless there is one list for each of
  /// the max(nb − 2, 0) inner block rows.
  static Pattern big_bird(Index n, Index block,
                          const std::vector<std::vector<Index>>& random_blocks);
  /// The same, with `random` blocks for each inner block row, drawn from the blocks that the row
  /// does not see already (all of them where there are fewer). Published code uses blocks of 64 and
  /// random = 3.
  static Pattern big_bird(Index n, Index block, Index random, std::uint64_t seed);

  /// The k largest scores of each row among the cells that the mask keeps; among equal scores those
  /// with the lowest index. −∞ is never kept, so a row has at most k keys and may have none. O(n·m
  /// + n·k·log k) after the scores are computed: top-k saves nothing before the softmax.
  /// @throws ShapeError, ValueError (k < 1; NaN or +∞ at a cell the mask keeps); CapacityError
  template <typename T = float>
  static Pattern top_k(In<T> scores, Index k, const Mask& mask = Mask::full());
  /// The k keys nearest to each query, with ties and mask as in `top_k`. Forms one row of scores at
  /// a time: O(m) memory beside the pattern; n·m·d multiply-adds nevertheless.
  /// @throws ShapeError, ValueError (also for a product or squared distance that overflows T);
  /// CapacityError
  template <typename T = float>
  static Pattern nearest_keys(In<T> Q, In<T> K, Index k, Nearness nearness = Nearness::kDot,
                              const Mask& mask = Mask::full());

  /// The cells that `a` or `b` keeps. O(nnz(a) + nnz(b)).
  /// @throws ShapeError unless they have the same shape.
  static Pattern unite(const Pattern& a, const Pattern& b);
  /// The cells that both keep. O(nnz(a) + nnz(b)).
  /// @throws ShapeError unless they have the same shape.
  static Pattern intersect(const Pattern& a, const Pattern& b);

  /// n and m
  Index rows() const { return static_cast<Index>(begin_.size()) - 1; }
  Index cols() const { return cols_; }
  /// The number of kept cells.
  Index nnz() const { return begin_.back(); }
  /// nnz/(n·m); 0 for an empty pattern.
  double density() const;
  /// The keys that query i sees, in ascending order. Valid as long as the pattern exists.
  std::span<const std::int32_t> row(Index i) const {
    const auto at = static_cast<std::size_t>(i);
    return {keys_.data() + begin_[at], static_cast<std::size_t>(begin_[at + 1] - begin_[at])};
  }
  /// All rows one after the other: keys()[first_of_rows()[i]] is the first of row i.
  const std::int32_t* keys() const { return keys_.data(); }
  const Index* first_of_rows() const { return begin_.data(); }
  /// Where row i starts among the nnz cells: its values are first(i) … first(i + 1) − 1.
  Index first(Index i) const { return begin_[static_cast<std::size_t>(i)]; }
  /// The number of keys in the longest row.
  Index longest_row() const;
  /// Whether query i sees key j. O(log row).
  bool contains(Index i, Index j) const;
  /// Whether no query sees a key j > i + offset; offset 0 is the top-left diagonal.
  bool is_causal(Index offset = 0) const;

  /// n×m of 0 and 1.
  template <typename T = float>
  Matrix<T> to_matrix() const;
  /// n×m with `values` (one a kept cell, in the pattern's order) in place and 0 elsewhere.
  /// @throws ShapeError unless there are nnz values.
  template <typename T = float>
  Matrix<T> to_matrix(const Vector<std::type_identity_t<T>>& values) const;
  /// The same cells as a mask for dense attention. O(n·m).
  Mask to_mask() const;
  /// Bytes of the index lists.
  std::size_t bytes() const;

  /// @throws ShapeError unless the pattern is n×m.
  void require_fits(Index n, Index m) const;

  friend bool operator==(const Pattern&, const Pattern&) = default;

 private:
  struct Builder;

  Index cols_ = 0;
  std::vector<Index> begin_{0};
  std::vector<std::int32_t> keys_;
};

// The registry of patterns, which pages list, URLs name and tests enumerate.

struct PatternParameter {
  std::string_view name, label, description;
  double default_value, min, max;
  bool integer;
};

struct PatternPaper {
  std::string_view title, url, where;

  /// Whether there is no source to name.
  bool empty() const { return url.empty(); }
};

/// The description of a pattern, available without making it.
struct PatternInfo {
  std::string_view id, label;
  std::string_view description;
  /// TeX of the number of cells that the pattern keeps.
  std::string_view cells_tex;
  PatternPaper paper;
  std::vector<PatternParameter> parameters = {};
  /// Whether the pattern requires n = m.
  bool square = false;
  /// Whether the pattern is drawn from the seed.
  bool random = false;
  /// Whether the pattern is made from `PatternOptions::cells`.
  bool from_cells = false;
};

struct PatternOptions {
  /// Parameters by name; a parameter that is left out takes its default.
  std::vector<std::pair<std::string, double>> parameters;
  std::uint64_t seed = 0;
  /// n×m, for the patterns that need it: the scores that `top_k` ranks, the cells that `matrix`
  /// keeps. Float scores keep their order in double.
  Matrix<double> cells;
};

/// All registered patterns, in the order in which a reader meets them.
std::span<const PatternInfo> patterns();

/// @throws ValueError listing the known ids.
const PatternInfo& pattern_info(std::string_view id);

/// The pattern of that name for n queries and m keys. Cost: the maker's.
/// @throws ValueError for an unknown id or parameter or a value outside its range; ShapeError for
/// n ≠ m where the pattern is square and for cells that are missing, of another shape, or not
/// wanted; CapacityError
Pattern make_pattern(std::string_view id, Index n, Index m, const PatternOptions& options = {});

}  // namespace attn
