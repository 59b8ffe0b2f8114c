#include "attn/cost/model_memory.hpp"

#include <cstdint>
#include <vector>

#include "attn/cost/checkpointing.hpp"
#include "attn/cost/complexity.hpp"
#include "attn/models/language_model.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("model_memory");

namespace {

std::uint64_t sum_of(const MemoryParts& p) {
  return p.scores + p.weights + p.dropout_mask + p.dropped_weights + p.activations + p.parameters +
         p.gradients + p.optimizer + p.cache;
}

}  // namespace

TEST_CASE("training keeps several bytes of every cell, by precision and dropout") {
  const auto cell = [](TrainingPrecision precision, bool dropout) {
    return model_memory({.precision = precision, .dropout = dropout}).bytes_a_cell;
  };
  CHECK(cell(TrainingPrecision::kFloat32, true) == 9);
  CHECK(cell(TrainingPrecision::kFloat32, false) == 4);
  CHECK(cell(TrainingPrecision::kFloat16, true) == 5);
  CHECK(cell(TrainingPrecision::kFloat16, false) == 2);
  // Softmax runs in float32, so that halving the precision does not halve this.
  CHECK(cell(TrainingPrecision::kAutocast, false) == 6);
  CHECK(cell(TrainingPrecision::kAutocast, true) == 7);
  const ModelMemory made = model_memory({.batch = 2, .heads = 3, .layers = 5, .n = 100, .d = 16});
  const std::uint64_t cells = 2 * 3 * 100 * 100;
  CHECK(made.training.weights == 5 * 4 * cells);
  CHECK(made.training.dropout_mask == 5 * cells);
  CHECK(made.training.dropped_weights == 5 * 4 * cells);
  // Given up after each layer.
  CHECK(made.training.scores == 4 * cells);
  CHECK(made.reading.weights == 4 * cells);
  CHECK(made.reading.dropout_mask == 0);
  CHECK(made.decoding.weights == 4 * 2 * 3 * 100);
  for (const MemoryParts& parts : {made.training, made.reading, made.decoding}) {
    CHECK(parts.total == sum_of(parts));
  }
  // In tiles no cell is kept.
  const ModelMemory flash = model_memory({.n = 100, .flash = true});
  CHECK(flash.training.weights + flash.training.scores + flash.training.dropped_weights == 0);
  CHECK(flash.reading.weights + flash.decoding.scores == 0);
}

TEST_CASE("published models have the parameters and caches that are known of them") {
  // GPT-2 small, without its positions, norms and biases: 12 layers of 12·768², and the table.
  ModelMemoryShape gpt2{.heads = 12,
                        .layers = 12,
                        .n = 1024,
                        .d = 64,
                        .feed_forward = 3072,
                        .vocabulary = 50257,
                        .precision = TrainingPrecision::kFloat16};
  ModelMemory made = model_memory(gpt2);
  CHECK(made.parameter_numbers == 12 * 12 * 768 * 768 + 50257 * 768);
  CHECK(made.decoding.cache == 1024 * 36864);
  CHECK(made.training.cache == 0);
  // Llama-3-8B: 8 heads of keys and values for 32 of queries.
  made = model_memory({.heads = 32,
                       .layers = 32,
                       .n = 8192,
                       .d = 128,
                       .kv_heads = 8,
                       .precision = TrainingPrecision::kFloat16});
  CHECK(made.reading.cache == std::uint64_t{8192} * 131072);
  // Training in float32: 16 bytes a parameter with its gradient and moments.
  gpt2.precision = TrainingPrecision::kFloat32;
  made = model_memory(gpt2);
  CHECK(made.training.parameters + made.training.gradients + made.training.optimizer ==
        16 * made.parameter_numbers);
}

TEST_CASE("the course text's table is true of 1024 matrices, and the dial says so") {
  const MemoryTable one = memory_table();
  for (const MemoryRow& row : one.rows) {
    CHECK(row.true_at_standard == 1024);
    CHECK(row.true_at_local == 1024);
  }
  // 1024 sequences with one head, or 16 layers of a batch of 8 with 8 heads.
  for (const MemoryTable& table : {memory_table(1, 1024), memory_table(8, 8, 256, 4, 16)}) {
    for (const MemoryRow& row : table.rows) {
      CHECK(row.standard == row.claimed_standard);
      CHECK(row.local == row.claimed_local);
    }
  }
  // In 16 bits it takes twice as many.
  CHECK(memory_table(8, 1, 256, 2).rows[0].true_at_standard == 2048);
  CHECK(error_of([] { memory_table(8, 1, 256, 4, 0); }).argument() == "copies");
}

TEST_CASE("the planned training step keeps what the formula says of its activations") {
  LanguageModelOptions options;
  options.layers = 3;
  options.vocabulary = 16;
  options.length = 64;
  options.d_model = 32;
  options.feed_forward = 64;
  options.mixers.front().heads = 4;
  const LanguageModel<float> model(options);
  const std::vector<std::int32_t> tokens(2 * 64, 3);
  for (const Index every : {0, 1, 2}) {
    StepMemory memory(every);
    Vector<float> gradients;
    model.gradients(tokens, tokens, 2, gradients, &memory);
    const MemoryParts formula =
        model_memory({.batch = 2,
                      .heads = 4,
                      .layers = 3,
                      .n = 64,
                      .d = 8,
                      .feed_forward = 64,
                      .dropout = false,
                      .checkpoint_every = static_cast<std::uint64_t>(every)})
            .training;
    // The last norm's input and output are kept apart there, and each layer keeps two numbers a row
    // for each of its norms, and kernels some more for each head.
    const double last = 2 * 2 * 64 * 32;
    const double wanted = static_cast<double>(formula.weights + formula.activations) / 4 - last;
    CHECK(static_cast<double>(memory.work().kept_numbers) > wanted);
    CHECK(static_cast<double>(memory.work().kept_numbers) < 1.05 * wanted);
  }
}

TEST_CASE("sizes of memory that make no sense are refused by name") {
  CHECK(error_of([] { model_memory({.batch = 0}); }).argument() == "batch");
  CHECK(error_of([] { model_memory({.n = 0}); }).argument() == "n");
  CHECK(error_of([] { model_memory({.heads = 8, .kv_heads = 3}); }).argument() == "kv_heads");
  CHECK(error_of([] { model_memory({.layers = 2, .checkpoint_every = 3}); }).argument() ==
        "checkpoint_every");
  CHECK(error_of([] { model_memory({.n = std::uint64_t{1} << 40}); }).code() == "capacity");
}

TEST_SUITE_END();
