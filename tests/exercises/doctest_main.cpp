// The main function of an exercise's program. doctest counts the checks. The harness has already
// printed what failed, so failed checks are not printed again.

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "harness.hpp"

namespace {

thread_local bool reported = false;

struct Reporter : doctest::ConsoleReporter {
  using doctest::ConsoleReporter::ConsoleReporter;
  void log_assert(const doctest::AssertData& assertion) override {
    if (!reported) ConsoleReporter::log_assert(assertion);
  }
};
REGISTER_REPORTER("exercise", 1, Reporter);

}  // namespace

namespace exercise {

void check(const std::string& id, const Function& function) {
  const Grade found = grade(id, function, std::cout);
  std::cout << std::endl;
  if (const char* path = std::getenv("ATTN_EXERCISE_REPORT")) {
    std::ofstream(path) << found.json << "\n";
  }
  reported = true;
  for (const Checked& one : found.checks) CHECK_MESSAGE(one.passed, one.name);
  reported = false;
}

}  // namespace exercise

int main(int argc, char** argv) {
  // While a student's function runs, std::cout is captured. doctest writes to its own stream, so
  // that it can still print after a crash.
  std::ostream out(std::cout.rdbuf());
  doctest::Context context;
  context.setCout(&out);
  context.setOption("reporters", "exercise");
  context.setOption("no-intro", true);
  context.applyCommandLine(argc, argv);
  return context.run();
}
