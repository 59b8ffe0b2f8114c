#pragma once
// Conversions that only the full module needs.

#include <emscripten/val.h>

#include <string>
#include <vector>

#include "attn/attention_training.hpp"
#include "attn/operation_count.hpp"
#include "attn/pattern.hpp"
#include "attn/tensor.hpp"
#include "convert.hpp"

namespace attn::wasm {

/// A matrix of one row or one column.
/// @throws ShapeError
Vector<float> vector_from(const val& object, const char* name);
/// {batch, heads, rows, cols, data}
/// @throws ShapeError
Stack<float> stack_from(const val& object, const char* name);
val stack_to(const Stack<float>& x);

/// @throws ValueError unless the property is a string.
std::string text_from(const val& options, Name property);
/// Whole numbers in an array, an Int32Array or a Uint32Array.
/// @throws ValueError
std::vector<Index> indices_from(const val& list, const char* name);

/// Numbers in an array or a typed array.
/// @throws ValueError
std::vector<double> numbers_from(const val& list, const char* name);
/// A Float64Array.
val numbers_to(const std::vector<double>& numbers);
val numbers_to(const std::vector<Index>& numbers);

/// What a pattern is made for: its size, and the queries and keys where there are any.
struct PatternSite {
  Index n = 0, m = 0;
  const Matrix<float>* Q = nullptr;
  const Matrix<float>* K = nullptr;
};
/// `options.pattern`, a `PatternChoice`.
/// @throws ShapeError, ValueError, CapacityError
Pattern pattern_from(const val& options, const PatternSite& site);
/// {n, m, nnz, …, rowStart, columns}
val pattern_to(const Pattern& pattern);

val operations_to(const OperationCount& operations);
val gradients_to(const AttentionGradients<float>& made);

}  // namespace attn::wasm
