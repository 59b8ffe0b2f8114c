// Blocks and the language model that they make. What PyTorch makes of one is in the golden topic
// tiny_lm.

#include "attn/models/language_model.hpp"

#include <limits>

#include "attn/models/safetensors.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("language_model");

namespace {

const std::vector<std::int32_t> kTokens{3, 1, 4, 1, 5, 0, 2, 6, 5, 3};
const std::vector<std::int32_t> kTargets{1, 4, kIgnoredTarget, 5, 2, 2, 6, 5, 3, 0};

LanguageModelOptions options_of(const char* first, const char* second) {
  LanguageModelOptions options;
  options.vocabulary = 7;
  options.d_model = 6;
  options.layers = 2;
  options.length = 8;
  options.mixers = {{}, {}};
  options.mixers[0].id = first;
  options.mixers[1].id = second;
  for (auto& mixer : options.mixers) mixer.heads = mixer.id == "retnet" ? 1 : 2;
  options.feed_forward = 5;
  options.embedding_size = 0.5;
  return options;
}

}  // namespace

TEST_CASE("gradients are the slopes of the loss, for every kind of block") {
  std::vector<LanguageModelOptions> all{options_of("softmax", "gated_delta_rule"),
                                        options_of("hyena", "mamba"),
                                        options_of("short_conv", "linear")};
  all[1].norm = BlockNorm::kRms;
  all[1].gated = true;
  all[1].activation = Activation::kSilu;
  all[1].positions = false;
  all[2].tied = true;
  all[2].feed_forward = 0;
  for (const LanguageModelOptions& options : all) {
    CAPTURE(options.mixers[0].id);
    LanguageModel<double> model(options, 4);
    model.parameters() += 0.1 * random<double>(model.table().size(), 1, 5);
    Vector<double> gradients;
    const BatchResult made = model.gradients(kTokens, kTargets, 2, gradients);
    CHECK(made.counted == 9);
    CHECK(made.loss == doctest::Approx(model.evaluate(kTokens, kTargets, 2).loss));
    const auto loss = [&] { return model.evaluate(kTokens, kTargets, 2).loss; };
    CHECK(worst_slope(gradients, model.parameters(), loss) < 1e-6);
    // The same bits again.
    Vector<double> again;
    model.gradients(kTokens, kTargets, 2, again);
    CHECK(again == gradients);
    // As the part of a batch in which twice as many targets count, and added to what is there.
    model.add_gradients(kTokens, kTargets, 2, 18, again);
    CHECK_CLOSE(again, 1.5 * gradients, 1e-12, 1e-14);
    Vector<double> few(3);
    CHECK(error_of([&] { model.add_gradients(kTokens, kTargets, 2, 9, few); }).argument() ==
          "gradients");
    const std::vector<double> each = model.losses(kTokens, kTargets, 2);
    double mean = 0;
    for (const double one : each) mean += one / 9;
    CHECK(each[2] == 0);
    CHECK(mean == doctest::Approx(made.loss));
  }
}

