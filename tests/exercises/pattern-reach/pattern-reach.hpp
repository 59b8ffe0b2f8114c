#pragma once
// How far news travels
//
// One layer with a sparse mask connects a token only with what it sees. The next layer connects it
// with what those have seen, and so on. Compute what can have reached what.
//
// The mask is causal: no row i has a 1 at a column j > i. After layer 1 token i has news of the
// tokens that it sees; after layer l it has all that the tokens it sees had after layer l - 1. What
// it has it keeps, because the residual stream carries it on, even where the mask has no 1 on the
// diagonal.
//
// Return share and hops. share holds, for the layers 1, 2, … layers, which share of all pairs j ≤ i
// is connected; i = j is a pair, and there are n(n+1)/2. hops says for row i and column j after how
// many layers news of j can first be at i: 0 for i = j, and −1 where layers layers do not suffice.
//
// mask: n×n, 1 where the row sees the column
// layers: how many layers there are
// Returns share: layers numbers, share of the pairs connected; hops: n×n, layers until news
//   arrives, or −1
//
// Try it: npm run exercise -- pattern-reach

#include "exercise.hpp"

inline std::tuple<Array, Array> pattern_reach(const Array& mask, std::int64_t layers) {
  throw NotWritten("pattern_reach");
}
