#include "attn/base/errors.hpp"
#include "base/lookup.hpp"
#include "linear_attention/feature_maps/entry.hpp"

namespace attn::internal {

template <typename T>
std::span<const Entry<T>> registry() {
  static const std::vector<Entry<T>> entries = [] {
    std::vector<Entry<T>> all;
    add_entrywise_maps<T>(all);
    add_taylor_maps<T>(all);
    add_positional_maps<T>(all);
    add_random_feature_maps<T>(all);
    add_learned_maps<T>(all);
    add_product_maps<T>(all);
    for (Entry<T>& entry : all) entry.info.random = entry.projection == Projection::kRandom;
    return all;
  }();
  return entries;
}

template <typename T>
const Entry<T>& find_entry(std::string_view id) {
  return find_by_id("feature_map", id, registry<T>());
}

template std::span<const Entry<float>> registry<float>();
template std::span<const Entry<double>> registry<double>();
template const Entry<float>& find_entry<float>(std::string_view);
template const Entry<double>& find_entry<double>(std::string_view);

double Parameters::operator[](std::string_view name) const {
  for (const auto& [key, value] : *given) {
    if (key == name) return value;
  }
  for (const FeatureMapParameter& parameter : info->parameters) {
    if (parameter.name == name) return parameter.default_value;
  }
  throw ValueError("feature_map parameter", phrase::quoted(name), phrase::parameter_of(info->id));
}

}  // namespace attn::internal
