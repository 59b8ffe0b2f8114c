// Bindings of attn/complexity.hpp and attn/fit.hpp.

#include "attn/complexity.hpp"
#include "attn/fit.hpp"
#include "convert_full.hpp"
#include "errors.hpp"
#include "registry.hpp"

namespace attn::wasm {
namespace {

// Counts go up to 2⁶⁴ in the core; JavaScript's numbers are exact up to 2⁵³.
double count_to(std::uint64_t count) { return static_cast<double>(count); }

CostShape cost_shape_from(const val& options) {
  CostShape shape;
  const val given = options["shape"];
  if (is_undefined(given)) return shape;
  require_object(given, "shape", "an object of sizes");
  const auto read = [&](Name name, std::uint64_t& value) {
    if (!is_undefined(given[name])) value = seed_from(given, name);
  };
  read("n", shape.n);
  read("m", shape.m);
  read("dK", shape.d_k);
  read("dV", shape.d_v);
  read("D", shape.D);
  read("window", shape.window);
  read("block", shape.block);
  read("summary", shape.summary);
  read("k", shape.k);
  read("chunk", shape.chunk);
  read("queryTile", shape.query_tile);
  read("keyTile", shape.key_tile);
  read("heads", shape.heads);
  read("kvHeads", shape.kv_heads);
  read("dModel", shape.d_model);
  if (!is_undefined(given["featureMap"])) shape.feature_map = text_from(given, "featureMap");
  return shape;
}

std::uint64_t count_from(const val& options, Name property, std::uint64_t otherwise) {
  return is_undefined(options[property]) ? otherwise : seed_from(options, property);
}

val cost_to(const Cost& cost) {
  val result = val::object();
  result.set("multiplyAdds", count_to(cost.multiply_adds));
  result.set("exps", count_to(cost.exps));
  result.set("bytesRead", count_to(cost.bytes_read));
  result.set("bytesWritten", count_to(cost.bytes_written));
  result.set("peakBytes", count_to(cost.peak_bytes));
  result.set("workspaceBytes", count_to(cost.workspace_bytes));
  result.set("inputBytes", count_to(cost.input_bytes));
  result.set("outputBytes", count_to(cost.output_bytes));
  result.set("indexBytes", count_to(cost.index_bytes));
  result.set("stateBytes", count_to(cost.state_bytes));
  return result;
}

val mechanisms() {
  val list = val::array();
  for (const MechanismInfo& info : attn::mechanisms()) {
    val parameters = val::array();
    for (const MechanismParameter& parameter : info.parameters) {
      val one = val::object();
      one.set("name", val::text(js_name(std::string(parameter.name))));
      one.set("description", text_to(parameter.description));
      parameters.push(one);
    }
    val one = val::object();
    one.set("id", text_to(info.id));
    one.set("label", text_to(info.label));
    one.set("multiplyAddsTex", text_to(info.multiply_adds_tex));
    one.set("memoryTex", text_to(info.memory_tex));
    one.set("parameters", parameters);
    list.push(one);
  }
  return list;
}

val cost_of(val options) {
  const std::uint64_t scalar_bytes = count_from(options, "scalarBytes", sizeof(float));
  if (scalar_bytes < 1 || scalar_bytes > 16) {
    throw ValueError("scalarBytes", std::to_string(scalar_bytes), "1 to 16");
  }
  return cost_to(attn::cost_of(text_from(options, "mechanism"), cost_shape_from(options),
                               static_cast<std::size_t>(scalar_bytes)));
}

val counted_cost(val options) {
  return cost_to(attn::counted_cost<float>(
      text_from(options, "mechanism"), cost_shape_from(options), count_from(options, "seed", 0)));
}

double linear_multiply_adds(val options) {
  const std::uint64_t n = seed_from(options, "n");
  return count_to(attn::linear_multiply_adds(n, count_from(options, "m", n),
                                             seed_from(options, "D"), seed_from(options, "dV"),
                                             flag_from(options, "normalize", true)));
}

double linear_crossover(val options) {
  return attn::linear_crossover(seed_from(options, "D"), seed_from(options, "dK"),
                                seed_from(options, "dV"));
}

double band_cells(val options) {
  return count_to(attn::band_cells(seed_from(options, "n"), seed_from(options, "w")));
}

double taylor_dimension(val options) {
  return count_to(
      attn::taylor_dimension(seed_from(options, "d"), flag_from(options, "compact", true)));
}

double state_floats(val options) {
  constexpr StateKind kKinds[] = {StateKind::kAttention, StateKind::kSlidingWindow,
                                  StateKind::kLinear,    StateKind::kMamba,
                                  StateKind::kHyena,     StateKind::kShortConv};
  const std::size_t kind = choice_from(
      options, "kind", {"attention", "slidingWindow", "linear", "mamba", "hyena", "shortConv"});
  StateShape shape;
  shape.d_model = count_from(options, "dModel", shape.d_model);
  shape.length = count_from(options, "length", shape.length);
  shape.window = count_from(options, "window", shape.window);
  shape.heads = count_from(options, "heads", shape.heads);
  shape.D = count_from(options, "D", shape.D);
  shape.d_v = count_from(options, "dV", shape.d_v);
  shape.d_state = count_from(options, "dState", shape.d_state);
  shape.kernel = count_from(options, "kernel", shape.kernel);
  return count_to(attn::state_floats(kKinds[kind], shape));
}

Rates rates_from(const val& options, Name property) {
  Rates rates;
  const val given = options[property];
  require_object(given, property.text(), "rates in nanoseconds");
  rates.multiply_add = optional_number(given, "multiplyAdd").value_or(0);
  rates.exp = optional_number(given, "exp").value_or(0);
  rates.byte = optional_number(given, "byte").value_or(0);
  rates.call = optional_number(given, "call").value_or(0);
  return rates;
}

double predicted_nanoseconds(val options) {
  const Cost cost = attn::cost_of(text_from(options, "mechanism"), cost_shape_from(options));
  return attn::predicted_nanoseconds(cost, rates_from(options, "rates"));
}

val optional_count_to(const std::optional<std::uint64_t>& count) {
  return count ? val(count_to(*count)) : val::null();
}

constexpr std::uint64_t kCrossoverLimit = 1 << 20;

val crossover(val options) {
  return optional_count_to(attn::crossover(text_from(options, "a"), text_from(options, "b"),
                                           cost_shape_from(options),
                                           count_from(options, "limit", kCrossoverLimit)));
}

val crossover_time(val options) {
  return optional_count_to(attn::crossover_time(
      text_from(options, "a"), rates_from(options, "ratesA"), text_from(options, "b"),
      rates_from(options, "ratesB"), cost_shape_from(options),
      count_from(options, "limit", kCrossoverLimit)));
}

val memory_table(val options) {
  const MemoryTable made = attn::memory_table(
      count_from(options, "heads", 8), count_from(options, "batch", 1),
      count_from(options, "window", 256), count_from(options, "scalarBytes", sizeof(float)));
  val rows = val::array();
  for (const MemoryRow& row : made.rows) {
    val one = val::object();
    one.set("n", count_to(row.n));
    one.set("standard", count_to(row.standard));
    one.set("local", count_to(row.local));
    one.set("localKept", count_to(row.local_kept));
    one.set("symmetric", count_to(row.symmetric));
    one.set("symmetricKept", count_to(row.symmetric_kept));
    one.set("claimedStandard", count_to(row.claimed_standard));
    one.set("claimedLocal", count_to(row.claimed_local));
    rows.push(one);
  }
  val result = val::object();
  result.set("batch", count_to(made.batch));
  result.set("heads", count_to(made.heads));
  result.set("window", count_to(made.window));
  result.set("scalarBytes", count_to(made.scalar_bytes));
  result.set("rows", rows);
  result.set("claimSource", text_to(made.claim_source));
  return result;
}

val interval_to(const Interval& interval) {
  val result = val::object();
  result.set("low", interval.low);
  result.set("high", interval.high);
  return result;
}

val fit_slope(val options) {
  const std::vector<double> x = numbers_from(options["x"], "x");
  const std::vector<double> y = numbers_from(options["y"], "y");
  const SlopeFit fit = attn::fit_slope(x, y, optional_number(options, "confidence").value_or(0.95));
  val result = val::object();
  result.set("slope", fit.slope);
  result.set("intercept", fit.intercept);
  result.set("slopeError", fit.slope_error);
  result.set("interceptError", fit.intercept_error);
  result.set("slopeInterval", interval_to(fit.slope_interval));
  result.set("confidence", fit.confidence);
  result.set("t", fit.t);
  result.set("rSquared", fit.r_squared);
  result.set("residuals", numbers_to(fit.residuals));
  const std::vector<double> at =
      is_undefined(options["at"]) ? x : numbers_from(options["at"], "at");
  for (const double one : at) {
    if (!(one > 0)) throw ValueError("at", std::to_string(one), "numbers above 0");
  }
  std::vector<double> line, low, high;
  for (const double one : at) {
    const Interval band = fit.band(one);
    line.push_back(fit.at(one));
    low.push_back(band.low);
    high.push_back(band.high);
  }
  result.set("line", numbers_to(line));
  result.set("low", numbers_to(low));
  result.set("high", numbers_to(high));
  return result;
}

EMSCRIPTEN_BINDINGS(attn_complexity) {
  bind<&mechanisms>("mechanisms");
  bind<&cost_of>("costOf");
  bind<&counted_cost>("countedCost");
  bind<&linear_multiply_adds>("linearMultiplyAdds");
  bind<&linear_crossover>("linearCrossover");
  bind<&band_cells>("bandCells");
  bind<&taylor_dimension>("taylorDimension");
  bind<&state_floats>("stateFloats");
  bind<&predicted_nanoseconds>("predictedNanoseconds");
  bind<&crossover>("crossover");
  bind<&crossover_time>("crossoverTime");
  bind<&memory_table>("memoryTable");
  bind<&fit_slope>("fitSlope");
}

}  // namespace
}  // namespace attn::wasm