TEST_CASE("a model that sees only the tokens behind its own takes nothing at the last one") {
  LanguageModelOptions options = options_of("softmax", "softmax");
  options.sees = SeenTokens::kStrictlyLater;
  for (auto& mixer : options.mixers) mixer.bias = true;
  LanguageModel<double> model(options, 4);
  model.parameters() += 0.1 * random<double>(model.table().size(), 1, 5);
  Vector<double> gradients;
  const double made = model.gradients(kTokens, kTargets, 2, gradients).loss;
  const auto loss = [&] { return model.evaluate(kTokens, kTargets, 2).loss; };
  CHECK(made == doctest::Approx(loss()));
  CHECK(worst_slope(gradients, model.parameters(), loss) < 1e-6);

  const std::vector<std::int32_t> text(kTokens.begin(), kTokens.begin() + 5);
  for (const Index layer : {0, 1}) {
    const Matrix<double> A = model.weights(text, layer, 1);
    for (Index i = 0; i < 5; ++i) {
      CHECK(A.row(i).head(i + 1).isZero(0));
      CHECK(A.row(i).sum() == doctest::Approx(i == 4 ? 0 : 1));
    }
  }
  // The last row is its own token's, and the output's bias, whatever stands before it.
  const Matrix<double> logits = model.logits(text, 1);
  const std::vector<std::int32_t> other{6, 2, 0, 5, text[4]};
  CHECK(model.logits(other, 1).row(4) == logits.row(4));
  const Index at = model.table().at("blocks.0.attn.out_proj.bias").offset;
  model.parameters()(at) += 0.5;
  CHECK(model.logits(text, 1).row(4) != logits.row(4));
  // The same in float32, where kernels do the work of other masks.
  LanguageModel<float> narrow(options);
  narrow.parameters() = model.parameters().cast<float>();
  Vector<float> in_float;
  narrow.gradients(kTokens, kTargets, 2, in_float);
  model.gradients(kTokens, kTargets, 2, gradients);
  CHECK_CLOSE(in_float.cast<double>().eval(), gradients, 1e-4, 1e-6);

  auto state = model.start();
  CHECK(error_of([&] { model.step(state, 1); }).argument() == "sees");
  options.mixers[1].id = "linear";
  CHECK(error_of([&] { LanguageModel<double>{options}; }).argument() == "sees");
}

TEST_CASE("a model goes on from its state, which has the stated size") {
  for (const auto& ids :
       {std::pair{"softmax", "rwkv4"}, std::pair{"retnet", "mla"}, std::pair{"gla", "hyena"}}) {
    CAPTURE(ids.first);
    const LanguageModel<double> model(options_of(ids.first, ids.second), 4);
    const std::vector<std::int32_t> text(kTokens.begin(), kTokens.begin() + 8);
    const Matrix<double> logits = model.logits(text, 1);
    auto state = model.start();
    for (std::size_t t = 0; t < text.size(); ++t) {
      const Vector<double> now = model.step(state, text[t]);
      CHECK_CLOSE(now, logits.row(static_cast<Index>(t)).transpose().eval(), 1e-9, 1e-9);
      Index size = 0;
      for (const auto& layer : state.layers) size += layer.size();
      CHECK(static_cast<std::uint64_t>(size) == model.state_numbers(static_cast<Index>(t) + 1));
    }
    CHECK_THROWS_AS(model.step(state, 0), CapacityError);
    const Matrix<double> A = model.weights(text, 0, 0);
    CHECK(A.rows() == 8);
    CHECK_THROWS_AS(model.weights(text, 2, 0), ValueError);
  }
}

TEST_CASE("greedy generation takes the largest logit; sampling has the shares of the softmax") {
  const LanguageModel<double> model(options_of("softmax", "softmax"), 4);
  const std::vector<std::int32_t> prompt{3, 1};
  Rng rng(1);
  const auto made = model.generate(prompt, 4, {.temperature = 0}, rng);
  std::vector<std::int32_t> text = prompt;
  for (const std::int32_t token : made) {
    Index best = 0;
    model.logits(text, 1).bottomRows(1).row(0).maxCoeff(&best);
    CHECK(token == best);
    text.push_back(token);
  }
  // A model that sees everything is asked anew for each token.
  LanguageModelOptions all = options_of("softmax", "softmax");
  all.sees = SeenTokens::kAll;
  CHECK(LanguageModel<double>(all, 4).generate(prompt, 3, {}, rng).size() == 3);
  Vector<double> logits{{0, std::log(3.0), -1000}};
  int second = 0;
  for (int i = 0; i < 4000; ++i) second += choose_token<double>(logits, {}, rng) == 1;
  CHECK(second / 4000.0 == doctest::Approx(0.75).epsilon(0.04));
  for (int i = 0; i < 50; ++i) CHECK(choose_token<double>(logits, {.top_k = 1}, rng) == 1);
  CHECK_THROWS_AS(choose_token<double>(logits, {.temperature = -1}, rng), ValueError);
  CHECK_THROWS_AS(model.generate({}, 3, {}, rng), ShapeError);
}

