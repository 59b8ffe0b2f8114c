// Files of whole models: the numbers of one, how it is built and its tokens.

#include "attn/models/model_file.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("model_file");

namespace {

const std::vector<std::int32_t> kText{3, 1, 4, 1, 5, 0, 2, 6};

/// No option as it is by default, as far as they go together.
LanguageModelOptions unusual_options() {
  LanguageModelOptions options;
  options.vocabulary = 7;
  options.d_model = 12;
  options.layers = 2;
  options.length = 8;
  options.mixers = {
      {.id = "softmax",
       .heads = 3,
       .d_k = 6,
       .bias = true,
       .parameters = {{"rotary", 1}, {"alibi", 1}}},
      {.id = "linear", .heads = 2, .feature_map = "relu_kernel", .seed = 9, .parameters = {}}};
  options.sees = SeenTokens::kEarlier;
  options.positions = false;
  options.norm = BlockNorm::kRms;
  options.feed_forward = 10;
  options.gated = true;
  options.activation = Activation::kSilu;
  options.tied = true;
  options.embedding_size = 0.1;
  return options;
}

}  // namespace

TEST_CASE_TEMPLATE("a model comes back from its file bit for bit, and needs no options beside it",
                   T, float, double) {
  const LanguageModel<T> model(unusual_options(), 4);
  const auto file = to_model_file<T>(model, StoredNumbers::kExact, {{"about", "a test"}});
  const LanguageModel<T> again = model_from_file<T>(file);
  CHECK(again.parameters() == model.parameters());
  CHECK(again.logits(kText, 1) == model.logits(kText, 1));
  CHECK(metadata_of(again.options()) == metadata_of(model.options()));
  CHECK(read_safetensors(file).metadata.at("about") == "a test");
}

TEST_CASE("whole numbers of 8 bits are a quarter of the file, each row off by half a code") {
  LanguageModelOptions options = unusual_options();
  options.d_model = 48;
  options.vocabulary = 200;
  const LanguageModel<float> model(options, 4);
  const auto file = to_model_file<float>(model, StoredNumbers::kInt8);
  const auto exact = to_model_file<float>(model, StoredNumbers::kExact);
  CHECK(static_cast<double>(file.size()) / static_cast<double>(exact.size()) < 0.35);
  const LanguageModel<float> again = model_from_file<float>(file);
  const SafeTensors read = read_safetensors(file);
  for (const ParameterInfo& info : model.table().entries()) {
    CAPTURE(info.name);
    const Matrix<float> was = view<float>(info, model.parameters());
    const Matrix<float> is = view<float>(info, again.parameters());
    if (info.is_vector) {
      CHECK(is == was);
      continue;
    }
    const SafeTensor& scales = read.tensors.at(info.name + ".scale");
    CHECK(scales.shape == std::vector<std::int64_t>{info.rows});
    for (Index row = 0; row < info.rows; ++row) {
      const auto scale = static_cast<float>(scales.numbers[static_cast<std::size_t>(row)]);
      CHECK(scale == was.row(row).cwiseAbs().maxCoeff() / 127);
      // A rounding of the product beside half a code.
      CHECK((is.row(row) - was.row(row)).cwiseAbs().maxCoeff() <= scale * (0.5F + 1e-5F));
    }
  }
  // Each number is off by 1/254 of its row's largest at most, some 0.2 % of a typical product, and
  // ten products follow each other.
  const Matrix<float> was = model.logits(kText, 1);
  const float off = (again.logits(kText, 1) - was).norm() / was.norm();
  CHECK(off > 0);
  CHECK(off < 0.05);
  // What was rounded once stays as it is: the same codes, with the same scales up to their last
  // bit.
  const LanguageModel<float> twice =
      model_from_file<float>(to_model_file<float>(again, StoredNumbers::kInt8));
  CHECK_CLOSE(twice.parameters(), again.parameters(), 1e-6, 1e-7);
}

