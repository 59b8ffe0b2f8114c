#include "attn/heads/exported_attention.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("exported_attention");

namespace {

constexpr double kGone = std::numeric_limits<double>::quiet_NaN();

/// The weights of layers·heads causal heads.
struct ExportedModel {
  Index layers, heads, n, m;
  std::vector<Matrix<double>> all;

  ExportedModel(Index of_layers, Index of_heads, Index queries, Index keys, bool causal = true)
      : layers(of_layers), heads(of_heads), n(queries), m(keys) {
    for (Index k = 0; k < layers * heads; ++k) {
      Matrix<double> weights = random<double>(n, m, static_cast<std::uint64_t>(k)).array().exp();
      for (Index i = 0; i < n; ++i) {
        if (causal) weights.row(i).tail(std::max<Index>(0, n - 1 - i)).setZero();
        weights.row(i) /= weights.row(i).sum();
      }
      all.push_back(weights);
    }
  }
  const Matrix<double>& at(Index layer, Index head) const {
    return all[static_cast<std::size_t>(layer * heads + head)];
  }
};

/// An array from its parts, each row by row.
struct ArrayWriter {
  std::vector<double> numbers;

  void add(const Matrix<double>& x) {
    numbers.insert(numbers.end(), x.data(), x.data() + x.size());
  }
  ExportedArray<double> as(const std::string& name, const std::vector<Index>& shape) const {
    return {
        name, shape,
        Eigen::Map<const Matrix<double>>(numbers.data(), 1, static_cast<Index>(numbers.size()))};
  }
};

ExportedArray<double> whole_array(const ExportedModel& model, const std::string& name,
                                  const std::vector<Index>& shape) {
  ArrayWriter writer;
  for (const Matrix<double>& one : model.all) writer.add(one);
  return writer.as(name, shape);
}

void check_same(const ExportedAttention<double>& made, const ExportedModel& model) {
  REQUIRE(made.layers == model.layers);
  REQUIRE(made.heads == model.heads);
  CHECK(made.queries == model.n);
  CHECK(made.keys == model.m);
  for (Index l = 0; l < model.layers; ++l) {
    for (Index h = 0; h < model.heads; ++h) CHECK(made.at(l, h) == model.at(l, h));
  }
  CHECK(made.worst_sum < 1e-12);
  CHECK(made.empty_rows == 0);
}

/// Step s of generation after a prompt of `prompt` tokens.
Matrix<double> step_rows(const Matrix<double>& whole, Index prompt, Index s) {
  return s == 0 ? whole.topLeftCorner(prompt, prompt)
                : whole.block(prompt + s - 1, 0, 1, prompt + s);
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("one array of all layers and heads, with and without an axis of the batch") {
  const ExportedModel model(3, 2, 5, 5);
  const Names tokens{"<s>", " The", " cat", " s", "at"};
  for (const std::vector<Index>& shape :
       {std::vector<Index>{3, 2, 5, 5}, std::vector<Index>{3, 1, 2, 5, 5}}) {
    const auto made =
        read_exported_attention<double>({whole_array(model, "attentions", shape)}, tokens);
    check_same(made, model);
    CHECK(made.layout == AttentionLayout::kOneArray);
    CHECK(made.causal);
    CHECK(made.tokens == tokens);
    CHECK(made.query_tokens == tokens);
    CHECK(made.layer_numbers == std::vector<Index>{0, 1, 2});
  }
  const ExportedModel one(1, 2, 4, 4, false), single(1, 1, 4, 4);
  check_same(read_exported_attention<double>({whole_array(one, "x", {2, 4, 4})}), one);
  check_same(read_exported_attention<double>({whole_array(single, "x", {4, 4})}), single);
  CHECK(!read_exported_attention<double>({whole_array(one, "x", {2, 4, 4})}).causal);
  // Another sequence of a batch: layers of 2 sequences with 3 heads.
  const ExportedModel batch(2, 2 * 3, 3, 3);
  ExportedAttentionOptions second;
  second.batch = 1;
  const auto made =
      read_exported_attention<double>({whole_array(batch, "a", {2, 2, 3, 3, 3})}, {}, {}, second);
  CHECK(made.heads == 3);
  CHECK(made.at(1, 2) == batch.at(1, 3 + 2));
  second.batch = 2;
  CHECK(
      error_of([&] {
        read_exported_attention<double>({whole_array(batch, "a", {2, 2, 3, 3, 3})}, {}, {}, second);
      }).argument() == "batch");
}

TEST_CASE("an array for each layer, in the order of the numbers in their names") {
  const ExportedModel model(12, 2, 3, 3);
  for (const std::vector<Index>& shape : {std::vector<Index>{2, 3, 3}, {1, 2, 3, 3}}) {
    std::vector<ExportedArray<double>> arrays;
    // "layer_10" comes before "layer_2" in an archive, and the model's name has a number too.
    for (const Index l : {10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
      ArrayWriter writer;
      for (Index h = 0; h < 2; ++h) writer.add(model.at(l, h));
      arrays.push_back(writer.as("gpt2-layer_" + std::to_string(l), shape));
    }
    const auto made = read_exported_attention<double>(arrays);
    check_same(made, model);
    CHECK(made.layout == AttentionLayout::kArrayEachLayer);
    // Some of the layers keep their numbers.
    const auto some = read_exported_attention<double>({arrays[0], arrays[6]});
    CHECK(some.layer_numbers == std::vector<Index>{4, 10});
    CHECK(some.at(0, 1) == model.at(4, 1));
  }
  // A layer of another shape is refused by its name.
  std::vector<ExportedArray<double>> odd{
      whole_array(ExportedModel(1, 2, 3, 3), "layer_0", {2, 3, 3}),
      whole_array(ExportedModel(1, 1, 3, 3), "layer_1", {1, 3, 3})};
  const Error error = error_of([&] { read_exported_attention<double>(odd); });
  CHECK(error.seen().text() == "layer_1 of shape (1, 3, 3)");
  CHECK(error.wanted().text() == "layer_0 of shape (2, 3, 3)");
}

TEST_CASE("an array for each head") {
  const ExportedModel model(2, 3, 4, 4);
  std::vector<ExportedArray<double>> arrays;
  for (Index l = 0; l < 2; ++l) {
    for (Index h = 0; h < 3; ++h) {
      ArrayWriter writer;
      writer.add(model.at(l, h));
      arrays.push_back(
          writer.as("layer_" + std::to_string(l) + "/head_" + std::to_string(h), {4, 4}));
    }
  }
  const auto made = read_exported_attention<double>(arrays);
  check_same(made, model);
  CHECK(made.layout == AttentionLayout::kArrayEachHead);
  arrays.pop_back();
  CHECK(error_of([&] { read_exported_attention<double>(arrays); }).code() == "value");
}

TEST_CASE("cross-attention is rectangular, and its queries have tokens of their own") {
  const ExportedModel model(2, 2, 3, 5, false);
  const auto array = whole_array(model, "cross_attentions", {2, 1, 2, 3, 5});
  const Names keys{"a", "b", "c", "d", "e"}, queries{"x", "y", "z"};
  const auto made = read_exported_attention<double>({array}, keys, queries);
  check_same(made, model);
  CHECK(made.query_tokens == queries);
  CHECK(read_exported_attention<double>({array}, keys).query_tokens.empty());
  CHECK(error_of([&] { read_exported_attention<double>({array}, queries); }).argument() ==
        "tokens");
  CHECK(error_of([&] { read_exported_attention<double>({array}, keys, keys); }).argument() ==
        "query_tokens");
}

TEST_CASE("what generation returns, one array for each step and layer, or padded with NaN") {
  for (const Index layers : {1, 2}) {
    const Index heads = 2, prompt = 3, steps = 4, n = prompt + steps - 1;
    CAPTURE(layers);
    const ExportedModel model(layers, heads, n, n);
    std::vector<ExportedArray<double>> by_layer, turned, by_step, by_step_batch;
    ArrayWriter padded, padded_queries, padded_batch;
    for (Index s = 0; s < steps; ++s) {
      ArrayWriter together;
      for (Index l = 0; l < layers; ++l) {
        ArrayWriter one;
        for (Index h = 0; h < heads; ++h) {
          const Matrix<double> rows = step_rows(model.at(l, h), prompt, s);
          one.add(rows);
          together.add(rows);
          Matrix<double> room = Matrix<double>::Constant(prompt, n, kGone);
          room.topLeftCorner(rows.rows(), rows.cols()) = rows;
          padded.add(room);
        }
        const std::vector<Index> shape{1, heads, s == 0 ? prompt : 1, prompt + s};
        by_layer.push_back(
            one.as("step_" + std::to_string(s) + "/layer_" + std::to_string(l), shape));
        turned.push_back(
            one.as("layer_" + std::to_string(l) + ".step_" + std::to_string(s), shape));
      }
      const Index rows = s == 0 ? prompt : 1;
      by_step.push_back(together.as("arr_" + std::to_string(s), {layers, heads, rows, prompt + s}));
      by_step_batch.push_back(
          together.as("arr_" + std::to_string(s), {layers, 1, heads, rows, prompt + s}));
    }
    for (const auto& arrays : {by_layer, turned, by_step, by_step_batch,
                               std::vector{padded.as("a", {steps, layers, heads, prompt, n})},
                               std::vector{padded.as("a", {steps, layers, 1, heads, prompt, n})}}) {
      CAPTURE(arrays.front().name);
      const auto made = read_exported_attention<double>(arrays, Names(7, "t"));
      check_same(made, model);
      CHECK(made.layout == AttentionLayout::kGenerated);
      CHECK(made.steps == std::vector<Index>{3, 1, 1, 1});
      CHECK(made.causal);
      // The last token said has no row: it was never asked for.
      CHECK(made.tokens.size() == 6);
      CHECK(made.query_tokens.size() == 6);
    }
    // A step is missing.
    by_layer.erase(by_layer.begin() + layers, by_layer.begin() + 2 * layers);
    const Error error = error_of([&] { read_exported_attention<double>(by_layer); });
    CHECK(error.seen().text() == "5 keys at step 1");
    CHECK(error.wanted().text() == "4: the keys so far and one for each query");
  }
}

TEST_CASE("rows may end in NaN where there are no keys yet, and nowhere else") {
  const ExportedModel model(2, 1, 4, 4);
  auto array = whole_array(model, "a", {2, 1, 4, 4});
  for (Index l = 0; l < 2; ++l) {
    for (Index i = 0; i < 4; ++i) {
      for (Index j = i + 1; j < 4; ++j) array.numbers(0, (l * 4 + i) * 4 + j) = kGone;
    }
  }
  check_same(read_exported_attention<double>({array}), model);
  array.shape = {2, 1, 1, 4, 4};
  check_same(read_exported_attention<double>({array}), model);
  array.numbers(0, 16 + 3 * 4 + 1) = kGone;
  CHECK(error_of([&] { read_exported_attention<double>({array}); }).seen().text() ==
        "nan in row 3 of layer 1, head 0");
}

TEST_CASE("rows that are no weights are refused with their place") {
  const ExportedModel model(2, 2, 3, 3);
  const auto array = whole_array(model, "a", {2, 2, 3, 3});
  const auto changed = [&](Index at, double to) {
    auto copy = array;
    copy.numbers(0, at) = to;
    return copy;
  };
  // Layer 1, head 0, row 2.
  const Index at = (2 * 3 + 2) * 3;
  const auto low = changed(at, 0);
  Error error = error_of([&] { read_exported_attention<double>({low}); });
  CHECK(error.argument() == "arrays");
  CHECK(error.seen().text().find("row 2 of layer 1, head 0 has the sum 0.") == 0);
  CHECK(error.wanted().text().find("rows that sum to 1 within 0.01") == 0);
  error = error_of([&] { read_exported_attention<double>({changed(at, -0.5)}); });
  CHECK(error.seen().text() == "-0.5 in row 2 of layer 1, head 0");
  CHECK(error_of([&] { read_exported_attention<double>({changed(at, kInfinity)}); }).code() ==
        "value");
  // Softmax with one more place leaves less than 1.
  ExportedAttentionOptions any;
  any.any_sum = true;
  CHECK(read_exported_attention<double>({low}, {}, {}, any).worst_sum ==
        doctest::Approx(array.numbers(0, at)));
  // Rounding to float16 is no error.
  auto half = array;
  for (double& x : half.numbers.reshaped()) x = std::ldexp(std::round(std::ldexp(x, 11)), -11);
  CHECK(read_exported_attention<double>({half}).worst_sum < 1e-3);
  // A query of padding sees nothing.
  auto empty = array;
  empty.numbers.block(0, at, 1, 3).setZero();
  CHECK(read_exported_attention<double>({empty}).empty_rows == 1);
}

TEST_CASE("other arrays of the file are left out by name") {
  const ExportedModel model(2, 2, 3, 3);
  const auto weights = whole_array(model, "attentions", {2, 2, 3, 3});
  const ExportedArray<double> ids{"input_ids", {1, 3}, Matrix<double>::Constant(1, 3, 7)},
      hidden{"hidden_states", {2, 1, 3, 4}, Matrix<double>::Constant(1, 24, 0.5)},
      cross{"cross_attentions", {2, 2, 3, 3}, weights.numbers};
  const auto made = read_exported_attention<double>({hidden, weights, ids});
  check_same(made, model);
  CHECK(made.left_out == Names{"hidden_states", "input_ids"});
  // Two kinds of weights: which one is meant has to be said.
  const Error error = error_of([&] { read_exported_attention<double>({weights, cross}); });
  CHECK(error.seen().text() == "attentions, cross_attentions");
  ExportedAttentionOptions chosen;
  chosen.name = "cross";
  CHECK(read_exported_attention<double>({weights, cross}, {}, {}, chosen).left_out ==
        Names{"attentions"});
  chosen.name = "decoder";
  CHECK(error_of([&] { read_exported_attention<double>({weights}, {}, {}, chosen); }).code() ==
        "shape");
  CHECK(error_of([&] { read_exported_attention<double>({}); }).code() == "shape");
  CHECK(error_of([&] { read_exported_attention<double>({ids, ids}); }).code() == "value");
  // Fewer numbers than its shape says.
  CHECK(error_of([&] {
          read_exported_attention<double>({{"a", {2, 2, 2}, Matrix<double>::Zero(1, 7)}});
        }).code() == "shape");
  CHECK_THROWS_AS(made.at(2, 0), ValueError);
  CHECK_THROWS_AS(made.at(0, -1), ValueError);
}

TEST_SUITE_END();
