#pragma once
// Files that other programs write, with what each holds or why it has to be refused.

#include <filesystem>
#include <string>

#include "golden_case.hpp"

namespace attn::golden {

/// Adds one result for each .safetensors file that `folder`/index.json lists. A folder without an
/// index adds none.
void run_files(const std::filesystem::path& folder, const std::string& build, Json& results);

}  // namespace attn::golden
