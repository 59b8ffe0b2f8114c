#include "attn/attention/gap_patterns.hpp"
#include "attn/attention/pattern.hpp"
#include "attn/attention/phrases.hpp"
#include "attn/base/errors.hpp"
#include "base/lookup.hpp"
#include "base/parameters.hpp"

namespace attn {
namespace {

/// The given parameters, with the registry's defaults for the others.
struct Parameters {
  const PatternInfo& info;
  const PatternOptions& options;

  Index operator[](std::string_view name) const {
    for (const auto& [key, value] : options.parameters) {
      if (key == name) return static_cast<Index>(value);
    }
    for (const PatternParameter& parameter : info.parameters) {
      if (parameter.name == name) return static_cast<Index>(parameter.default_value);
    }
    throw ValueError(name, phrase::not_declared, phrase::parameter_of(info.id));
  }
};

struct Entry {
  PatternInfo info;
  Pattern (*make)(Index n, Index m, const Parameters& given);
};

constexpr double kLargest = 1 << 24;

PatternParameter count(std::string_view name, std::string_view label, std::string_view description,
                       double default_value, double least) {
  return {name, label, description, default_value, least, kLargest, true};
}

PatternParameter flag(std::string_view name, std::string_view label, std::string_view description) {
  return {name, label, description, 0, 0, 1, true};
}

const PatternParameter kBottomRight =
    flag("bottom_right", "bottom right",
         "n ≠ m: the last query stands at the last key instead of the first at the first");

constexpr PatternPaper kVaswani{"Attention Is All You Need", "https://arxiv.org/abs/1706.03762",
                                "section 3.2.3"};
constexpr PatternPaper kSparseTransformer{"Generating Long Sequences with Sparse Transformers",
                                          "https://arxiv.org/abs/1904.10509",
                                          "strided and fixed attention"};
constexpr PatternPaper kLongformer{"Longformer: The Long-Document Transformer",
                                   "https://arxiv.org/abs/2004.05150", "sliding window"};

Alignment alignment(const Parameters& given) {
  return given["bottom_right"] != 0 ? Alignment::kBottomRight : Alignment::kTopLeft;
}

const std::vector<Entry>& registry() {
  static const std::vector<Entry> entries{
      {{.id = "full",
        .label = "Full",
        .description = "Every query sees every key.",
        .cells_tex = R"(n\,m)",
        .paper = kVaswani},
       [](Index n, Index m, const Parameters&) { return Pattern::full(n, m); }},
      {{.id = "causal",
        .label = "Causal",
        .description = "A query sees its own position and the past.",
        .cells_tex = R"(n(n+1)/2)",
        .paper = kVaswani,
        .parameters = {kBottomRight}},
       [](Index n, Index m, const Parameters& p) { return Pattern::causal(n, m, alignment(p)); }},
      {{.id = "reverse",
        .label = "Reverse",
        .description = "A query sees its own position and the future: what causal forbids.",
        .cells_tex = R"(n(n+1)/2)",
        .paper = {},
        .parameters = {kBottomRight}},
       [](Index n, Index m, const Parameters& p) { return Pattern::reverse(n, m, alignment(p)); }},
      {{.id = "none",
        .label = "None",
        .description = "Nobody sees anything: zero weights and zero output.",
        .cells_tex = "0",
        .paper = {}},
       [](Index n, Index m, const Parameters&) { return Pattern::none(n, m); }},
      {{.id = "padding",
        .label = "Padding",
        .description = "The last keys are padding and nobody sees them.",
        .cells_tex = R"(n\,(m-p))",
        .paper = {},
        .parameters = {count("padded", "padded keys", "p: how many; more than m means all", 1, 0)}},
       [](Index n, Index m, const Parameters& p) {
         return Pattern::padding(n, m, std::max<Index>(m - p["padded"], 0));
       }},
      {{.id = "sliding_window",
        .label = "Sliding window",
        .description = "Keys from `left` before to `right` after the query's position; the last "
                       "query stands at the last key.",
        .cells_tex = R"(\approx n\,(l+r+1))",
        .paper = {"flash-attention (code)", "https://github.com/Dao-AILab/flash-attention",
                  "window_size"},
        .parameters = {count("left", "left", "l: keys before; −1 for all", 4, -1),
                       count("right", "right", "r: keys after; −1 for all, 0 is causal", 4, -1)}},
       [](Index n, Index m, const Parameters& p) {
         return Pattern::sliding_window(n, m, p["left"], p["right"]);
       }},
      {{.id = "longformer",
        .label = "Longformer",
        .description = "Keys at most w away on either side.",
        .cells_tex = R"(n(2w+1)-w(w+1))",
        .paper = kLongformer,
        .parameters = {count("w", "w", "one-sided: an inner query sees 2w + 1 keys", 4, 0)},
        .square = true},
       [](Index n, Index, const Parameters& p) { return Pattern::longformer(n, p["w"]); }},
      {{.id = "local",
        .label = "Local",
        .description = "The last `context` tokens, the query's own included.",
        .cells_tex = R"(n\,c-c(c-1)/2)",
        .paper = kSparseTransformer,
        .parameters = {count("context", "context", "c: keys of a query, its own included", 8, 1)},
        .square = true},
       [](Index n, Index, const Parameters& p) { return Pattern::local(n, p["context"]); }},
      {{.id = "strided",
        .label = "Strided",
        .description = "Every stride-th token back from the query's own.",
        .cells_tex = R"(\approx n^2/(2s))",
        .paper = kSparseTransformer,
        .parameters = {count("stride", "stride", "s: distance between the keys seen", 4, 1)},
        .square = true},
       [](Index n, Index, const Parameters& p) { return Pattern::strided(n, p["stride"]); }},
      {{.id = "sparse_transformer",
        .label = "Sparse Transformer",
        .description = "Local and strided together.",
        .cells_tex = R"(\approx n\,c+n^2/(2c))",
        .paper = kSparseTransformer,
        .parameters = {count("context", "context", "c: local keys and stride; √n is best", 4, 1)},
        .square = true},
       [](Index n, Index, const Parameters& p) {
         return Pattern::sparse_transformer(n, p["context"]);
       }},
      {{.id = "fixed",
        .label = "Fixed",
        .description = "The past within the own block, and the last tokens of every earlier block.",
        .cells_tex = R"(\approx n\,b/2+n^2c/(2b))",
        .paper = kSparseTransformer,
        .parameters = {count("block", "block", "b: tokens of a block", 4, 1),
                       count("summary", "summary",
                             "c ≤ b: tokens of a block that all later "
                             "blocks see",
                             1, 0)},
        .square = true},
       [](Index n, Index, const Parameters& p) {
         return Pattern::fixed(n, p["block"], p["summary"]);
       }},
      {{.id = "dilated_window",
        .label = "Dilated window",
        .description = "A window with gaps: every dilation-th key, up to w of them on either side.",
        .cells_tex = R"(\approx n(2w+1))",
        .paper = {"Longformer: The Long-Document Transformer", "https://arxiv.org/abs/2004.05150",
                  "section 3.1, dilated sliding window"},
        .parameters = {count("w", "w", "keys on either side", 4, 0),
                       count("dilation", "dilation", "δ: distance between the keys seen", 2, 1),
                       flag("causal", "causal", "only keys up to the query's own position")},
        .square = true},
       [](Index n, Index, const Parameters& p) {
         return dilated_window_pattern(n, p["w"], p["dilation"], p["causal"] != 0);
       }},
      {{.id = "dilated_segments",
        .label = "Dilated segments",
        .description = "One branch of LongNet: every ratio-th token of a segment sees the others "
                       "of its segment; tokens in between see nothing.",
        .cells_tex = R"(\approx n\,s/r^2)",
        .paper = {"LongNet: Scaling Transformers to 1,000,000,000 Tokens",
                  "https://arxiv.org/abs/2307.02486", "section 2.2"},
        .parameters = {count("segment", "segment", "s: tokens of a segment", 8, 1),
                       count("ratio", "ratio", "r: distance between the tokens kept", 2, 1),
                       count("offset", "offset", "the first token kept, below r", 0, 0),
                       flag("causal", "causal", "only keys up to the query's own position")},
        .square = true},
       [](Index n, Index, const Parameters& p) {
         return dilated_segments_pattern(n, p["segment"], p["ratio"], p["offset"],
                                         p["causal"] != 0);
       }},
      {{.id = "powers_of_two",
        .label = "Powers of two",
        .description = "Itself, and the tokens 1, 2, 4, 8 … before.",
        .cells_tex = R"(\approx n\log_2 n)",
        .paper = {"Enhancing the Locality and Breaking the Memory Bottleneck of Transformer on "
                  "Time Series Forecasting",
                  "https://arxiv.org/abs/1907.00235", "LogSparse self attention"},
        .square = true},
       [](Index n, Index, const Parameters&) { return powers_of_two_pattern(n); }},
      {{.id = "random",
        .label = "Random",
        .description = "Itself, one neighbour so that nobody is cut off, and keys at random.",
        .cells_tex = R"(\le n\,(r+2))",
        .paper = {"Big Bird: Transformers for Longer Sequences", "https://arxiv.org/abs/2007.14062",
                  "random attention"},
        .parameters = {count("keys", "keys", "r: random keys of a query", 2, 0),
                       flag("causal", "causal", "only keys up to the query's own position")},
        .square = true,
        .random = true},
       [](Index n, Index, const Parameters& p) {
         return Pattern::random(n, p["keys"], p["causal"] != 0, p.options.seed);
       }},
      {{.id = "big_bird",
        .label = "BigBird",
        .description = "In blocks: three around the own one, the first and the last for everybody "
                       "and seeing everybody, and some at random. The block must divide n.",
        .cells_tex = R"(\le n\,b\,(5+r)+2\,n\,b)",
        .paper = {"Big Bird: Transformers for Longer Sequences", "https://arxiv.org/abs/2007.14062",
                  "block sparse attention"},
        .parameters = {count("block", "block", "b: tokens of a block", 4, 1),
                       count("random", "random blocks", "r: for each inner block row", 1, 0)},
        .square = true,
        .random = true},
       [](Index n, Index, const Parameters& p) {
         return Pattern::big_bird(n, p["block"], p["random"], p.options.seed);
       }},
      {{.id = "top_k",
        .label = "Top-k",
        .description = "The k largest scores of each query. They must all be computed first: only "
                       "softmax and values get cheaper.",
        .cells_tex = R"(n\,k)",
        .paper = {"Explicit Sparse Transformer: Concentrated Attention Through Explicit Selection",
                  "https://arxiv.org/abs/1912.11637", "explicit selection by top-k"},
        .parameters = {count("k", "k", "keys of a query", 4, 1)},
        .from_cells = true},
       [](Index, Index, const Parameters& p) {
         return Pattern::top_k<double>(p.options.cells, p["k"]);
       }},
      {{.id = "matrix",
        .label = "From a matrix",
        .description = "Whatever is not 0 is kept.",
        .cells_tex = R"(\mathrm{nnz})",
        .paper = {},
        .from_cells = true},
       [](Index, Index, const Parameters& p) {
         require_finite<double>("cells", p.options.cells);
         return Pattern::from_matrix<double>(p.options.cells);
       }},
  };
  return entries;
}

const Entry& find_entry(std::string_view id) {
  return internal::find_by_id("pattern", id, registry());
}

}  // namespace

std::span<const PatternInfo> patterns() {
  static const std::vector<PatternInfo> infos = [] {
    std::vector<PatternInfo> list;
    for (const Entry& entry : registry()) list.push_back(entry.info);
    return list;
  }();
  return infos;
}

const PatternInfo& pattern_info(std::string_view id) { return find_entry(id).info; }

Pattern make_pattern(std::string_view id, Index n, Index m, const PatternOptions& options) {
  const Entry& entry = find_entry(id);
  internal::require_parameters(entry.info, options.parameters);
  if (entry.info.square && n != m) {
    throw ShapeError("pattern", phrase::shape(n, m), phrase::square_pattern(entry.info.id));
  }
  if (entry.info.from_cells) {
    require_shape<double>("cells", options.cells, n, m, phrase::row_each_query);
  } else if (options.cells.size() > 0) {
    throw ShapeError("cells", phrase::shape(options.cells.rows(), options.cells.cols()),
                     phrase::takes_no(entry.info.id, "cells"));
  }
  return entry.make(n, m, Parameters{entry.info, options});
}

}  // namespace attn
