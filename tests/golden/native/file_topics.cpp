#include "file_topics.hpp"

#include <cstdint>
#include <fstream>
#include <iterator>

#include "attn/base/errors.hpp"
#include "attn/models/safetensors.hpp"

namespace attn::golden {
namespace {

std::vector<std::uint8_t> bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("no such file");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// What differs between a file as it was read and what the index says of it; empty where nothing
/// does. The numbers of every type are exact in float64, so they have to be equal.
std::string difference(const Json& given, const SafeTensors& read) {
  const Json metadata = given.value("metadata", Json::object());
  if (Json(read.metadata) != metadata) return "metadata: " + Json(read.metadata).dump();
  if (read.tensors.size() != given.at("arrays").size()) {
    return std::to_string(read.tensors.size()) + " tensors";
  }
  for (const Json& wanted : given.at("arrays")) {
    const auto name = wanted.at("name").get<std::string>();
    const auto found = read.tensors.find(name);
    if (found == read.tensors.end()) return "no tensor " + name;
    const auto& [shape, all] = found->second;
    if (shape != wanted.at("shape").get<std::vector<std::int64_t>>()) return name + ": its shape";
    double sum = 0;
    for (const double x : all) sum += x;
    std::vector<double> first, last;
    for (const Json& x : wanted.at("first")) first.push_back(number(x));
    if (!wanted.at("last").is_null()) last.push_back(number(wanted.at("last")));
    const std::size_t count = std::min(first.size(), all.size());
    if (first != std::vector<double>(all.begin(), all.begin() + static_cast<Index>(count)) ||
        last != std::vector<double>(all.end() - (all.empty() ? 0 : 1), all.end())) {
      return name + ": its numbers";
    }
    if (sum != number(wanted.at("sum"))) return name + ": the sum " + std::to_string(sum);
  }
  return "";
}

/// @throws what is wrong
void run_file(const Json& given, const std::filesystem::path& path) {
  const std::vector<std::uint8_t> bytes = bytes_of(path);
  if (given.at("expect") == "refuse") {
    try {
      read_safetensors(bytes);
    } catch (const ValueError&) {
      return;
    }
    throw std::runtime_error("was read, though " + given.at("why").get<std::string>());
  }
  if (const std::string wrong = difference(given, read_safetensors(bytes)); !wrong.empty()) {
    throw std::runtime_error(wrong);
  }
}

}  // namespace

void run_files(const std::filesystem::path& folder, const std::string& build, Json& results) {
  std::ifstream file(folder / "index.json");
  if (!file) return;
  const Json index = Json::parse(file);
  for (const Json& given : index.at("files")) {
    if (given.at("kind") != "safetensors") continue;
    const auto name = given.at("file").get<std::string>();
    Json result{{"topic", "safetensors"},
                {"name", name},
                {"build", build},
                {"status", "passed"},
                {"detail", ""}};
    try {
      run_file(given, folder / name);
    } catch (const std::exception& error) {
      result["status"] = "failed";
      result["detail"] = error.what();
    }
    results.push_back(std::move(result));
  }
}

}  // namespace attn::golden
