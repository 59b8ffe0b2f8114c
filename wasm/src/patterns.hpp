#pragma once
// Patterns: what JavaScript chooses one by, and the lists that it gets.

#include <cstdint>
#include <optional>
#include <vector>

#include "attn/attention/pattern.hpp"
#include "attn/base/inputs.hpp"
#include "convert.hpp"

namespace attn::wasm {

/// What a pattern is for: a size, or queries and keys.
struct PatternSite {
  /// Queries and keys, where no matrices are given.
  std::optional<Index> n, m;
  /// n×d_k and m×d_k: for patterns that rank keys.
  std::optional<Matrix<float>> Q, K;
};

/// A `PatternChoice` as JavaScript has it: the call makes the pattern for its own n and m.
struct PatternChoice {
  val choice = emscripten::val::undefined();

  /// @throws ShapeError, ValueError, CapacityError
  Pattern at(const PatternSite& site) const;
  Pattern at(const Qkv<float>& x) const;
};
template <>
struct Convert<PatternChoice> {
  static constexpr const char *kKind = "byHand", *kName = "PatternChoice";
  static void from_js(const val& value, const Argument& argument, PatternChoice& to) {
    if (!value.is_object()) refuse(value, argument, phrase::object_with_id_or_kind);
    to.choice = value;
  }
};

/// A pattern in compressed rows.
struct PatternLists {
  Index n = 0, m = 0;
  /// Kept cells.
  Index nnz = 0;
  /// nnz/(n·m)
  double density = 0;
  /// Keys of the fullest row.
  Index longest_row = 0;
  /// No query i sees a key j > i; none sees a key j > i + m − n.
  bool causal = false, causal_bottom_right = false;
  /// Bytes of the core's lists.
  std::size_t bytes = 0;
  /// n + 1 entries: query i sees the keys `columns[rowStart[i]]` … `columns[rowStart[i + 1] − 1]`.
  std::vector<std::int32_t> row_start;
  /// nnz keys, ascending in each row.
  std::vector<std::int32_t> columns;
};
ATTN_STRUCT(PatternLists, n, m, nnz, density, longest_row, causal, causal_bottom_right, bytes,
            row_start, columns)

PatternLists lists_of(const Pattern& pattern);

}  // namespace attn::wasm
