#pragma once

#include "exercise.hpp"

inline Array simple_feature_map(const Array& x) { return x; }
