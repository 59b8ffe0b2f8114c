#include "models/planned_mixer.hpp"

#include "attn/base/tensor.hpp"
#include "models/planned_layer.hpp"

namespace attn::internal {
namespace {

/// The mixer itself, where there are no kernels for it. Nothing is kept: its way back computes the
/// way forward again.
class PlannedDefinition final : public PlannedLayer {
 public:
  PlannedDefinition(const SequenceMixer<float>& mixer, Size first)
      : PlannedLayer(mixer), mixer_(mixer), first_(first), count_(mixer.parameters().size()) {}

  void forward(const float* p, const float* a, float* /*work*/, float* y) override {
    Eigen::Map<Matrix<float>>(y, rows_, d_) +=
        mixer_.forward(rows_of(a), batch_, Eigen::Map<const Vector<float>>(p + first_, count_));
  }

  void backward(const float* p, float* g, const float* a, const float* dy, float* /*work*/,
                float* da) override {
    Eigen::Map<Vector<float>> d_own(g + first_, count_);
    Eigen::Map<Matrix<float>>(da, rows_, d_) =
        mixer_.backward(rows_of(a), batch_, Eigen::Map<const Vector<float>>(p + first_, count_),
                        rows_of(dy), d_own);
  }

 protected:
  void lay_kept(Area& /*area*/) override {}
  void lay_work(Area& /*area*/) override {}

 private:
  Eigen::Map<const Matrix<float>> rows_of(const float* x) const { return {x, rows_, d_}; }

  const SequenceMixer<float>& mixer_;
  Size first_, count_;
};

}  // namespace

std::unique_ptr<PlannedMixer> planned_mixer(const SequenceMixer<float>& mixer, Index first) {
  const MixerPlaces places{mixer.parameters(), first};
  for (const auto kinds : {planned_heads(), planned_states(), planned_layers()}) {
    for (const PlannedKind& kind : kinds) {
      if (kind.id != mixer.info().id || mixer.options().length > kind.longest) continue;
      if (auto made = kind.make(mixer, places)) return made;
    }
  }
  return std::make_unique<PlannedDefinition>(mixer, first);
}

}  // namespace attn::internal
