// The formulas of complexity.hpp: fills in and checks sizes, and converts a mechanism's formula
// into bytes.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "attn/base/errors.hpp"
#include "attn/cost/phrases.hpp"
#include "cost/mechanisms/entry.hpp"

namespace attn::internal {

void Model::product(Whole rows, Whole depth, Whole cols, bool added) {
  multiply_adds += rows * depth * cols;
  pass(rows * depth + depth * cols + (added ? rows * cols : 0), rows * cols);
}

void Model::pass(Whole numbers_read, Whole numbers_written) {
  read += numbers_read;
  written += numbers_written;
}

void Model::sum(Whole size) {
  multiply_adds += size;
  read += size;
}

void Model::add(const Model& other, Whole times) {
  multiply_adds += times * other.multiply_adds;
  exps += times * other.exps;
  pass(times * other.read, times * other.written);
}

namespace {

/// Fills in the feature map with its D, and the number of rows of its projection.
void resolve_map(std::string_view id, const CostShape& shape, Sizes& s) {
  const Entry<float>& entry = find_entry<float>(id);
  const std::vector<std::pair<std::string, double>> none;
  const Parameters parameters{&entry.info, &none};
  const auto features = [&](Whole m) -> Whole {
    const double D = entry.dimension(static_cast<double>(s.d.value()),
                                     static_cast<double>(m.value()), parameters);
    if (D > 0x1p53) throw CapacityError("shape", phrase::count_overflows, phrase::smaller_sizes);
    return static_cast<std::uint64_t>(D);
  };
  s.feature_map = &entry;
  if (entry.projection == Projection::kIdentity) s.projections = s.d;
  if (entry.projection == Projection::kRandom) {
    // Some maps make two features from each row of the projection.
    const Whole each = features(1);
    if (Whole(shape.D) % each != Whole(0)) {
      throw ValueError("D", phrase::number(shape.D),
                       phrase::features_of_projections(each.value(), entry.info.label));
    }
    s.projections = shape.D == 0 ? Whole(static_cast<std::uint64_t>(parameters["features"]))
                                 : Whole(shape.D) / each;
  }
  s.D = features(s.projections);
  if (shape.D != 0 && s.D != Whole(shape.D)) {
    throw ValueError("D", phrase::number(shape.D),
                     phrase::features_of_map(s.D.value(), id, shape.d_k));
  }
}

}  // namespace

template <typename T>
Sizes resolve(const Mechanism<T>& mechanism, const CostShape& shape) {
  const auto require_some = [](std::string_view name, std::uint64_t value) {
    if (value == 0) throw ValueError(name, phrase::number(0), phrase::at_least(1));
  };
  const auto reads = [&](std::string_view name) {
    const auto& all = mechanism.info.parameters;
    return std::any_of(all.begin(), all.end(), [&](const auto& p) { return p.name == name; });
  };
  require_some("n", shape.n);
  require_some("d_k", shape.d_k);
  require_some("d_v", shape.d_v);
  if (mechanism.square && shape.m != 0 && shape.m != shape.n) {
    throw ShapeError("m", phrase::number(shape.m), phrase::keys_as_queries(shape.n));
  }
  for (const auto& [name, value] :
       {std::pair{"block", shape.block}, std::pair{"chunk", shape.chunk},
        std::pair{"query_tile", shape.query_tile}, std::pair{"key_tile", shape.key_tile},
        std::pair{"heads", shape.heads}, std::pair{"kv_heads", shape.kv_heads}}) {
    if (reads(name)) require_some(name, value);
  }
  const auto require_divides = [&](std::string_view name, std::uint64_t part, std::uint64_t whole) {
    if (whole % part == 0) return;
    throw ValueError(name, phrase::number(part), phrase::divisor(whole));
  };
  if (mechanism.block_divides) require_divides("block", shape.block, shape.n);
  if (reads("kv_heads")) require_divides("kv_heads", shape.kv_heads, shape.heads);
  if (reads("summary") && shape.summary > shape.block) {
    throw ValueError("summary", phrase::number(shape.summary), phrase::zero_to_block(shape.block));
  }
  if (mechanism.at_least_one == "k") require_some("k", shape.k);
  if (mechanism.at_least_one == "window") require_some("window", shape.window);

  Sizes s;
  s.n = shape.n;
  s.m = shape.m == 0 ? shape.n : shape.m;
  s.d = shape.d_k;
  s.d_v = shape.d_v;
  s.window = shape.window;
  s.block = shape.block;
  s.summary = shape.summary;
  s.k = shape.k;
  s.chunk = shape.chunk;
  s.query_tile = shape.query_tile;
  s.key_tile = shape.key_tile;
  s.heads = shape.heads;
  s.kv_heads = shape.kv_heads;
  s.d_model = shape.d_model == 0 ? Whole(shape.heads) * shape.d_k : Whole(shape.d_model);
  if (!mechanism.feature_map.empty() || reads("feature_map")) {
    resolve_map(mechanism.feature_map.empty() ? shape.feature_map : mechanism.feature_map, shape,
                s);
  }
  return s;
}

template Sizes resolve<float>(const Mechanism<float>&, const CostShape&);
template Sizes resolve<double>(const Mechanism<double>&, const CostShape&);

}  // namespace attn::internal

namespace attn {

using internal::Whole;

std::span<const MechanismInfo> mechanisms() {
  static const std::vector<MechanismInfo> infos = [] {
    std::vector<MechanismInfo> list;
    for (const auto& mechanism : internal::mechanism_registry<float>()) {
      list.push_back(mechanism.info);
    }
    return list;
  }();
  return infos;
}

const MechanismInfo& mechanism_info(std::string_view id) {
  return internal::find_mechanism<float>(id).info;
}

Cost cost_of(std::string_view mechanism, const CostShape& shape, std::size_t scalar_bytes) {
  const auto& entry = internal::find_mechanism<float>(mechanism);
  if (entry.float32_only && scalar_bytes != sizeof(float)) {
    throw ValueError("scalar_bytes", phrase::number(scalar_bytes),
                     phrase::float32_kernel(mechanism));
  }
  const internal::Sizes s = internal::resolve(entry, shape);
  const internal::Model model = entry.model(s);
  const Whole scalar = scalar_bytes;
  Cost cost;
  cost.multiply_adds = model.multiply_adds.value();
  cost.exps = model.exps.value();
  cost.bytes_read = (model.read * scalar).value();
  cost.bytes_written = (model.written * scalar).value();
  cost.peak_bytes = (model.peak * scalar).value();
  cost.input_bytes = (model.inputs * scalar).value();
  cost.output_bytes = (model.outputs * scalar).value();
  cost.workspace_bytes = cost.peak_bytes - cost.output_bytes;
  if (model.cells) {
    cost.index_bytes = (*model.cells * sizeof(std::int32_t) + (s.n + 1) * sizeof(Index)).value();
  }
  cost.state_bytes = (model.state * scalar).value();
  return cost;
}

}  // namespace attn
