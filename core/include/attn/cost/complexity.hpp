#pragma once
// What a mechanism costs: exact formulas of its sizes, and the same numbers counted in a run.
//
// Both describe this library's kernels as they are: `cost_of` computes the formulas, `counted_cost`
// runs the kernels under an `OperationMeter`, and the tests require both to be equal. So "causal"
// is dense attention with a mask and saves no multiply-adds, while "causal_kept" computes only the
// visible cells. While a meter counts, the algorithms run as they are written, pass by pass. The
// "fused…" entries are the float32 kernels that run without a meter: one pass, with a workspace
// that depends on the lanes of the machine. Their multiply-adds and exps are those of the cells
// that the mask keeps. Options that an entry does not name have their defaults. Gradients are those
// of one backward call, including the forward pass where the call repeats it.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {

/// The sizes a cost depends on. A mechanism reads n, d_k, d_v and those that its entry names.
struct CostShape {
  /// The number of queries, and of keys where it may differ; m = 0: as many keys as queries.
  std::uint64_t n = 512, m = 0;
  /// The widths of one head.
  std::uint64_t d_k = 64, d_v = 64;
  /// Any map of `feature_maps()`, with its default parameters.
  std::string feature_map = "elu_plus_one";
  /// The number of features of a map with a random projection; 0: its default. Other maps determine
  /// D themselves.
  std::uint64_t D = 0;
  std::uint64_t window = 64, block = 16, summary = 1, k = 32;
  std::uint64_t chunk = 64, query_tile = 64, key_tile = 64;
  std::uint64_t heads = 8, kv_heads = 2;
  /// The width of a layer's input and output; 0: heads·d_k.
  std::uint64_t d_model = 0;
};

/// The cost of one call. Bytes are for the scalar type that was asked for.
struct Cost {
  /// As in `OperationCount`. `exps` assumes that no weight vanishes (the scores of a row are within
  /// 87 of the largest in float32, 708 in float64). For the map ELU + 1 it assumes that every entry
  /// is negative, so there it is a bound, twice the expected number.
  std::uint64_t multiply_adds = 0, exps = 0, bytes_read = 0, bytes_written = 0;
  /// The most bytes held at once: what the call returns and all temporaries, but not its inputs.
  /// The workspace is the peak without the output (or the gradients dQ, dK, dV); attention weights
  /// count as workspace.
  std::uint64_t peak_bytes = 0, workspace_bytes = 0;
  std::uint64_t input_bytes = 0, output_bytes = 0;
  /// The bytes of a pattern's index lists. The cost of making them is not counted.
  std::uint64_t index_bytes = 0;
  /// The bytes that decoding keeps for the n (or m) tokens; 0 where the library has no decoding
  /// token by token.
  std::uint64_t state_bytes = 0;
};

struct MechanismParameter {
  /// The name of a member of `CostShape`.
  std::string_view name;
  std::string_view description;
};

struct MechanismInfo {
  std::string_view id, label;
  /// TeX of the multiply-adds, and of the numbers (not bytes) that dominate the peak.
  std::string_view multiply_adds_tex, memory_tex;
  std::vector<MechanismParameter> parameters = {};
};

/// All mechanisms that have a cost, in the order a reader meets them.
std::span<const MechanismInfo> mechanisms();

/// @throws ValueError listing the known ids.
const MechanismInfo& mechanism_info(std::string_view id);

/// Exact integers. O(1), but O(n/query_tile) for flash and O(n) for hierarchical attention.
/// @throws ValueError for an unknown mechanism or a size out of range, ShapeError for n ≠ m where
/// the mechanism is square, CapacityError when a number exceeds 64 bits.
Cost cost_of(std::string_view mechanism, const CostShape& shape,
             std::size_t scalar_bytes = sizeof(float));

/// The same numbers, counted by running the kernel on N(0, 1) inputs from the seed under a meter.
/// They equal `cost_of`, except for exps where its comment says so.
/// @throws as `cost_of`; CapacityError for more than 2³⁶ multiply-adds or 1 GiB.
template <typename T = float>
Cost counted_cost(std::string_view mechanism, const CostShape& shape, std::uint64_t seed = 0);

// --- Single formulas -----------------------------------------------------------------------------

/// m·D·d_v + n·D·d_v, and n·D + m·D more with the normaliser: the two products of linear attention
/// over features that are already computed.
/// @throws CapacityError
std::uint64_t linear_multiply_adds(std::uint64_t n, std::uint64_t m, std::uint64_t D,
                                   std::uint64_t d_v, bool normalized);
