#include "texts.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace attn::train {
namespace {

/// Whoever uses the model may write any printable ASCII character, also one that no text has.
std::string every_character() {
  std::string all;
  for (char c = ' '; c < 127; ++c) all += c;
  return all + "\n";
}

}  // namespace

std::size_t characters_in(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) >> 6) != 2; }));
}

std::string file_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("no file " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

Texts texts_in(const std::string& folder, Index merges) {
  const std::string text = file_of(folder + "/training.txt");
  Texts made{Tokenizer(every_character() + text, merges), {}, {}};
  made.training = made.tokenizer.encode(text);
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/held-out")) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files) {
    Texts::HeldOut& one = made.held_out.emplace_back();
    one.title = file.stem().string();
    const std::string whole = file_of(file.string());
    for (std::size_t from = 0; from <= whole.size();) {
      const std::size_t to = std::min(whole.find('\f', from), whole.size());
      const std::string section = whole.substr(from, to - from);
      one.sections.push_back(made.tokenizer.encode(section));
      from = to + 1;
    }
  }
  return made;
}

}  // namespace attn::train
