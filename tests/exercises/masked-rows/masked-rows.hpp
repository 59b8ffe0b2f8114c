#pragma once
// Rows that may see nothing
//
// Write masked_softmax(scores, mask). Both are n×m; query i may see key j where the mask is 1 and
// not where it is 0. Each row becomes a softmax over the keys it may see; blocked keys get a weight
// of exactly 0.
//
// A row in which everything is blocked has nothing to share out: all its weights are 0. The plain
// way gives NaN there, because its largest score is -∞ and -∞-(-∞) is NaN; a large negative number
// in place of -∞ gives equal weights over the forbidden keys.
//
// Scores can be as large as ±1000, and a row of large negative scores that may be seen still sums
// to 1.
//
// scores: n×m, one row for each query
// mask: n×m, 1 where a query may see a key, else 0
// Returns weights: n×m, rows that sum to 1, or to 0
//
// Try it: npm run exercise -- masked-rows

#include "exercise.hpp"

inline Array masked_softmax(const Array& scores, const Array& mask) {
  throw NotWritten("masked_softmax");
}
