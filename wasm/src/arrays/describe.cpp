// Prints the declarations of arrays.cpp and the names of the operations as JSON.

#define ATTN_DESCRIBE
#include "arrays.cpp"

int main() {
  using namespace attn::wasm;
  std::printf(
      "{\"calls\":%s,\n\"names\":{\"dtypes\":%s,\n\"unaryOps\":%s,\n\"binaryOps\":%s,\n"
      "\"reductions\":%s}}\n",
      joined(described, ",\n").c_str(), names_to<Dtype>(static_cast<int>(Dtype::kFloat64)).c_str(),
      all_names<Unary>().c_str(), all_names<Binary>().c_str(), all_names<Reduction>().c_str());
}
