#pragma once
// Many functions in one program, for the judge: `program ID [VARIANT]` prints the grade as JSON.

#include <string>
#include <vector>

#include "harness.hpp"

namespace exercise {

struct Entry {
  std::string id, variant;
  Function function;
};

int judge(int argc, char** argv, const std::vector<Entry>& entries);

}  // namespace exercise
