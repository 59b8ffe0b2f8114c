#include "cost_topics.hpp"

#include <cstdint>

#include "attn/cost/checkpointing.hpp"
#include "attn/cost/flash_io.hpp"

namespace attn::golden {
namespace {

template <typename T>
std::uint64_t whole(const Case<T>& c, const char* name) {
  return static_cast<std::uint64_t>(c.param(name, 0));
}

std::vector<double> one(std::uint64_t x) { return {static_cast<double>(x)}; }

template <typename T>
void run_flash_io(Case<T>& c, const Json&) {
  c.require_known({"n", "d", "tile_rows", "tile_cols"}, {});
  const FlashIoShape shape{whole(c, "n"), whole(c, "d"), whole(c, "tile_rows"),
                           whole(c, "tile_cols")};
  const FlashIo made = flash_io(shape);
  c.check("flash_elements", one(made.flash_elements));
  c.check("exact_elements", one(made.exact_elements));
  c.check("query_tiles", one(made.query_tiles));
  c.check("gain", {made.gain});
  c.check("break_even", {made.break_even});
  c.check("smallest_winning_tile", {static_cast<double>(made.smallest_winning_tile)});
  // The same by what the code moves.
  const CountedFlashIo counted = counted_flash_io<T>(shape);
  c.check("flash_elements", one(counted.flash_read + counted.flash_written));
  // This library scales the queries in a pass of its own.
  c.check("exact_elements",
          one(counted.exact_read + counted.exact_written - 2 * shape.n * shape.d));
}

template <typename T>
void run_checkpointing(Case<T>& c, const Json&) {
  c.require_known(
      {"layers", "segment", "numbers_per_layer", "numbers_per_input", "last_segment_kept"}, {});
  const CheckpointPlan made =
      checkpoint_plan({whole(c, "layers"), whole(c, "segment"), whole(c, "numbers_per_layer"),
                       whole(c, "numbers_per_input"), c.param("last_segment_kept", 0) != 0});
  c.check("segments", one(made.segments));
  c.check("peak", one(made.peak));
  c.check("extra_layer_forwards", one(made.extra_layer_forwards));
  c.check("extra_forward_passes", {made.extra_forward_passes});
  c.check("peak_without", one(made.peak_without));
  c.check("peak_by_segment",
          std::vector<double>(made.peak_by_segment.begin(), made.peak_by_segment.end()));
  c.check("best_segment", one(made.best_segment));
  c.check("best_peak", one(made.best_peak));
}

template <typename T>
const std::map<std::string, Topic<T>> kTopics{
    {"checkpointing", &run_checkpointing<T>},
    {"flash_io", &run_flash_io<T>},
};

}  // namespace

template <typename T>
const std::map<std::string, Topic<T>>& cost_topics() {
  return kTopics<T>;
}
template const std::map<std::string, Topic<float>>& cost_topics<float>();
template const std::map<std::string, Topic<double>>& cost_topics<double>();

}  // namespace attn::golden
