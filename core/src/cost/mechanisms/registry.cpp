#include "base/lookup.hpp"
#include "cost/mechanisms/entry.hpp"

namespace attn::internal {

template <typename T>
std::span<const Mechanism<T>> mechanism_registry() {
  static const std::vector<Mechanism<T>> entries = [] {
    std::vector<Mechanism<T>> all;
    add_softmax_mechanisms<T>(all);
    add_fused_mechanisms<T>(all);
    add_pattern_mechanisms<T>(all);
    add_hierarchical_mechanisms<T>(all);
    add_linear_mechanisms<T>(all);
    add_layer_mechanisms<T>(all);
    return all;
  }();
  return entries;
}

template <typename T>
const Mechanism<T>& find_mechanism(std::string_view id) {
  return find_by_id("mechanism", id, mechanism_registry<T>());
}

template std::span<const Mechanism<float>> mechanism_registry<float>();
template std::span<const Mechanism<double>> mechanism_registry<double>();
template const Mechanism<float>& find_mechanism<float>(std::string_view);
template const Mechanism<double>& find_mechanism<double>(std::string_view);

}  // namespace attn::internal