TEST_CASE("parameters come back from their file bit for bit, and only into the model they fit") {
  LanguageModel<float> model(options_of("softmax", "mamba"), 4);
  const auto file = to_safetensors<float>(model.table(), model.parameters(), {{"steps", "4\n00"}});
  CHECK(from_safetensors<float>(model.table(), file) == model.parameters());
  const SafeTensors read = read_safetensors(file);
  CHECK(read.metadata.at("steps") == "4\n00");
  CHECK(read.tensors.at("blocks.1.attn.A_log").shape == std::vector<std::int64_t>{12, 16});
  CHECK(read.tensors.at("lnf.bias").shape == std::vector<std::int64_t>{6});
  const LanguageModel<float> other(options_of("softmax", "rwkv4"));
  CHECK_THROWS_AS(from_safetensors<float>(other.table(), file), ValueError);
  LanguageModelOptions wider = options_of("softmax", "mamba");
  wider.vocabulary = 9;
  const LanguageModel<float> wide(wider);
  CHECK(error_of([&] { from_safetensors<float>(wide.table(), file); }).argument() == "tok.weight");
}

TEST_CASE("a file is what the format says, byte by byte, and nothing else is read") {
  ParameterTable table;
  table.add_vector("b", 2);
  const Vector<float> values{{1.f, -2.f}};
  const auto file = to_safetensors<float>(table, values);
  const std::string header = R"({"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  const std::string text(file.begin() + 8, file.end() - 8);
  CHECK(text.substr(0, header.size()) == header);
  CHECK(file[0] == text.size());
  CHECK(text.size() % 8 == 0);
  CHECK(std::vector<std::uint8_t>(file.end() - 8, file.end()) ==
        std::vector<std::uint8_t>{0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0});
  // Every shorter file and every file with a byte changed in its header is read or refused, never
  // more than that.
  for (std::size_t size = 0; size < file.size(); ++size) {
    CHECK_THROWS_AS(read_safetensors(std::span(file).first(size)), ValueError);
  }
  for (std::size_t at = 0; at < file.size() - 8; ++at) {
    for (const int change : {1, 2, 16, 128}) {
      auto changed = file;
      changed[at] = static_cast<std::uint8_t>(changed[at] ^ change);
      try {
        read_safetensors(changed);
      } catch (const Error&) {
      }
    }
  }
}

namespace {

/// A file with this header and so many bytes behind it, 0, 1, 2 and so on.
std::vector<std::uint8_t> safetensors_of(const std::string& json, std::size_t data) {
  std::vector<std::uint8_t> bytes(8 + json.size() + data);
  bytes[0] = static_cast<std::uint8_t>(json.size());
  bytes[1] = static_cast<std::uint8_t>(json.size() >> 8);
  std::copy(json.begin(), json.end(), bytes.begin() + 8);
  for (std::size_t i = 0; i < data; ++i) bytes[8 + json.size() + i] = static_cast<std::uint8_t>(i);
  return bytes;
}

}  // namespace

