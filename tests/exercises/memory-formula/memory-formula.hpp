#pragma once
// Where the memory goes
//
// A table of a course says that standard attention needs 1 GB at 512 tokens. Whether that is true
// depends on what is counted. Write down four numbers of bytes that people mean by "the memory of
// attention".
//
// A batch has B texts of n tokens; each layer has H heads of width d_h, and there are L layers. A
// number takes b bytes. Return, in this order:
//
// scores: the n×n scores of one layer, for all texts and all heads. local: the same where each
// token sees itself and the w - 1 tokens before it, counting only cells that exist: the first
// tokens see fewer, and w may exceed n.
//
// training: what all L layers keep of full attention until the backward pass: for each cell of the
// n×n weights the weight, the weight after dropout, and one byte that says whether it was dropped.
//
// cache: the keys and the values of every token, in all layers and heads, for all texts.
//
// batch: texts at a time, B
// heads: heads of a layer, H
// d_head: width of a head
// layers: layers, L
// n: tokens of each text
// window: keys of a token in the window, its own included
// bytes_per_number: 4 for float32, 2 for float16
// Returns scores: bytes of the scores of one layer; local: bytes of the cells in the window, one
//   layer; training: bytes that all layers keep for the backward pass; cache: bytes of the keys and
//   values of all layers
//
// Try it: npm run exercise -- memory-formula

#include "exercise.hpp"

inline std::tuple<double, double, double, double> memory_formula(std::int64_t batch,
                                                                 std::int64_t heads,
                                                                 std::int64_t d_head,
                                                                 std::int64_t layers,
                                                                 std::int64_t n,
                                                                 std::int64_t window,
                                                                 std::int64_t bytes_per_number) {
  throw NotWritten("memory_formula");
}
