#pragma once
// Between JavaScript's plain objects and the core's types. A matrix crosses as
// {rows, cols, data: Float32Array}; data is copied once on the way in and once on the way out.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "attn/analysis.hpp"
#include "attn/attention_training.hpp"
#include "attn/feature_map.hpp"
#include "attn/inputs.hpp"
#include "attn/linear_attention.hpp"
#include "value.hpp"

namespace attn::wasm {

/// Undefined or null: left out.
bool is_undefined(const val& value);
/// `typeof value`
std::string type_text(const val& value);

/// The core's name of an argument as JavaScript calls it: Q → q, Wq → wq, d_k → dK, feature_map →
/// featureMap; D stays, since d is another. A feature map's parameter keeps the name the registry
/// gives it.
std::string js_name(const std::string& name);

/// @throws ShapeError unless `value` is an object.
void require_object(const val& value, const char* name, const char* wanted);
/// `object[property]`, a size of the argument `name`.
/// @throws ShapeError, saying that `wanted` is wanted, unless it is a whole number.
Index size_from(const val& object, Name property, const char* name, const char* wanted);
/// `object.data`.
/// @throws ShapeError unless it is a Float32Array of `count` entries, which `shape` stands for.
val data_from(const val& object, const char* name, const std::string& shape, double count);

/// @throws ShapeError when data is not a Float32Array of rows·cols entries.
Matrix<float> matrix_from(const val& object, const char* name);
/// Empty when the property is undefined.
Matrix<float> optional_matrix(const val& options, Name property, const char* name);
val matrix_to(const float* data, Index rows, Index cols);
val matrix_to(const Matrix<float>& x);
/// A vector becomes an n×1 matrix.
val column_to(const Vector<float>& x);
/// A matrix of one row or one column; empty when the property is undefined.
Vector<float> optional_vector(const val& options, Name property, const char* name);
val list_to(const std::vector<Matrix<float>>& matrices);
val positivity_to(Positivity positivity);
LinearState<float> linear_state_from(const val& state);
val linear_state_to(const LinearState<float>& state);

/// @throws ValueError unless the property is a number (undefined included).
double number_from(const val& options, Name property);
std::optional<double> optional_number(const val& options, Name property);
Index index_from(const val& options, Name property);
std::optional<Index> optional_index(const val& options, Name property);
std::uint64_t seed_from(const val& options, Name property);
bool flag_from(const val& options, Name property, bool otherwise);
/// A list of booleans; empty when the property is undefined.
std::vector<std::uint8_t> flags_from(const val& options, Name property);
/// Which of `names` the property is; the first when it is undefined.
std::size_t choice_from(const val& options, Name property, std::initializer_list<Name> names);

/// `choice.parameters`, numbers by name; none when undefined.
std::vector<std::pair<std::string, double>> parameters_from(const val& choice);

Qkv<float> qkv_from(const val& options);
/// `options.featureMap` for inputs of width d_k.
FeatureMap<float> feature_map_from(const val& options, Index d_k);
/// `offset` and `length`.
Position position_from(const val& options);
/// A `MaskChoice`; full when undefined.
Mask mask_of(const val& choice);
/// `options.mask`
Mask mask_from(const val& options);
/// `mask`, `scale` and `bias`.
AttentionOptions<float> attention_options_from(const val& options);
val attention_result_to(const AttentionResult<float>& made);
/// `options.dropout`; none when undefined.
Dropout<float> dropout_from(const val& options);
CompareOptions compare_options_from(const val& options);
LinearAttentionOptions linear_attention_options_from(const val& options);

}  // namespace attn::wasm
