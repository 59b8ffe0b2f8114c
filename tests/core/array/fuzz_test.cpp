// The short run of the fuzz targets: inputs made from a fixed seed, and the corpus that `npm run
// fuzz` found, where there is a disk to read it from.

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "../../fuzz/native/targets.hpp"

#ifdef ATTN_FUZZ_CORPUS
#include <filesystem>
#include <fstream>
#include <iterator>
#endif

namespace {

using attn::fuzz::Target;
using Bytes = std::vector<std::uint8_t>;

struct Named {
  const char* name;
  Target target;
  std::vector<std::string> seeds;
};

/// The first byte of an input of einsum says how many operands there are; then come their shapes.
const std::vector<Named> kTargets{
    {"indexing", attn::fuzz::indexing, {std::string("\x14\x03\x04\x02\x01\x01\x02", 7)}},
    {"einsum",
     attn::fuzz::einsum,
     {std::string("\x02\x0a\x03\x02\x0a\x02\x04", 7) + "ij,jk->ik",
      std::string("\x01\x0a\x03\x03", 4) + "ii",
      std::string("\x01\x0b\x02\x03\x02", 5) + "...i->..."}}};

Bytes bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

std::vector<Bytes> corpus_of([[maybe_unused]] const std::string& name) {
  std::vector<Bytes> inputs;
#ifdef ATTN_FUZZ_CORPUS
  for (const auto& entry : std::filesystem::directory_iterator(ATTN_FUZZ_CORPUS "/" + name)) {
    std::ifstream file(entry.path(), std::ios::binary);
    inputs.push_back(bytes_of({std::istreambuf_iterator<char>(file), {}}));
  }
#endif
  return inputs;
}

/// xorshift32.
class Dice {
 public:
  std::uint32_t operator()(std::uint32_t end) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_ % end;
  }

 private:
  std::uint32_t state_ = 20261122;
};

/// A few bytes changed, put in or taken out; letters more often than others.
Bytes changed(Bytes bytes, Dice& dice) {
  constexpr char kLetters[] = "ijkab.,->...  ";
  for (std::uint32_t changes = 1 + dice(4); changes > 0; --changes) {
    const auto at = static_cast<std::ptrdiff_t>(dice(static_cast<std::uint32_t>(bytes.size()) + 1));
    const auto byte = static_cast<std::uint8_t>(
        dice(2) == 0 ? dice(256) : static_cast<std::uint32_t>(kLetters[dice(sizeof kLetters - 1)]));
    if (dice(3) == 0 || at == static_cast<std::ptrdiff_t>(bytes.size())) {
      bytes.insert(bytes.begin() + at, byte);
    } else if (dice(3) == 0) {
      bytes.erase(bytes.begin() + at);
    } else {
      bytes[static_cast<std::size_t>(at)] = byte;
    }
  }
  return bytes;
}

TEST_CASE("whatever an index or the subscripts of einsum say, it is what loops say, or refused") {
  for (const Named& one : kTargets) {
    CAPTURE(one.name);
    std::vector<Bytes> inputs = corpus_of(one.name);
#ifdef ATTN_FUZZ_CORPUS
    CHECK_GT(inputs.size(), 10);
#endif
    for (const std::string& seed : one.seeds) inputs.push_back(bytes_of(seed));
    Dice dice;
    int read = 0, refused = 0;
    const std::size_t begun = inputs.size();
    for (std::size_t round = 0; round < begun + 4000; ++round) {
      const Bytes input = round < begun
                              ? inputs[round]
                              : changed(inputs[dice(static_cast<std::uint32_t>(begun))], dice);
      std::string shown;
      for (const std::uint8_t byte : input) shown += std::to_string(byte) + " ";
      CAPTURE(shown);
      bool answered = false;
      REQUIRE_NOTHROW(answered = one.target(input.data(), input.size()));
      (answered ? read : refused)++;
    }
    CHECK_GT(read, 80);
    CHECK_GT(refused, 80);
  }
}

}  // namespace
