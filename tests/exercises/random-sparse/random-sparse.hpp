#pragma once
// Random keys that hang together
//
// A random pattern costs little, and a few layers carry news far. But nothing promises that it gets
// everywhere: a token that nobody looks at is never heard. So build the pattern, and check it.
//
// Row i sees itself. With neighbour set it also sees the token before it, i - 1; token 0 sees the
// last one then. Beside these it sees keys others, drawn like this: row i of random holds a number
// for every token, and those with the largest numbers are taken. What it sees already is not drawn
// again, so a row has keys cells more; where fewer tokens are left it takes all of them.
//
// Return the mask, 1 where row i sees column j and 0 elsewhere, and whether it is connected:
// whether from every token news can reach every other token, in however many layers. News goes only
// from what is seen to the one who sees it.
//
// random: n×n, numbers to draw with, all different
// keys: how many keys a row draws
// neighbour: whether it also sees the token before it
// Returns mask: n×n, 1 where the row sees the column; connected: whether everything reaches
//   everything
//
// Try it: npm run exercise -- random-sparse

#include "exercise.hpp"

inline std::tuple<Array, bool> random_sparse(const Array& random, std::int64_t keys,
                                             bool neighbour) {
  throw NotWritten("random_sparse");
}