TEST_CASE("a scale belongs to a matrix, one number to each of its rows") {
  ParameterTable table;
  table.add_matrix("w", 2, 3);
  table.add_vector("b", 2);
  const Vector<float> values{{1, -2, 3, 0, 0, 0, 5, 6}};
  const auto file = to_int8_safetensors<float>(table, values);
  const Vector<float> read = from_safetensors<float>(table, file);
  CHECK(read.tail(5) == values.tail(5));
  CHECK(read(2) == doctest::Approx(3));
  // The same file for a table without w: neither it nor its scale is a parameter.
  ParameterTable other;
  other.add_vector("b", 2);
  CHECK(error_of([&] { from_safetensors<float>(other, file); }).argument() == "file");
  ParameterTable wider;
  wider.add_matrix("w", 2, 3);
  wider.add_vector("w.scale", 3);
  wider.add_vector("b", 2);
  const auto with_its_own = to_safetensors<float>(wider, Vector<float>::Ones(11));
  // A parameter of that name is no scale, and three numbers are none for two rows.
  CHECK(from_safetensors<float>(wider, with_its_own) == Vector<float>::Ones(11));
  CHECK(error_of([&] { from_safetensors<float>(table, with_its_own); }).argument() == "w.scale");
  Vector<float> infinite = values;
  infinite(1) = std::numeric_limits<float>::infinity();
  CHECK_THROWS_AS(to_int8_safetensors<float>(table, infinite), ValueError);
}

TEST_CASE("metadata that say no model or no tokenizer are refused by their name") {
  const auto whole = metadata_of(unusual_options());
  const auto refusal = [&](const std::string& name, const char* text) {
    auto changed = whole;
    if (text == nullptr) {
      changed.erase(name);
    } else {
      changed[name] = text;
    }
    return error_of([&] { model_options_of(changed); }).argument();
  };
  for (const auto& entry : whole) {
    const std::string& name = entry.first;
    CAPTURE(name);
    CHECK(refusal(name, nullptr) == "file");
  }
  for (const char* name :
       {"model.layers", "model.mixers", "model.positions", "model.sees", "model.norm",
        "model.activation", "model.embedding_size", "model.mixer.0.heads", "model.mixer.1.seed",
        "model.mixer.0.parameters"}) {
    for (const char* text : {"", "x", "1x", "-", "99999999999999999999999 1 nan"}) {
      CAPTURE(name);
      CAPTURE(text);
      // No parameters at all are parameters.
      if (std::string(name) == "model.mixer.0.parameters" && *text == 0) continue;
      CHECK(refusal(name, text) == name);
    }
  }
  CHECK(refusal("model.mixers", "0") == "model.mixers");
  CHECK(refusal("model.mixers", "257") == "model.mixers");
  CHECK(refusal("model.embedding_size", "inf") == "model.embedding_size");
  CHECK(refusal("model.tied", "2") == "model.tied");

  auto tokens = metadata_of(Tokenizer("low lower lowest", 4));
  CHECK(tokenizer_of(tokens).merges().size() == 4);
  tokens["tokenizer.merges"] = "0 1 2";
  CHECK(error_of([&] { tokenizer_of(tokens); }).argument() == "tokenizer.merges");
  tokens["tokenizer.merges"] = "0 x";
  CHECK(error_of([&] { tokenizer_of(tokens); }).argument() == "tokenizer.merges");
  tokens["tokenizer.merges"] = "";
  CHECK(tokenizer_of(tokens).merges().empty());
  tokens.erase("tokenizer.merges");
  CHECK(error_of([&] { tokenizer_of(tokens); }).argument() == "file");
  CHECK_THROWS_AS(model_from_file<float>(
                      to_safetensors<float>(LanguageModel<float>(unusual_options()).table(),
                                            LanguageModel<float>(unusual_options()).parameters())),
                  ValueError);
}

TEST_SUITE_END();
