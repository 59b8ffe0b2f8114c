#include "judge.hpp"

#include <iostream>
#include <sstream>

namespace exercise {

int judge(int argc, char** argv, const std::vector<Entry>& entries) {
  const std::string id = argc > 1 ? argv[1] : "";
  const std::string variant = argc > 2 ? argv[2] : "";
  for (const Entry& entry : entries) {
    if (entry.id != id || entry.variant != variant) continue;
    std::ostringstream words;
    std::cout << grade(id, entry.function, words).json << "\n";
    return 0;
  }
  std::cerr << "unknown: " << id << " " << variant << "\n";
  return 2;
}

}  // namespace exercise
