#pragma once
// ELU + 1 that stays positive
//
// φ(x) = ELU(x) + 1 is x + 1 for x > 0 and e^x otherwise. It is always positive, the course text
// says, so that no denominator φ(q)·Σφ(k) can vanish.
//
// Computed as ELU and then +1, it is not: e⁻⁸⁰ - 1 rounds to -1, and -1 + 1 = 0. In float32 that
// happens from x = -17.4 downwards.
//
// Write elu_plus_one(x). It takes a matrix and returns φ of every entry, correct to five digits
// however small it is, also beside large entries. (JavaScript’s matrices are float32 and are not
// graded on tiny entries.)
//
// x: n×d, queries or keys, one in each row
// Returns phi: n×d, φ(x), all entries positive
//
// Try it: npm run exercise -- elu-plus-one

#include "exercise.hpp"

inline Array elu_plus_one(const Array& x) {
  throw NotWritten("elu_plus_one");
}
