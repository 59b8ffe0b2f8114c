#pragma once
// What an exercise in C++ may use: `Array` and the functions of "attn/array/array.hpp", which are
// NumPy's in C++, and the feature maps of `given`.

#include <cmath>
#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "attn/array/array.hpp"
#include "given.hpp"

using namespace attn::array;

/// φ: rows to rows.
using FeatureMap = std::function<Array(const Array&)>;

/// What a stub throws; replace the line by your answer.
class NotWritten : public std::logic_error {
 public:
  explicit NotWritten(const std::string& function)
      : std::logic_error(function + " is not written yet") {}
};
