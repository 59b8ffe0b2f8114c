#include "attn/analysis/text_reader.hpp"

#include "attn/attention/attention.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("text_reader");

namespace {

constexpr Index kTokens = 75;

/// Words of which some come again.
std::vector<std::string> chapters() {
  std::vector<std::string> made(3);
  for (Index i = 0; i < kTokens; ++i) {
    made[static_cast<std::size_t>(i / 30)] += "w" + std::to_string(i * i % 23) + " ";
  }
  return made;
}

TextReaderOptions small() {
  TextReaderOptions options;
  options.d_k = 8;
  options.d_v = 6;
  options.seed = 5;
  return options;
}

TextQkv<double> inputs() {
  std::string whole;
  for (const std::string& chapter : chapters()) whole += chapter;
  return text_qkv<double>(whole, 8, 6, 5, kTokens);
}

}  // namespace

TEST_CASE("both mechanisms read what causal attention over the whole text gives") {
  const auto x = inputs();
  AttentionOptions<double> causal;
  causal.mask = Mask::causal();
  const double softmax = attention<double>(x.Q, x.K, x.V, causal).output.cwiseAbs().maxCoeff();
  LinearAttentionOptions options;
  options.causal = true;
  const FeatureMap<double> map("relu", 8);
  const double linear =
      linear_attention<double>(x.Q, x.K, x.V, map, options).output.cwiseAbs().maxCoeff();

  TextReader<double> first(ReadingMechanism::kSoftmax, chapters(), {}, small());
  TextReader<double> second(ReadingMechanism::kLinear, chapters(), map, small());
  // However the text is cut into reads.
  for (const Index count : {1, 3, 16, 2, 40, 100}) {
    first.read(count);
    second.read(count);
  }
  CHECK(first.progress().position == kTokens);
  CHECK(first.progress().largest == doctest::Approx(softmax).epsilon(1e-12));
  CHECK(second.progress().largest == doctest::Approx(linear).epsilon(1e-12));
}

TEST_CASE("a reader knows where it is, what it keeps and what is left to do") {
  TextReader<float> softmax(ReadingMechanism::kSoftmax, chapters(), {}, small());
  TextReader<float> linear(ReadingMechanism::kLinear, chapters(), {}, small());
  CHECK(softmax.progress().bytes == 0);
  const std::uint64_t all = softmax.progress().multiply_adds_left;
  CHECK(all == 75 * 8 * 22 + 75 * 76 / 2 * 14);
  CHECK(linear.progress().multiply_adds_left == 75 * 8 * 22 + 75 * 2 * 8 * 7);
  const std::uint64_t state = linear.progress().bytes;
  CHECK(state == 4 * 8 * 7);
  for (TextReader<float>* reader : {&softmax, &linear}) reader->read(31);
  const ReadingProgress now = softmax.progress();
  CHECK(now.position == 31);
  CHECK(now.section == 1);
  CHECK(now.bytes == 31 * 14 * 4);
  CHECK(now.multiply_adds == 31 * 8 * 22 + 31 * 32 / 2 * 14);
  CHECK(now.multiply_adds + now.multiply_adds_left == all);
  CHECK(linear.progress().bytes == state);
  // The 31st word is the first of its chapter; the words before it stand in another.
  CHECK(softmax.words(3) == "w3");
  CHECK(linear.words(0).empty());
}

TEST_CASE("softmax attention stops where its cache is full, linear attention does not") {
  TextReaderOptions options = small();
  options.cache_bytes = 20 * 14 * 4 + 3;
  TextReader<float> softmax(ReadingMechanism::kSoftmax, chapters(), {}, options);
  TextReader<float> linear(ReadingMechanism::kLinear, chapters(), {}, options);
  CHECK(softmax.progress().capacity == 20);
  CHECK(linear.progress().capacity == kTokens);
  for (TextReader<float>* reader : {&softmax, &linear}) reader->read(1000);
  CHECK(softmax.progress().position == 20);
  CHECK(softmax.progress().tokens == kTokens);
  CHECK(softmax.progress().multiply_adds_left == 0);
  CHECK(softmax.progress().bytes <= *options.cache_bytes);
  CHECK(linear.progress().position == kTokens);
  options.cache_bytes = 14 * 4 - 1;
  const Error error =
      error_of([&] { TextReader<float>(ReadingMechanism::kSoftmax, chapters(), {}, options); });
  CHECK(error.argument() == "cache_bytes");
}

TEST_CASE("reading in steps reads as many tokens as were asked for") {
  TextReader<float> reader(ReadingMechanism::kLinear, chapters(), {}, small());
  Reading<float> reading(reader, 50);
  CHECK_FALSE(reading.step(20));
  CHECK(reading.progress() == doctest::Approx(0.4));
  CHECK(reader.progress().position == 20);
  CHECK(reading.step(1000));
  CHECK(reading.result().position == 50);
  Reading<float> rest(reader, 50);
  CHECK(rest.step(50));
  CHECK(rest.result().position == kTokens);
  Reading<float> nothing(reader, 1);
  CHECK(nothing.step(1));
  CHECK(nothing.progress() == 1);
  CHECK(error_of([&] { Reading<float>(reader, 0); }).argument() == "tokens");
  CHECK(error_of([&] { reader.read(-1); }).argument() == "tokens");
}

TEST_SUITE_END();