TEST_CASE("a file that no other reader would take is refused with what is wrong") {
  const auto refusal = [](const std::string& json, std::size_t data) -> std::string {
    return error_of([&] { read_safetensors(safetensors_of(json, data)); }).what();
  };
  CHECK(refusal(R"({"b":{"dtype":"I16","shape":[2],"data_offsets":[0,4]}})", 4) ==
        "b is \"I16\"; wanted: tensors of F64, F32, F16, BF16 or I8");
  CHECK(refusal(R"({"b":{"dtype":"F32","shape":[2],"data_offsets":[0,9]}})", 9) ==
        "b is 9 bytes; wanted: as many bytes as the header says");
  CHECK(refusal(R"({"b":{"dtype":"F32","shape":[99999999,99999999],"data_offsets":[0,8]}})", 8) ==
        "b is 8 bytes; wanted: as many bytes as the header says");
  CHECK(
      refusal(R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 8) ==
      "file is a file whose bytes 4 to 8 belong to no tensor; wanted: each byte of the numbers in "
      "one tensor");
  CHECK(
      refusal(R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", 8) ==
      "file is a file whose bytes 0 to 4 belong to no tensor; wanted: each byte of the numbers in "
      "one tensor");
  CHECK(refusal(R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 3) ==
        "file is a file that ends after 3 bytes of numbers; wanted: 4 bytes, as the header says");
  CHECK(refusal(R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4) ==
        "b is a tensor without a place; wanted: two data_offsets, the second not below the first");
  // As many bytes as there are, two of them in both tensors and two in none.
  CHECK(refusal(R"({"a":{"dtype":"F16","shape":[2],"data_offsets":[0,4]},)"
                R"("b":{"dtype":"F16","shape":[2],"data_offsets":[2,6]}})",
                8) ==
        "b is a tensor whose bytes 2 to 4 belong to \"a\" too; wanted: each byte of the numbers in "
        "one tensor");
  CHECK(refusal(R"({"w":{"dtype":"I8","shape":[1],"data_offsets":[0,1]},)"
                R"("w":{"dtype":"I8","shape":[1],"data_offsets":[1,2]}})",
                2) == "file is a file whose header has \"w\" twice; wanted: each name once");
  CHECK(refusal(R"({"w":{"dtype":"I8","shape":[1],"shape":[1,1],"data_offsets":[0,1]}})", 1) ==
        "file is a file whose header has \"shape\" twice; wanted: each name once");
  CHECK(refusal(R"({"__metadata__":{"a":"1","a":"2"}})", 0) ==
        "file is a file whose header has \"a\" twice; wanted: each name once");
  for (const char* json : {R"({"b":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", R"([1])",
                           R"({"\ud83d":{}})", R"({"\udf00":{}})", R"({"\ud83d\u0041":{}})"}) {
    CHECK(error_of([&] { read_safetensors(safetensors_of(json, 4)); }).wanted().text() ==
          "the header of a safetensors file");
  }
}

TEST_CASE("tensors without numbers are read wherever their axis of length 0 stands") {
  for (const char* shape : {"[4,0]", "[0,4]", "[0]", "[2,0,3]", "[99999999,99999999,0]"}) {
    CAPTURE(shape);
    const SafeTensors read = read_safetensors(safetensors_of(
        std::string(R"({"empty":{"dtype":"F32","shape":)") + shape +
            R"(,"data_offsets":[0,0]},"w":{"dtype":"I8","shape":[2],"data_offsets":[0,2]}})",
        2));
    CHECK(read.tensors.at("empty").numbers.empty());
    CHECK(read.tensors.at("w").numbers == std::vector<double>{0, 1});
    const SafeTensors alone = read_safetensors(safetensors_of(
        std::string(R"({"empty":{"dtype":"F64","shape":)") + shape + R"(,"data_offsets":[0,0]}})",
        0));
    CHECK(alone.tensors.at("empty").numbers.empty());
  }
}

TEST_CASE("numbers of 16 and of 8 bits are read exactly, and names beyond U+FFFF") {
  const auto read = [](const char* type, const std::vector<std::uint8_t>& bytes) {
    const auto width = type[0] == 'I' ? bytes.size() : bytes.size() / 2;
    auto file = safetensors_of(std::string(R"({"\ud83d\ude00":{"dtype":")") + type +
                                   R"(","shape":[)" + std::to_string(width) +
                                   R"(],"data_offsets":[0,)" + std::to_string(bytes.size()) + "]}}",
                               bytes.size());
    std::copy(bytes.begin(), bytes.end(), file.end() - static_cast<Index>(bytes.size()));
    return read_safetensors(file).tensors.at("\xf0\x9f\x98\x80").numbers;
  };
  const double infinity = std::numeric_limits<double>::infinity();
  // IEEE 754-2008, table 3.5: the largest, the smallest normal, the smallest of all.
  const auto f16 = read("F16", {0xff, 0x7b, 0, 4, 1, 0, 0, 0xbc, 0, 0xfc, 1, 0x7c});
  CHECK(std::vector<double>(f16.begin(), f16.end() - 1) ==
        std::vector<double>{65504, std::ldexp(1., -14), std::ldexp(1., -24), -1, -infinity});
  CHECK(std::isnan(f16.back()));
  // The upper half of a float's bits.
  CHECK(read("BF16", {0x7f, 0x7f, 0x80, 0, 1, 0, 0x40, 0xc0, 0x80, 0x7f}) ==
        std::vector<double>{std::ldexp(255., 120), std::ldexp(1., -126), std::ldexp(1., -133), -3,
                            infinity});
  CHECK(read("I8", {0, 127, 128, 255}) == std::vector<double>{0, 127, -128, -1});
}

TEST_CASE("refuses what does not fit, by name") {
  const LanguageModel<float> model(options_of("softmax", "softmax"));
  const auto refusal = [](auto change) {
    LanguageModelOptions options = options_of("softmax", "softmax");
    change(options);
    return error_of([&] { LanguageModel<float>{options}; }).argument();
  };
  CHECK(refusal([](auto& o) { o.layers = 3; }) == "mixers");
  CHECK(refusal([](auto& o) {
          o.mixers.resize(1);
          o.layers = kMostLayers + 1;
        }) == "layers");
  CHECK(refusal([](auto& o) { o.vocabulary = 0; }) == "vocabulary");
  CHECK(refusal([](auto& o) { o.mixers[1].id = "lstm"; }) == "mixer");
  CHECK(refusal([](auto& o) { o.feed_forward = -1; }) == "feed_forward");
  CHECK_THROWS_AS(model.logits(kTokens, 3), ShapeError);
  CHECK_THROWS_AS(model.logits(kTokens, 1), CapacityError);
  const std::vector<std::int32_t> outside{7};
  CHECK(error_of([&] { model.logits(outside, 1); }).argument() == "tokens");
}

TEST_CASE("the losses of prefixes are those of texts that end there") {
  LanguageModelOptions options;
  options.vocabulary = 5;
  options.d_model = 8;
  options.length = 6;
  options.sees = SeenTokens::kAll;
  const LanguageModel<double> model(options, 3);
  const std::vector<std::int32_t> tokens = {0, 1, 2, 3, 4, 0, 2, 2},
                                  targets = {1, 2, 3, kIgnoredTarget, 0, 2, 2, 1};
  const std::vector<double> prefix = model.prefix_losses(tokens, targets, 2);
  const std::vector<std::int32_t> text = {4, 0, 2}, wanted = {kIgnoredTarget, kIgnoredTarget, 2};
  CHECK(prefix[6] == doctest::Approx(model.losses(text, wanted, 1)[2]));
  CHECK(prefix[3] == 0);
  CHECK(prefix[7] == doctest::Approx(model.losses(tokens, targets, 2)[7]));
}

TEST_CASE("quantiles of parameters are those of their sizes") {
  ParameterTable table;
  table.add_vector("a", 5);
  table.add_vector("b", 1);
  const Vector<double> values{{-3, 1, 0, 2, -4, 7}};
  const std::vector<double> probabilities = {0, 0.5, 0.625, 1};
  const auto made = parameter_quantiles<double>(table, values, probabilities);
  CHECK(made.size() == 2);
  CHECK(made[0].quantiles == std::vector<double>{0, 2, 2.5, 4});
  CHECK(made[0].norm == doctest::Approx(std::sqrt(30)));
  CHECK(made[1].quantiles == std::vector<double>{7, 7, 7, 7});
  const std::vector<double> beyond = {1.5};
  CHECK_THROWS_AS(parameter_quantiles<double>(table, values, beyond), ValueError);
}

TEST_SUITE_END();
