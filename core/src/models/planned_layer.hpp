#pragma once
// What every planned mixer is made of, and the table in which each source names its kinds. Private
// to the core.

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "models/planned_mixer.hpp"
#include "models/planned_parts.hpp"

namespace attn::internal {

/// Where the parameters of a mixer lie in the model's vector.
struct MixerPlaces {
  const ParameterTable& table;
  Size first;

  Size at(const std::string& name) const { return first + table.at(name).offset; }
  Size at_or_none(const std::string& name) const { return table.contains(name) ? at(name) : -1; }
  PlannedLinear linear(const std::string& weight, const std::string& bias) const {
    const ParameterInfo& info = table.at(weight);
    return {at(weight), at_or_none(bias), info.rows, info.cols};
  }
  PlannedLinear linear(const std::string& name) const {
    return linear(name + ".weight", name + ".bias");
  }
};

/// What all of them have.
class PlannedLayer : public PlannedMixer {
 public:
  explicit PlannedLayer(const SequenceMixer<float>& mixer) : d_(mixer.options().d_model) {}

  Size keep(float* kept, Size batch, Size n) final {
    batch_ = batch;
    n_ = n;
    rows_ = batch * n;
    Area area{kept};
    lay_kept(area);
    return area.used;
  }
  Size use(float* work) final {
    Area area{work};
    lay_work(area);
    return area.used;
  }

 protected:
  virtual void lay_kept(Area& area) = 0;
  virtual void lay_work(Area& area) = 0;

  Size d_, batch_ = 0, n_ = 0, rows_ = 0;
};

/// The projections of a mixer of queries, keys and values, which lie side by side in one matrix.
struct HeadProjections {
  PlannedLinear in, out;
  Size heads, kv_heads, d_k, d_v;

  HeadProjections(const SequenceMixer<float>& mixer, const MixerPlaces& places)
      : in(places.linear("in_proj_weight", "in_proj_bias")),
        out(places.linear("out_proj")),
        heads(mixer.options().heads),
        kv_heads(mixer.options().kv_heads == 0 ? heads : mixer.options().kv_heads),
        d_k((in.outputs - kv_heads * (out.inputs / heads)) / (heads + kv_heads)),
        d_v(out.inputs / heads) {}

  /// Where the keys begin, behind all queries.
  Size keys() const { return heads * d_k; }
  /// Where the values begin, behind all keys.
  Size values() const { return (heads + kv_heads) * d_k; }
  /// The number of the keys and values that head h reads, and whether it is their first head.
  Size shared(Size h) const { return h / (heads / kv_heads); }
  bool first_of_group(Size h) const { return h % (heads / kv_heads) == 0; }
  /// y += mixed·Wᵀ + b
  void leave(const float* p, const float* mixed, Size rows, float* y) const {
    if (out.bias >= 0) begin_rows(y, p + out.bias, rows, out.outputs, y);
    times_weights(mixed, rows, p + out.weight, out.outputs, out.inputs, y, true);
  }
};

/// A kind of mixer that has kernels.
struct PlannedKind {
  std::string_view id;
  /// Null for settings that only the definition handles.
  std::unique_ptr<PlannedMixer> (*make)(const SequenceMixer<float>&, const MixerPlaces&);
  /// Longer sequences take less time by the definition.
  Index longest = std::numeric_limits<Index>::max();
};

template <typename Planned>
std::unique_ptr<PlannedMixer> planned_as(const SequenceMixer<float>& mixer,
                                         const MixerPlaces& places) {
  return std::make_unique<Planned>(mixer, places);
}

/// Heads with weights, heads with a state, and layers of their own.
std::span<const PlannedKind> planned_heads();
std::span<const PlannedKind> planned_states();
std::span<const PlannedKind> planned_layers();

}  // namespace attn::internal
