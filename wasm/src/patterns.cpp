#include "patterns.hpp"

#include <string>

#include "attn/attention/phrases.hpp"

namespace attn::wasm {

/// A pattern of the registry.
struct Registered {
  std::string id;
  Parameters parameters;
  std::uint64_t seed = 0;
  Matrix<float> cells;
};
ATTN_OPTIONS(Registered, needed(id), parameters, seed, cells)

struct NearestKeys {
  Index k = 0;
  Nearness nearness = Nearness::kDot;
  Mask mask = Mask::full();
};
ATTN_ENUM(Nearness, kDot, kEuclidean)
ATTN_OPTIONS(NearestKeys, needed(k), nearness, mask)

struct BigBird {
  Index block = 0;
  std::vector<std::vector<Index>> random_blocks;
};
ATTN_STRUCT(BigBird, block, random_blocks)

namespace {

template <typename T>
T property(const val& object, const char* js, const char* name) {
  T result;
  read_property(object, js, {name}, true, result);
  return result;
}

Pattern registered(const val& choice, const PatternSite& site) {
  Registered given;
  read_fields(choice, nullptr, fields_in<Registered>(), &given);
  PatternOptions options{given.parameters, given.seed, given.cells.cast<double>()};
  return make_pattern(given.id, *site.n, *site.m, options);
}

Pattern nearest_keys(const val& choice, const PatternSite& site) {
  if (!site.Q) throw ShapeError("Q", phrase::type_seen("undefined"), phrase::queries_and_keys);
  NearestKeys given;
  read_fields(choice, nullptr, fields_in<NearestKeys>(), &given);
  return Pattern::nearest_keys<float>(*site.Q, *site.K, given.k, given.nearness, given.mask);
}

Pattern big_bird(const val& choice, const PatternSite& site) {
  BigBird given;
  read_fields(choice, nullptr, fields_in<BigBird>(), &given);
  return Pattern::big_bird(*site.n, given.block, given.random_blocks);
}

Pattern padding(const val& choice, const PatternSite& site) {
  const Vector<float> given = property<Vector<float>>(choice, "keep", "keep");
  std::vector<std::uint8_t> keep(static_cast<std::size_t>(given.size()));
  for (Index j = 0; j < given.size(); ++j) keep[static_cast<std::size_t>(j)] = given(j) != 0;
  return Pattern::padding(*site.n, keep);
}

Pattern from_lists(const val& choice, const PatternSite& site) {
  const auto start = property<std::vector<Index>>(choice, "rowStart", "row_start");
  const auto columns = property<std::vector<Index>>(choice, "columns", "columns");
  if (start.empty() || start.front() != 0 || start.back() != static_cast<Index>(columns.size())) {
    throw ValueError("row_start", phrase::other_ends, phrase::ends_of_columns(columns.size()));
  }
  for (const Index key : columns) {
    if (key < 0 || key >= *site.m) {
      throw ValueError("columns", phrase::key_seen(key), phrase::keys_from_to(0, *site.m - 1));
    }
  }
  std::vector<std::vector<Index>> rows;
  for (std::size_t i = 0; i + 1 < start.size(); ++i) {
    const Index from = start[i], to = start[i + 1];
    if (from < 0 || to < from || to > static_cast<Index>(columns.size())) {
      throw ValueError("row_start", phrase::from_to(from, to), phrase::places_in_columns);
    }
    rows.emplace_back(columns.begin() + from, columns.begin() + to);
  }
  return Pattern::from_rows(*site.m, rows);
}

Pattern pattern_of(const val& choice, const PatternSite& site, int depth);

Pattern combined(const val& choice, const PatternSite& site, int depth,
                 Pattern (*combine)(const Pattern&, const Pattern&)) {
  // The stack of the module is small, and running over it goes unnoticed.
  constexpr int kDeepest = 8;
  const val parts = choice["of"];
  const unsigned count = parts.isArray() ? parts["length"].as<unsigned>() : 0;
  if (count == 0) throw ValueError("pattern", phrase::none_to_combine, phrase::pattern_in_of);
  if (depth == kDeepest) {
    throw ValueError("pattern", phrase::patterns_within, phrase::eight_deep);
  }
  Pattern result = pattern_of(parts[0], site, depth + 1);
  for (unsigned i = 1; i < count; ++i) {
    result = combine(result, pattern_of(parts[i], site, depth + 1));
  }
  return result;
}

Pattern pattern_of(const val& choice, const PatternSite& site, int depth) {
  if (!choice.is_object()) {
    throw ValueError("pattern", phrase::type_seen(type_text(choice)),
                     phrase::object_with_id_or_kind);
  }
  if (!is_undefined(choice["id"])) return registered(choice, site);
  const val kind_value = choice["kind"];
  const std::string kind = kind_value.isString() ? kind_value.as<std::string>() : "";
  if (kind == "nearestKeys") return nearest_keys(choice, site);
  if (kind == "bigBird") return big_bird(choice, site);
  if (kind == "padding") return padding(choice, site);
  if (kind == "mask") {
    Mask mask = Mask::full();
    read_property(choice, "mask", {"mask"}, false, mask);
    return Pattern::from_mask(mask, *site.n, *site.m);
  }
  if (kind == "lists") return from_lists(choice, site);
  if (kind == "union") return combined(choice, site, depth, &Pattern::unite);
  if (kind == "intersection") return combined(choice, site, depth, &Pattern::intersect);
  throw ValueError(
      "pattern", text_or_type(kind_value),
      phrase::id_or_kind(std::vector<std::string>{"nearestKeys", "bigBird", "padding", "mask",
                                                  "lists", "union", "intersection"}));
}

}  // namespace

Pattern PatternChoice::at(const PatternSite& given) const {
  PatternSite site = given;
  if (site.Q || site.K) {
    if (!site.Q || !site.K) {
      throw ShapeError(site.Q ? "K" : "Q", phrase::type_seen("undefined"), phrase::matrix);
    }
    site.n = site.Q->rows();
    site.m = site.K->rows();
  }
  for (const auto& [name, size] : {std::pair{"n", site.n}, std::pair{"m", site.m}}) {
    if (!size) throw ValueError(name, phrase::type_seen("undefined"), phrase::a_number);
  }
  Pattern pattern = pattern_of(choice, site, 0);
  pattern.require_fits(*site.n, *site.m);
  return pattern;
}

Pattern PatternChoice::at(const Qkv<float>& x) const { return at({{}, {}, x.Q, x.K}); }

PatternLists lists_of(const Pattern& pattern) {
  const Index n = pattern.rows(), m = pattern.cols();
  PatternLists lists{n,
                     m,
                     pattern.nnz(),
                     pattern.density(),
                     pattern.longest_row(),
                     pattern.is_causal(),
                     pattern.is_causal(m - n),
                     pattern.bytes(),
                     {},
                     {}};
  for (Index i = 0; i <= n; ++i)
    lists.row_start.push_back(static_cast<std::int32_t>(pattern.first(i)));
  lists.columns.assign(pattern.keys(), pattern.keys() + pattern.nnz());
  return lists;
}

}  // namespace attn::wasm
