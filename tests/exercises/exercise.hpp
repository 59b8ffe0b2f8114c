#pragma once
// Everything that an exercise in C++ may use: `Array` and the functions of "attn/array/array.hpp",
// which are NumPy's in C++, and the feature maps of `given`.

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

/// A feature map φ, which takes and returns rows.
using FeatureMap = std::function<Array(const Array&)>;

/// A stub throws this error; replace that line with your answer.
class NotWritten : public std::logic_error {
 public:
  explicit NotWritten(const std::string& function)
      : std::logic_error(function + " is not written yet") {}
};
