#pragma once
// One row of the registry of mechanisms: what it is, what it costs and how it is run. Private to
// the core.

#include "attn/complexity.hpp"
#include "whole.hpp"

namespace attn::internal {

/// A cost in numbers, not bytes, added up pass by pass as the kernel goes.
struct Model {
  Whole multiply_adds, exps, read, written;
  /// Most numbers held at once.
  Whole peak;
  Whole inputs, outputs, state;
  /// Cells of a pattern of n rows; nothing where there is no pattern.
  std::optional<Whole> cells;

  /// C = A·B with C rows×cols; `added`: C += A·B.
  void product(Whole rows, Whole depth, Whole cols, bool added = false);
  void pass(Whole numbers_read, Whole numbers_written);
  void in_place(Whole size) { pass(size, size); }
  /// Numbers added up.
  void sum(Whole size);
  /// The work (not the memory) of `times` runs of another.
  void add(const Model& other, Whole times = 1);
};

/// `CostShape` with its zeros filled in.
struct Sizes {
  Whole n, m, d, d_v, D, window, block, summary, k, chunk, query_tile, key_tile, heads, kv_heads,
      d_model;
  std::string_view feature_map;
};

struct Mechanism {
  MechanismInfo info;
  Model (*model)(const Sizes& s);
  /// Only for n = m.
  bool square = false;
  /// Only for n that are a multiple of the block.
  bool block_divides = false;
  /// In place of the shape's.
  std::string_view feature_map = {};
  /// A float32 kernel: there is no other.
  bool float32_only = false;
};

std::span<const Mechanism> mechanism_registry();

/// @throws ValueError listing the known ids.
const Mechanism& find_mechanism(std::string_view id);

/// @throws as `cost_of`
Sizes resolve(const Mechanism& mechanism, const CostShape& shape);

}  // namespace attn::internal
