#pragma once
// Pages for many texts
//
// A cache that reserves room for the longest text wastes most of it. Paged caches cut the memory
// into blocks of block_size tokens and give each sequence a table: its first tokens lie in block
// table[0], the next in table[1], wherever these are. Only the last block of a sequence can have
// free places.
//
// Keep the books of such a cache; no keys and values are needed for that. It has blocks blocks, all
// free, and no sequences. Each row of operations is an action, a sequence and a number:
//
// 0, s, t: t tokens more for sequence s, which begins if there is none. First they fill the last
// block of s. If that block has a free place and other sequences hold it too, it must not be
// written: s gets a copy in a new block, which takes its place in the table. Then new blocks follow
// as they are needed. If the new blocks, that of a copy included, are more than are free, the
// operation is refused and nothing changes.
//
// 1, s, z: sequence z begins as a fork of s: it gets the same table, and every block in it has one
// holder more. Refused if there is no s, or a z already. 2, s, 0: sequence s ends, and its blocks
// have one holder less. Refused if there is no s.
//
// A new block is always the free one, held by nobody, with the lowest number. Sequences are
// numbered from 0 to sequences − 1. Return which operations were carried out, 1 or 0 each; the
// tables at the end, −1 behind the last block of each; the number of holders of each block; and how
// many blocks were copied.
//
// operations: r×3, action, sequence, number
// blocks: blocks of the memory
// block_size: tokens of a block
// sequences: how many sequences there can be
// Returns done: r numbers, 1 if it was carried out, 0 if refused; tables: sequences×blocks,
//   blocks in order, then −1; holders: blocks numbers, how many sequences hold a block; copies: how
//   many blocks were copied
//
// Try it: npm run exercise -- paged-cache

#include "exercise.hpp"

inline std::tuple<Array, Array, Array, std::int64_t> paged_cache(const Array& operations,
                                                                 std::int64_t blocks,
                                                                 std::int64_t block_size,
                                                                 std::int64_t sequences) {
  throw NotWritten("paged_cache");
}
