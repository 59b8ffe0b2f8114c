// The topics of long texts and of decoding: patterns, speculative decoding, caches.

#include "attn/attention/block_attention.hpp"
#include "attn/attention/dilated_attention.hpp"
#include "attn/attention/gap_patterns.hpp"
#include "attn/attention/paged_cache.hpp"
#include "attn/attention/pattern_reach.hpp"
#include "attn/attention/quantization.hpp"
#include "attn/mixers/position_cache.hpp"
#include "attn/models/speculative.hpp"
#include "golden_case.hpp"

namespace attn::golden {
namespace {

template <typename T>
Index whole(const Case<T>& c, const char* name) {
  return static_cast<Index>(c.param(name, 0));
}

template <typename Number, typename T>
std::vector<Number> list(const Case<T>& c, const char* name) {
  std::vector<Number> made;
  for (const Json& one : c.params().at(name)) made.push_back(static_cast<Number>(number(one)));
  return made;
}

template <typename Numbers>
std::vector<double> doubles(const Numbers& x) {
  return std::vector<double>(x.begin(), x.end());
}

/// [heads, n, d] as the heads of one batch entry.
template <typename T>
Stack<T> heads_of(const Case<T>& c, const char* name) {
  const std::vector<Index> shape = shape_of(c.input(name));
  const std::vector<double> data = numbers(c.input(name));
  Stack<T> made(1, shape.at(0), shape.at(1), shape.at(2));
  for (std::size_t i = 0; i < data.size(); ++i) made.data()[i] = static_cast<T>(data[i]);
  return made;
}

template <typename T>
std::vector<double> all_of(const Stack<T>& x) {
  return std::vector<double>(x.data(), x.data() + x.size());
}

template <typename T>
void run_dilated(Case<T>& c, const Json&) {
  c.require_known(
      {"layout", "heads", "n", "d_k", "d_v", "causal", "segments", "ratios", "offset_rule"},
      {"Q", "K", "V", "offsets"});
  DilatedOptions options;
  options.segments = list<Index>(c, "segments");
  options.ratios = list<Index>(c, "ratios");
  options.causal = c.param("causal", 0) != 0;
  options.offsets = c.params().at("offset_rule") == "official" ? DilatedOffsets::kHeadShare
                                                               : DilatedOffsets::kHeadModRatio;
  const Matrix<T> offsets = c.matrix("offsets");
  for (Index b = 0; b < offsets.rows(); ++b) {
    for (Index h = 0; h < offsets.cols(); ++h) {
      const Index ratio = options.ratios[static_cast<std::size_t>(b)];
      const Index offset = dilated_offset(h, offsets.cols(), ratio, options.offsets);
      if (static_cast<T>(offset) != offsets(b, h)) c.fail("offsets");
    }
  }
  const auto made =
      dilated_attention<T>(heads_of(c, "Q"), heads_of(c, "K"), heads_of(c, "V"), options);
  c.check("out", all_of(made.output));
  c.check("mix", all_of(made.mix));
  c.check("cells", doubles(made.cells));
}

template <typename T>
void run_block_topk(Case<T>& c, const Json&) {
  c.require_known({"layout", "heads", "n", "d_k", "d_v", "block", "topk"}, {"Q", "K", "V"});
  BlockAttentionOptions options;
  options.choice.block = whole(c, "block");
  options.choice.top_k = whole(c, "topk");
  const auto made =
      block_attention<T>(heads_of(c, "Q"), heads_of(c, "K"), heads_of(c, "V"), options);
  c.check("out", all_of(made.output));
  c.check("gate", all_of(made.gate));
  c.check("selected", all_of(made.selected));
  c.check("cells", doubles(made.cells));
}

/// The pattern that the parameters of a case describe, to be compared with its mask.
template <typename T>
Pattern described(const Case<T>& c) {
  const std::string kind = c.params().at("kind");
  const Index n = whole(c, "n"), window = whole(c, "window"), sinks = whole(c, "sinks");
  const auto first = [&](Index keys) {
    std::vector<std::vector<Index>> rows(static_cast<std::size_t>(n));
    for (auto& row : rows) {
      for (Index j = 0; j < keys; ++j) row.push_back(j);
    }
    return Pattern::from_rows(n, rows);
  };
  if (kind == "window") return Pattern::local(n, window);
  if (kind == "strided") return Pattern::strided(n, whole(c, "stride"));
  if (kind == "window_or_strided") {
    return Pattern::unite(Pattern::local(n, window), Pattern::strided(n, whole(c, "stride")));
  }
  if (kind == "fixed") return Pattern::fixed(n, whole(c, "block"), whole(c, "columns"));
  if (kind == "powers_of_two") return powers_of_two_pattern(n);
  if (kind == "window_and_sinks") {
    return Pattern::intersect(Pattern::causal(n, n),
                              Pattern::unite(Pattern::local(n, window), first(sinks)));
  }
  if (kind == "window_and_global") {
    const Pattern seen = first(sinks);
    const Matrix<T> columns = seen.to_matrix<T>();
    const Matrix<T> rows = columns.transpose();
    return Pattern::unite(Pattern::longformer(n, window),
                          Pattern::unite(first(sinks), Pattern::from_matrix<T>(rows)));
  }
  throw NotImplemented("kind " + kind);
}

template <typename T>
void run_reach(Case<T>& c, const Json&) {
  c.require_known(
      {"n", "causal", "layers", "kind", "window", "stride", "block", "columns", "sinks"}, {"mask"});
  const Pattern pattern = Pattern::from_matrix<T>(c.matrix("mask"));
  if (!(described(c) == pattern)) c.fail("the maker of the pattern keeps other cells");
  const PatternReach made = pattern_reach(pattern, c.param("causal", 0) != 0, whole(c, "layers"));
  c.check("cells", {static_cast<double>(made.cells)});
  c.check("share", made.share);
  c.check("hops", flat<float>(made.hops));
  c.check("layers_to_connect", {static_cast<double>(made.layers_to_connect)});
}

template <typename T>
void check_gain(Case<T>& c, const std::vector<double>& alphas) {
  const SpeculativeGain gain =
      speculative_gain(alphas, list<Index>(c, "gammas"), list<double>(c, "costs"));
  c.check("expected_tokens", flat<double>(gain.expected_tokens));
  c.check("speedup", stacked(gain.speedup));
  c.check("best_gamma", flat<double>(gain.best_gamma));
}

template <typename T>
void run_speculative(Case<T>& c, const Json&) {
  c.require_known({"kind", "vocab", "gammas", "costs", "alphas", "gamma", "runs", "start"},
                  {"p", "q", "P", "Q", "u"});
  const std::string kind = c.params().at("kind");
  if (kind == "formula") return check_gain(c, list<double>(c, "alphas"));
  if (kind == "acceptance") {
    const auto made = speculative_pair<T>(c.vector("p"), c.vector("q"));
    c.check("alpha", {made.alpha});
    c.check("accept", flat<T>(made.accept));
    c.check("residual", flat<T>(made.residual));
    return check_gain(c, {made.alpha});
  }
  if (kind != "chain") throw NotImplemented("kind " + kind);
  const auto made = speculative_chain<T>(c.matrix("P"), c.matrix("Q"), whole(c, "start"),
                                         whole(c, "gamma"), c.matrix("u"));
  c.check("alpha", flat<T>(made.alpha));
  c.check("drafts", flat<T>(made.drafts));
  c.check("accepted", doubles(made.accepted));
  c.check("tokens", flat<T>(made.tokens));
  c.check("text", doubles(made.text));
  c.check("expected_tokens_first_run", {made.expected_tokens_first_run});
}

/// The quantiser of a tensor: `axis` and `group` are the names of its parameters.
template <typename T>
QuantizationOptions quantizer_of(const Case<T>& c, const std::string& scheme, const char* axis,
                                 const char* group) {
  QuantizationOptions options;
  options.bits = whole(c, "bits");
  options.zero_point = scheme == "asymmetric";
  const std::string along = c.params().at(axis);
  options.axis =
      along == "column" || along == "channel" ? QuantizationAxis::kColumn : QuantizationAxis::kRow;
  options.group = whole(c, group);
  return options;
}

template <typename T>
void run_quantized(Case<T>& c, const Json&) {
  c.require_known({"scheme", "quantizer", "bits", "axis", "group", "n", "d_k", "d_v", "queries",
                   "k_exact", "v_exact", "k_axis", "v_axis", "k_group", "v_group", "rule"},
                  {"X", "Q", "K", "V"});
  const std::string scheme = c.params().at("scheme");
  if (scheme != "cache") {
    const auto made = quantize<T>(c.matrix("X"), quantizer_of(c, scheme, "axis", "group"));
    c.check("codes", flat<T>(made.codes()));
    c.check("scale", flat<T>(made.scales));
    c.check("min", flat<T>(made.minima));
    c.check("dequantized", flat<T>(made.dequantized()));
    return;
  }
  const std::string quantizer = c.params().at("quantizer");
  QuantizedCacheOptions options;
  options.keys = quantizer_of(c, quantizer, "k_axis", "k_group");
  options.values = quantizer_of(c, quantizer, "v_axis", "v_group");
  options.exact_keys = whole(c, "k_exact");
  options.exact_values = whole(c, "v_exact");
  if (c.has_param("rule")) {
    const std::string rule = c.params().at("rule"), before = "kivi: r=";
    if (rule.rfind(before, 0) != 0) throw NotImplemented("rule " + rule);
    const ExactTokens exact = kivi_exact_tokens(
        whole(c, "n"), static_cast<Index>(std::stoll(rule.substr(before.size()))));
    if (exact.keys != options.exact_keys || exact.values != options.exact_values) {
      c.fail("the rule for what stays exact");
    }
  }
  const auto made =
      quantized_cache_attention<T>(c.matrix("Q"), c.matrix("K"), c.matrix("V"), options);
  c.check("K_dequantized", flat<T>(made.keys));
  c.check("V_dequantized", flat<T>(made.values));
  c.check("weights", flat<T>(made.weights));
  c.check("out", flat<T>(made.output));
  c.check("out_exact", flat<T>(made.exact_output));
  c.check("relative_error", {made.relative_error});
}

template <typename T>
void run_paged(Case<T>& c, const Json&) {
  c.require_known({"blocks", "block_size", "sequences", "ops", "d_k", "d_v"}, {"K", "V", "Q"});
  const std::map<std::string, PagedAction> actions{
      {"append", PagedAction::kAppend}, {"fork", PagedAction::kFork}, {"free", PagedAction::kFree}};
  std::vector<PagedOperation> operations;
  for (const Json& one : c.params().at("ops")) {
    operations.push_back(
        {actions.at(one.at(0)), one.at(1), one.size() > 2 ? one.at(2).get<Index>() : 0});
  }
  const auto made =
      paged_trace<T>(operations, whole(c, "blocks"), whole(c, "block_size"), whole(c, "sequences"),
                     c.matrix("K"), c.matrix("V"), c.matrix("Q"));
  c.check("ok", doubles(made.ok));
  c.check("blocks_in_use", doubles(made.blocks_in_use));
  c.check("wasted_slots", doubles(made.wasted_slots));
  c.check("blocks_copied", doubles(made.blocks_copied));
  c.check("references", flat<T>(made.references));
  c.check("tables", flat<T>(made.tables));
  c.check("lengths", flat<T>(made.lengths));
  c.check("slots", flat<T>(made.slots));
  c.check("out", flat<T>(made.output));
}

/// The heads of [heads, n, d] beside each other: n×heads·d.
template <typename T>
Matrix<T> beside(const Case<T>& c, const char* name) {
  const Stack<T> heads = heads_of(c, name);
  Matrix<T> made(heads.rows(), heads.heads() * heads.cols());
  for (Index h = 0; h < heads.heads(); ++h) {
    made.middleCols(h * heads.cols(), heads.cols()) = heads(0, h);
  }
  return made;
}

/// n×heads·d as [heads, n, d].
template <typename T>
std::vector<double> apart(const Matrix<T>& x, Index heads) {
  const Index d = x.cols() / heads;
  std::vector<Matrix<T>> all;
  for (Index h = 0; h < heads; ++h) all.push_back(x.middleCols(h * d, d));
  return stacked(all);
}

template <typename T>
RotaryOptions rotary_of(const Case<T>& c, const std::string& style) {
  RotaryOptions options;
  options.base = c.param("base", options.base);
  options.pairs = style == "half" ? RotaryPairs::kHalves : RotaryPairs::kInterleaved;
  return options;
}

template <typename T>
void check_rotations(Case<T>& c) {
  const Matrix<T> X = c.matrix("X");
  const std::vector<Index> positions = list<Index>(c, "positions");
  for (const char* style : {"half", "interleaved"}) {
    Matrix<T> turned(X.rows(), X.cols());
    for (Index t = 0; t < X.rows(); ++t) {
      turned.row(t) =
          rotate<T>(X.row(t), positions[static_cast<std::size_t>(t)], rotary_of(c, style));
    }
    c.check(style, flat<T>(turned));
  }
}

template <typename T>
void check_offsets(Case<T>& c) {
  const Matrix<T> Q = c.matrix("Q"), K = c.matrix("K");
  const RotaryOptions options = rotary_of(c, c.params().at("style"));
  for (const Index offset : list<Index>(c, "offsets")) {
    const Matrix<T> scores =
        rotate<T>(Q, offset, options) * rotate<T>(K, offset, options).transpose();
    c.check("scores", flat<T>(scores));
  }
  const Matrix<T> mixed = rotate<T>(Q, 0, rotary_of(c, "half")) *
                          rotate<T>(K, 0, rotary_of(c, "interleaved")).transpose();
  c.check("mixed_styles_at_0", flat<T>(mixed));
}

template <typename T>
void check_alibi(Case<T>& c) {
  const Index heads = whole(c, "heads"), queries = whole(c, "queries"), cached = whole(c, "cached");
  const Matrix<T> Q = beside(c, "Q"), K = beside(c, "K"), V = beside(c, "V");
  const Index kv_heads = shape_of(c.input("K")).at(0), first = cached - queries;
  PositionCacheOptions options;
  options.positions = CachePositions::kAlibi;
  if (whole(c, "window") > 0) options.window = whole(c, "window");
  PositionCache<T> cache(heads, kv_heads, whole(c, "d_k"), whole(c, "d_v"), options);
  cache.append(K.topRows(first), V.topRows(first));
  if (cache.next_position() != whole(c, "first_query_position")) c.fail("first_query_position");
  const auto made = cache.decode(Q, K.bottomRows(queries), V.bottomRows(queries));
  std::vector<Matrix<T>> weights(static_cast<std::size_t>(heads), Matrix<T>::Zero(queries, cached));
  for (std::size_t h = 0; h < weights.size(); ++h) {
    for (Index i = 0; i < queries; ++i) {
      for (Index j = 0; j < made.positions.cols(); ++j) {
        const auto at = static_cast<Index>(made.positions(i, j));
        if (at >= 0) weights[h](i, at) = made.weights[h](i, j);
      }
    }
  }
  c.check("out", apart(made.output, heads));
  c.check("weights", stacked(weights));
}

template <typename T>
void check_cache(Case<T>& c, bool sinks) {
  const Index heads = whole(c, "heads"), n = whole(c, "n");
  const Matrix<T> Q = beside(c, "Q"), K = beside(c, "K"), V = beside(c, "V");
  PositionCacheOptions options;
  options.sinks = whole(c, "sinks");
  options.window = whole(c, "window");
  options.rotary = rotary_of(c, c.params().at("style"));
  options.first_position = whole(c, "first_position");
  for (const bool by_place : {false, true}) {
    options.positions = by_place ? CachePositions::kRotaryByPlace : CachePositions::kRotaryInText;
    PositionCache<T> cache(heads, whole(c, "kv_heads"), whole(c, "d_k"), whole(c, "d_v"), options);
    std::vector<double> lengths;
    Matrix<double> place = Matrix<double>::Constant(n, n, -1);
    Matrix<T> output(n, heads * whole(c, "d_v"));
    for (Index t = 0; t < n; ++t) {
      const auto made = cache.decode(Q.row(t), K.row(t), V.row(t));
      output.row(t) = made.output;
      lengths.push_back(static_cast<double>(cache.size()));
      for (Index j = 0; j < made.positions.cols(); ++j) {
        place(t, static_cast<Index>(made.positions(0, j)) - options.first_position) =
            static_cast<double>(j);
      }
    }
    if (sinks) {
      c.check(by_place ? "out_by_place" : "out_stored_rotated", apart(output, heads));
      c.check("place", flat<double>(place));
      c.check("cache_len", lengths);
    } else {
      // Nothing but the oldest is ever evicted, so both ways are the same.
      c.check("out", apart(output, heads));
      c.check("slot_position", doubles(cache.slot_positions()));
      c.check("rows", {static_cast<double>(cache.size())});
      c.check("next_position", {static_cast<double>(cache.next_position())});
    }
  }
}

template <typename T>
void run_positions_in_cache(Case<T>& c, const Json&) {
  c.require_known(
      {"kind", "layout", "heads", "kv_heads", "n", "d_k", "d_v", "positions", "base", "style",
       "offsets", "cached", "queries", "window", "sinks", "first_query_position", "first_position"},
      {"X", "Q", "K", "V"});
  const std::string kind = c.params().at("kind");
  if (kind == "alibi_slopes") {
    c.check("slopes", flat<T>(alibi_slopes<T>(whole(c, "heads"))));
  } else if (kind == "rotate") {
    check_rotations(c);
  } else if (kind == "scores_at_offsets") {
    check_offsets(c);
  } else if (kind == "alibi_decode") {
    check_alibi(c);
  } else if (kind == "ring_rotated" || kind == "sinks") {
    check_cache(c, kind == "sinks");
  } else {
    throw NotImplemented("kind " + kind);
  }
}

template <typename T>
const std::map<std::string, Topic<T>> kTopics{
    {"alibi_rope_cache", &run_positions_in_cache<T>},
    {"block_topk", &run_block_topk<T>},
    {"dilated_attention", &run_dilated<T>},
    {"paged_cache", &run_paged<T>},
    {"pattern_reach", &run_reach<T>},
    {"quantized_cache", &run_quantized<T>},
    {"speculative", &run_speculative<T>},
};

}  // namespace

template <typename T>
const std::map<std::string, Topic<T>>& cache_topics() {
  return kTopics<T>;
}

#define ATTN_INSTANTIATE(T) template const std::map<std::string, Topic<T>>& cache_topics<T>();
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn::golden
