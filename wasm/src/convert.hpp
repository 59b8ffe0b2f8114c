#pragma once
// Between JavaScript's plain objects and the core's types. A matrix crosses as
// {rows, cols, data: Float32Array}; data is copied once on the way in and once on the way out.

#include <emscripten/val.h>

#include <cstdint>
#include <optional>
#include <string>

#include "attn/analysis.hpp"
#include "attn/attention_training.hpp"
#include "attn/feature_map.hpp"
#include "attn/inputs.hpp"
#include "attn/linear_attention.hpp"

namespace attn::wasm {

using emscripten::val;

/// @throws ShapeError when data is not a Float32Array of rows·cols entries.
Matrix<float> matrix_from(const val& object, const char* name);
/// Empty when the property is undefined.
Matrix<float> optional_matrix(const val& options, const char* property, const char* name);
val matrix_to(const Matrix<float>& x);
/// A vector becomes an n×1 matrix.
val column_to(const Vector<float>& x);

/// @throws ValueError unless the property is a number (undefined included).
double number_from(const val& options, const char* property);
std::optional<double> optional_number(const val& options, const char* property);
Index index_from(const val& options, const char* property);
std::uint64_t seed_from(const val& options, const char* property);
bool flag_from(const val& options, const char* property, bool otherwise);

Qkv<float> qkv_from(const val& options);
/// `options.featureMap` for inputs of width d_k.
FeatureMap<float> feature_map_from(const val& options, Index d_k);
/// `options.mask`; full when undefined.
Mask mask_from(const val& options);
/// `mask`, `scale` and `bias`.
AttentionOptions<float> attention_options_from(const val& options);
/// `options.dropout`; none when undefined.
Dropout<float> dropout_from(const val& options);
CompareOptions compare_options_from(const val& options);
LinearAttentionOptions linear_attention_options_from(const val& options);

}  // namespace attn::wasm