/// n* = 2·D·d_v/(d_k + d_v): above it the linear products of n = m tokens are fewer than softmax
/// attention's. It is D when d_k = d_v.
double linear_crossover(std::uint64_t D, std::uint64_t d_k, std::uint64_t d_v);
/// Cells with |i − j| ≤ w of n×n: n·(2w + 1) − w·(w + 1) for w < n.
std::uint64_t band_cells(std::uint64_t n, std::uint64_t w);
/// Features of the Taylor map: 1 + d + d², or (d + 1)(d + 2)/2 when each mixed product is kept
/// once.
std::uint64_t taylor_dimension(std::uint64_t d, bool compact);

/// The numbers that a layer carries from token to token, counted as zoology's `state_size` does
/// (Arora et al. 2023, arXiv:2312.04927): one layer, batch 1, without biases and convolution tails.
enum class StateKind {
  kAttention,      ///< 2·d_model·length: keys and values of every token
  kSlidingWindow,  ///< 2·d_model·window
  kLinear,         ///< heads·D·(d_v + 1)
  kMamba,          ///< 2·d_model·d_state, with expansion 2
  kHyena,          ///< d_model·length: the convolution is as long as the sequence
  kShortConv,      ///< d_model·kernel
};

struct StateShape {
  std::uint64_t d_model = 64, length = 1024;
  std::uint64_t window = 64, heads = 1, D = 64, d_v = 64, d_state = 16, kernel = 3;
};

/// @throws CapacityError
std::uint64_t state_floats(StateKind kind, const StateShape& shape);

// --- Crossover -----------------------------------------------------------------------------------

/// The time of a unit of work in nanoseconds, measured by the caller.
struct Rates {
  double multiply_add = 0, exp = 0, byte = 0, call = 0;
};

/// The sum multiply_adds·rate + exps·rate + bytes (read and written)·rate + the time of one call.
double predicted_nanoseconds(const Cost& cost, const Rates& rates);

/// How far a crossover is searched unless told.
inline constexpr std::uint64_t kMaxCrossover = 1 << 20;

/// The least n = m ≤ limit at which `b` needs fewer multiply-adds than `a`, with everything else as
/// in `shape`; none if there is no such n. Lengths that a mechanism refuses (BigBird: not a
/// multiple of the block) are skipped. Relies on multiply-adds that never decrease as n grows.
/// @throws as `cost_of`
std::optional<std::uint64_t> crossover(std::string_view a, std::string_view b,
                                       const CostShape& shape, std::uint64_t limit = kMaxCrossover);

/// The crossover in predicted time, with each mechanism at its own measured rates.
/// @throws as `cost_of`; ValueError for a rate that is negative or not finite.
std::optional<std::uint64_t> crossover_time(std::string_view a, const Rates& rates_a,
                                            std::string_view b, const Rates& rates_b,
                                            const CostShape& shape,
                                            std::uint64_t limit = kMaxCrossover);

// --- The memory table of day 42 ------------------------------------------------------------------

/// Bytes of the score matrices of all heads at one sequence length: batch·heads·copies·scalar_bytes
/// times the numbers of one head.
struct MemoryRow {
  std::uint64_t n = 0;
  /// n²
  std::uint64_t standard = 0;
  /// A causal window of w keys, the query's own included: n rows of min(w, n) places, and the cells
  /// that are really kept, n·w − w·(w − 1)/2.
  std::uint64_t local = 0, local_kept = 0;
  /// A window of w keys on either side: n rows of min(2w + 1, n) places, and `band_cells`.
  std::uint64_t symmetric = 0, symmetric_kept = 0;
  /// The numbers that the course text claims, kept for comparison. They are 128 times `standard`
  /// and `local` in every row.
  std::uint64_t claimed_standard = 0, claimed_local = 0;
  /// The batch·heads·copies at which each claim is true for this scalar type: the claim by
  /// n²·scalar_bytes, and by n·min(w, n)·scalar_bytes. With 4 bytes and w = 256 both are 1024 in
  /// every row, so that one dial makes the whole table true: a batch of 128 with 8 heads, or a
  /// batch of 8 with 8 heads in 16 layers.
  double true_at_standard = 0, true_at_local = 0;
};

struct MemoryTable {
  std::uint64_t batch = 1, heads = 8, window = 256, scalar_bytes = 4;
  /// How many such matrices are kept of each head: layers, and what training keeps in each.
  std::uint64_t copies = 1;
  /// n = 512, 1024, 2048, 4096
  std::vector<MemoryRow> rows;
  /// The place of the claims in the course text.
  std::string_view claim_source;
};

/// The table "Memory Usage by Sequence Length" (standard attention against local, w = 256),
/// recomputed. The text names neither heads nor batch nor layers; its sizes are those of
/// batch·heads·copies = 1024.
/// @throws ValueError for a size of 0, CapacityError
MemoryTable memory_table(std::uint64_t heads = 8, std::uint64_t batch = 1,
                         std::uint64_t window = 256, std::uint64_t scalar_bytes = 4,
                         std::uint64_t copies = 1);

}  // namespace attn
