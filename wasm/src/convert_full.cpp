#include "convert_full.hpp"

#include <cmath>
#include <cstdint>
#include <span>

#include "attn/errors.hpp"

namespace attn::wasm {
namespace {

template <typename T>
val array_to(const T* data, std::size_t size) {
  return emscripten::val(emscripten::typed_memory_view(size, data)).call<emscripten::val>("slice");
}

std::string quoted(const val& value) {
  return value.isString() ? "\"" + value.as<std::string>() + "\"" : type_text(value);
}

Pattern registered(const val& choice, const PatternSite& site) {
  const val id = choice["id"];
  if (!id.isString()) throw ValueError("pattern", type_text(id), "an id from the registry");
  PatternOptions options;
  options.parameters = parameters_from(choice);
  if (!is_undefined(choice["seed"])) options.seed = seed_from(choice, "seed");
  options.cells = optional_matrix(choice, "cells", "cells").cast<double>();
  return make_pattern(id.as<std::string>(), site.n, site.m, options);
}

Pattern nearest_keys(const val& choice, const PatternSite& site) {
  if (!site.Q) throw ShapeError("Q", "undefined", "queries and keys: nearestKeys ranks them");
  const bool euclidean = choice_from(choice, "nearness", {"dot", "euclidean"}) == 1;
  return Pattern::nearest_keys<float>(*site.Q, *site.K, index_from(choice, "k"),
                                      euclidean ? Nearness::kEuclidean : Nearness::kDot,
                                      mask_from(choice));
}

Pattern big_bird(const val& choice, const PatternSite& site) {
  const val lists = choice["randomBlocks"];
  if (!lists.isArray()) {
    throw ValueError("random_blocks", type_text(lists), "a list for each inner block row");
  }
  std::vector<std::vector<Index>> blocks;
  const unsigned count = lists["length"].as<unsigned>();
  for (unsigned i = 0; i < count; ++i) {
    blocks.push_back(indices_from(lists[i], "random_blocks"));
  }
  return Pattern::big_bird(site.n, index_from(choice, "block"), blocks);
}

Pattern padding(const val& choice, const PatternSite& site) {
  const Vector<float> given = vector_from(choice["keep"], "keep");
  std::vector<std::uint8_t> keep(static_cast<std::size_t>(given.size()));
  for (Index j = 0; j < given.size(); ++j) keep[static_cast<std::size_t>(j)] = given(j) != 0;
  return Pattern::padding(site.n, keep);
}

Pattern from_lists(const val& choice, const PatternSite& site) {
  const std::vector<Index> start = indices_from(choice["rowStart"], "row_start");
  const std::vector<Index> columns = indices_from(choice["columns"], "columns");
  if (start.empty() || start.front() != 0 || start.back() != static_cast<Index>(columns.size())) {
    throw ValueError(
        "row_start", "other ends",
        "0 first and the number of columns, " + std::to_string(columns.size()) + ", last");
  }
  for (const Index key : columns) {
    if (key < 0 || key >= site.m) {
      throw ValueError("columns", "key " + std::to_string(key),
                       "keys from 0 to " + std::to_string(site.m - 1));
    }
  }
  std::vector<std::vector<Index>> rows;
  for (std::size_t i = 0; i + 1 < start.size(); ++i) {
    const Index from = start[i], to = start[i + 1];
    if (from < 0 || to < from || to > static_cast<Index>(columns.size())) {
      throw ValueError("row_start", std::to_string(from) + " … " + std::to_string(to),
                       "places in columns, none before the one ahead of it");
    }
    rows.emplace_back(columns.begin() + from, columns.begin() + to);
  }
  return Pattern::from_rows(site.m, rows);
}

Pattern pattern_of(const val& choice, const PatternSite& site, int depth);

Pattern combined(const val& choice, const PatternSite& site, int depth,
                 Pattern (*combine)(const Pattern&, const Pattern&)) {
  // The stack of the module is small, and running over it goes unnoticed.
  constexpr int kDeepest = 8;
  const val parts = choice["of"];
  const unsigned count = parts.isArray() ? parts["length"].as<unsigned>() : 0;
  if (count == 0) throw ValueError("pattern", "none to combine", "at least one pattern in `of`");
  if (depth == kDeepest) {
    throw ValueError("pattern", "patterns within patterns", "at most 8 one within another");
  }
  Pattern result = pattern_of(parts[0], site, depth + 1);
  for (unsigned i = 1; i < count; ++i) {
    result = combine(result, pattern_of(parts[i], site, depth + 1));
  }
  return result;
}

Pattern pattern_of(const val& choice, const PatternSite& site, int depth) {
  if (type_text(choice) != "object" || choice.isNull()) {
    throw ValueError("pattern", type_text(choice), "an object with an id or a kind");
  }
  if (!is_undefined(choice["id"])) return registered(choice, site);
  const val kind_value = choice["kind"];
  const std::string kind = kind_value.isString() ? kind_value.as<std::string>() : "";
  if (kind == "nearestKeys") return nearest_keys(choice, site);
  if (kind == "bigBird") return big_bird(choice, site);
  if (kind == "padding") return padding(choice, site);
  if (kind == "mask") return Pattern::from_mask(mask_from(choice), site.n, site.m);
  if (kind == "lists") return from_lists(choice, site);
  if (kind == "union") return combined(choice, site, depth, &Pattern::unite);
  if (kind == "intersection") return combined(choice, site, depth, &Pattern::intersect);
  throw ValueError("pattern", quoted(kind_value),
                   "an id, or the kind nearestKeys, bigBird, padding, mask, lists, union or "
                   "intersection");
}

}  // namespace

Vector<float> vector_from(const val& object, const char* name) {
  const Matrix<float> x = matrix_from(object, name);
  if (x.rows() > 1 && x.cols() > 1) {
    throw ShapeError(name, shape_text(x.rows(), x.cols()), "one row or one column");
  }
  return Eigen::Map<const Vector<float>>(x.data(), x.size());
}

Stack<float> stack_from(const val& object, const char* name) {
  static const char* const kWanted = "a stack {batch, heads, rows, cols, data}";
  require_object(object, name, kWanted);
  Index size[4];
  double count = 1;
  const Name properties[4] = {"batch", "heads", "rows", "cols"};
  for (int i = 0; i < 4; ++i) {
    size[i] = size_from(object, properties[i], name, kWanted);
    count *= static_cast<double>(size[i]);
  }
  data_from(object, name, shape_text(size[0], size[1]) + "×" + shape_text(size[2], size[3]), count);
  Stack<float> x(size[0], size[1], size[2], size[3]);
  attn_copy_in(object.as_handle(), x.data());
  return x;
}

val stack_to(const Stack<float>& x) {
  val object = val::object();
  object.set("batch", static_cast<double>(x.batch()));
  object.set("heads", static_cast<double>(x.heads()));
  object.set("rows", static_cast<double>(x.rows()));
  object.set("cols", static_cast<double>(x.cols()));
  object.set("data", array_to(x.data(), static_cast<std::size_t>(x.size())));
  return object;
}

std::string text_from(const val& options, Name property) {
  const val value = options[property];
  if (!value.isString()) throw ValueError(property.text(), type_text(value), "a string");
  return value.as<std::string>();
}

std::vector<double> numbers_from(const val& list, const char* name) {
  const bool typed = emscripten::val::global("ArrayBuffer")
                         .call<bool>("isView", static_cast<const emscripten::val&>(list));
  if (typed) return emscripten::convertJSArrayToNumberVector<double>(list);
  if (!list.isArray()) throw ValueError(name, type_text(list), "a list of numbers");
  std::vector<double> values;
  const unsigned count = list["length"].as<unsigned>();
  for (unsigned i = 0; i < count; ++i) {
    const val value = list[i];
    if (!value.isNumber()) throw ValueError(name, type_text(value), "numbers");
    values.push_back(value.as<double>());
  }
  return values;
}

val numbers_to(const std::vector<double>& numbers) {
  return array_to(numbers.data(), numbers.size());
}

val numbers_to(const std::vector<Index>& numbers) {
  return numbers_to(std::vector<double>(numbers.begin(), numbers.end()));
}

std::vector<Index> indices_from(const val& list, const char* name) {
  std::vector<Index> result;
  for (const double value : numbers_from(list, name)) {
    if (value != std::floor(value) || std::abs(value) > 2147483647) {
      throw ValueError(name, std::to_string(value), "whole numbers below 2³¹");
    }
    result.push_back(static_cast<Index>(value));
  }
  return result;
}

Pattern pattern_from(const val& options, const PatternSite& site) {
  Pattern pattern = pattern_of(options["pattern"], site, 0);
  pattern.require_fits(site.n, site.m);
  return pattern;
}

val pattern_to(const Pattern& pattern) {
  const Index n = pattern.rows();
  std::vector<std::int32_t> start;
  for (Index i = 0; i <= n; ++i) start.push_back(static_cast<std::int32_t>(pattern.first(i)));
  val result = val::object();
  result.set("n", static_cast<double>(n));
  result.set("m", static_cast<double>(pattern.cols()));
  result.set("nnz", static_cast<double>(pattern.nnz()));
  result.set("density", pattern.density());
  result.set("longestRow", static_cast<double>(pattern.longest_row()));
  result.set("causal", pattern.is_causal());
  result.set("causalBottomRight", pattern.is_causal(pattern.cols() - n));
  result.set("bytes", static_cast<double>(pattern.bytes()));
  result.set("rowStart", array_to(start.data(), start.size()));
  result.set("columns", array_to(pattern.row(0).data(), static_cast<std::size_t>(pattern.nnz())));
  return result;
}

val operations_to(const OperationCount& operations) {
  val result = val::object();
  result.set("multiplyAdds", static_cast<double>(operations.multiply_adds));
  result.set("exps", static_cast<double>(operations.exps));
  result.set("bytesRead", static_cast<double>(operations.bytes_read));
  result.set("bytesWritten", static_cast<double>(operations.bytes_written));
  result.set("workspaceBytes", static_cast<double>(operations.workspace_bytes));
  return result;
}

val gradients_to(const AttentionGradients<float>& made) {
  val result = val::object();
  result.set("dQ", matrix_to(made.dQ));
  result.set("dK", matrix_to(made.dK));
  result.set("dV", matrix_to(made.dV));
  result.set("dBias", matrix_to(made.d_bias));
  result.set("rowDots", column_to(made.row_dots));
  return result;
}

}  // namespace attn::wasm
