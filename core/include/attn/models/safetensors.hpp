#pragma once
// Parameters as a .safetensors file (huggingface/safetensors, format of version 0.4): eight bytes
// with the length of a header, the header in JSON with the type, shape and place of each tensor,
// then the numbers, little-endian.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "attn/base/tensor.hpp"
#include "attn/nn/parameters.hpp"

namespace attn {

/// One tensor of a file, whatever the type of its numbers: all of them are exact in float64.
struct SafeTensor {
  std::vector<std::int64_t> shape;
  std::vector<double> numbers;
};

struct SafeTensors {
  std::map<std::string, SafeTensor> tensors;
  /// "__metadata__": text by name.
  std::map<std::string, std::string> metadata;
};

/// The file of a model's parameters: a tensor for each entry of the table, F32 for float and F64
/// for double, in the table's order. O(size).
/// @throws ShapeError unless `values` has as many entries as the table.
template <typename T = float>
std::vector<std::uint8_t> to_safetensors(const ParameterTable& table, InVector<T> values,
                                         const std::map<std::string, std::string>& metadata = {});

/// The same in a quarter of the bytes: the numbers of a matrix as codes of 8 bits, I8, symmetric
/// with a scale for each row (`quantize`), and the scales in F32 beside them, as a vector named
/// "<matrix>.scale". Vectors stay as they are. What has wider numbers lies first. O(size).
/// @throws as `to_safetensors`; ValueError for numbers that are not finite.
template <typename T = float>
std::vector<std::uint8_t> to_int8_safetensors(
    const ParameterTable& table, InVector<T> values,
    const std::map<std::string, std::string>& metadata = {});

/// Reads a file with tensors of F64, F32, F16, BF16 and I8. Whatever the bytes are, nothing outside
/// them is read. A shape may have an axis of length 0, at any place. O(size + t·log t) for t
/// tensors.
/// @throws ValueError saying what is wrong: a file that ends early, a header that is not the JSON
/// that the format asks for, a name that stands twice in it, another type of number, a place that
/// does not fit its shape, bytes that two tensors have or none.
SafeTensors read_safetensors(std::span<const std::uint8_t> bytes);

/// The parameters of a model from a file, in the order of its table. A matrix with a vector
/// "<matrix>.scale" beside it, one number for each row, is that number times what stands in the
/// matrix, multiplied in T.
/// @throws as `read_safetensors`; ValueError for a tensor that is missing or that the table does
/// not have, ShapeError for one of another shape.
template <typename T = float>
Vector<T> from_safetensors(const ParameterTable& table, std::span<const std::uint8_t> bytes);
template <typename T = float>
Vector<T> from_safetensors(const ParameterTable& table, const SafeTensors& file);

}  // namespace attn
