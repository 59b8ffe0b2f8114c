// Calls of attn/cost: what mechanisms cost, by formula, counted in a run, and fitted to what was
// measured.

#include "attn/base/phrases.hpp"
#include "attn/cost/checkpointing.hpp"
#include "attn/cost/complexity.hpp"
#include "attn/cost/fit.hpp"
#include "attn/cost/flash_io.hpp"
#include "attn/cost/model_memory.hpp"
#include "shared.hpp"

namespace attn::wasm {

using Count = std::uint64_t;

template <>
inline constexpr bool kNamedAlone<CostShape> = true;
ATTN_OPTIONS(CostShape, n, m, d_k, d_v, feature_map, D, window, block, summary, k, chunk,
             query_tile, key_tile, heads, kv_heads, d_model)
ATTN_STRUCT(Cost, multiply_adds, exps, bytes_read, bytes_written, peak_bytes, workspace_bytes,
            input_bytes, output_bytes, index_bytes, state_bytes)

/// A size that a mechanism reads beside n, dK and dV.
struct MechanismSize {
  /// As `CostShape` calls it.
  std::string name;
  std::string_view description;
};
/// A mechanism that has a cost.
struct Mechanism {
  std::string_view id, label;
  /// TeX of the multiply-adds, and of the numbers that dominate the peak.
  std::string_view multiply_adds_tex, memory_tex;
  /// Sizes it reads beside n, dK and dV.
  std::vector<MechanismSize> parameters;
};
ATTN_STRUCT(MechanismSize, name, description)
ATTN_STRUCT_AS(MechanismInfo, Mechanism, id, label, multiply_adds_tex, memory_tex, parameters)
/// All mechanisms that have a cost.
ATTN_CALL(full, mechanisms, (), [] {
  std::vector<Mechanism> all;
  for (const MechanismInfo& info : attn::mechanisms()) {
    all.push_back({info.id, info.label, info.multiply_adds_tex, info.memory_tex, {}});
    for (const MechanismParameter& size : info.parameters) {
      all.back().parameters.push_back({js_name(size.name), size.description});
    }
  }
  return all;
})

ATTN_CALL(full, cost_of,
          (mechanism, otherwise(shape, CostShape()), otherwise(scalar_bytes, sizeof(float))),
          [](const std::string& mechanism, const CostShape& shape, Count scalar_bytes) {
            if (scalar_bytes < 1 || scalar_bytes > 16) {
              throw ValueError("scalar_bytes", phrase::number(scalar_bytes), phrase::range(1, 16));
            }
            return attn::cost_of(mechanism, shape, static_cast<std::size_t>(scalar_bytes));
          })
ATTN_CALL(full, counted_cost, (mechanism, otherwise(shape, CostShape()), otherwise(seed, 0)),
          attn::counted_cost<float>)

/// (n + m)·D·d_v, and (n + m)·D more with the normaliser. m = n unless given.
ATTN_CALL(full, linear_multiply_adds, (n, m, D, d_v, otherwise(normalize, true)),
          [](Count n, std::optional<Count> m, Count D, Count d_v, bool normalize) {
            return attn::linear_multiply_adds(n, m.value_or(n), D, d_v, normalize);
          })
ATTN_CALL(full, linear_crossover, (D, d_k, d_v), attn::linear_crossover)
ATTN_CALL(full, band_cells, (n, w), attn::band_cells)
ATTN_CALL(full, taylor_dimension, (d, otherwise(compact, true)), attn::taylor_dimension)

ATTN_ENUM(StateKind, kAttention, kSlidingWindow, kLinear, kMamba, kHyena, kShortConv)
ATTN_OPTIONS(StateShape, d_model, length, window, heads, D, d_v, d_state, kernel)
ATTN_CALL(full, state_floats, (otherwise(kind, StateKind::kAttention), flat(shape)),
          attn::state_floats)

ATTN_OPTIONS(Rates, multiply_add, exp, byte, call)
ATTN_CALL(full, predicted_nanoseconds, (mechanism, otherwise(shape, CostShape()), rates),
          [](const std::string& mechanism, const CostShape& shape, const Rates& rates) {
            return attn::predicted_nanoseconds(attn::cost_of(mechanism, shape), rates);
          })
ATTN_CONSTANT(max_crossover, kMaxCrossover)
ATTN_CALL(full, crossover, (a, b, otherwise(shape, CostShape()), otherwise(limit, kMaxCrossover)),
          attn::crossover)
ATTN_CALL(full, crossover_time,
          (a, rates_a, b, rates_b, otherwise(shape, CostShape()), otherwise(limit, kMaxCrossover)),
          attn::crossover_time)

ATTN_STRUCT(MemoryRow, n, standard, local, local_kept, symmetric, symmetric_kept, claimed_standard,
            claimed_local, true_at_standard, true_at_local)
ATTN_STRUCT(MemoryTable, batch, heads, window, scalar_bytes, copies, rows, claim_source)
ATTN_CALL(full, memory_table,
          (otherwise(heads, 8), otherwise(batch, 1), otherwise(window, 256),
           otherwise(scalar_bytes, sizeof(float)), otherwise(copies, 1)),
          attn::memory_table)

ATTN_ENUM(TrainingPrecision, kFloat32, kFloat16, kAutocast)
ATTN_OPTIONS(ModelMemoryShape, batch, heads, layers, n, d, kv_heads, feed_forward, vocabulary,
             precision, dropout, flash, checkpoint_every)
ATTN_STRUCT(MemoryParts, scores, weights, dropout_mask, dropped_weights, activations, parameters,
            gradients, optimizer, cache, total)
ATTN_STRUCT(ModelMemory, training, reading, decoding, parameter_numbers, bytes_a_cell)
ATTN_CALL(full, model_memory, (flat(shape)), attn::model_memory)

ATTN_OPTIONS(FlashIoShape, n, d, tile_rows, tile_cols, causal)
ATTN_STRUCT(FlashIo, flash_elements, exact_elements, query_tiles, key_tiles, gain, break_even,
            smallest_winning_tile)
ATTN_CALL(full, flash_io, (flat(shape)), attn::flash_io)
ATTN_STRUCT(CountedFlashIo, flash_read, flash_written, exact_read, exact_written, visited_tiles)
ATTN_CALL(full, counted_flash_io, (flat(shape), otherwise(seed, 0)), attn::counted_flash_io<float>)

ATTN_OPTIONS(CheckpointShape, layers, segment, numbers_per_layer, numbers_per_input,
             last_segment_kept)
ATTN_STRUCT(CheckpointPlan, segments, peak, extra_layer_forwards, extra_forward_passes,
            peak_without, peak_by_segment, best_segment, best_peak)
ATTN_CALL(full, checkpoint_plan, (flat(shape)), attn::checkpoint_plan)

ATTN_STRUCT(Interval, low, high)
ATTN_ENUM(CrossingKind, kBetween, kBelow, kNever)
ATTN_STRUCT(MeasuredCrossing, kind, x, interval, rounds, crossing_rounds)
/// @param round The round of each sample.
ATTN_CALL(full, measured_crossing, (x, round, a, b, otherwise(confidence, 0.95)),
          [](const std::vector<double>& x, const std::vector<Index>& round,
             const std::vector<double>& a, const std::vector<double>& b,
             double confidence) { return attn::measured_crossing(x, round, a, b, confidence); })
ATTN_STRUCT(SlopeFit, slope, intercept, slope_error, intercept_error, slope_interval, confidence, t,
            r_squared, residuals)
/// ln y = intercept + slope·ln x by least squares, and the line where it was asked for.
struct SlopeLine {
  SlopeFit fit;
  /// The line at the `at` that was asked for (or at x).
  std::vector<double> line;
  /// Its confidence band, in y.
  std::vector<double> low, high;
};
ATTN_STRUCT(SlopeLine, flat(fit), line, low, high)
/// @param at Where to evaluate the line and its band; x unless given.
ATTN_CALL(full, fit_slope, (x, y, otherwise(confidence, 0.95), at),
          [](const std::vector<double>& x, const std::vector<double>& y, double confidence,
             const std::optional<std::vector<double>>& at) {
            SlopeLine made{attn::fit_slope(x, y, confidence), {}, {}, {}};
            for (const double one : at ? *at : x) {
              if (!(one > 0)) throw ValueError("at", phrase::number(one), phrase::numbers_above(0));
              const Interval band = made.fit.band(one);
              made.line.push_back(made.fit.at(one));
              made.low.push_back(band.low);
              made.high.push_back(band.high);
            }
            return made;
          })

}  // namespace attn::wasm
