#include "attn/cost/operation_count.hpp"

#include <algorithm>

#include "attn/base/tensor.hpp"
#include "base/thread_local.hpp"
#include "cost/meter.hpp"

namespace attn {
namespace {

constinit ATTN_THREAD_LOCAL OperationMeter* innermost = nullptr;

}  // namespace

OperationMeter::OperationMeter() : outer_(innermost) { innermost = this; }

OperationMeter::~OperationMeter() {
  innermost = outer_;
  if (!outer_) return;
  outer_->work_ += work_;
  outer_->allocations_ += allocations_;
  outer_->peak_ = std::max(outer_->peak_, outer_->held_ + peak_);
  outer_->held_ += held_;
}

OperationCount OperationMeter::count(std::uint64_t answer_bytes) const {
  OperationCount count = work_;
  count.workspace_bytes = peak_bytes() - std::min(peak_bytes(), answer_bytes);
  return count;
}

bool OperationMeter::active() { return innermost != nullptr; }

void OperationMeter::add(const OperationCount& work) {
  if (innermost) innermost->work_ += work;
}

[[gnu::noinline]] void internal::note_numbers(std::uint64_t multiply_adds, std::uint64_t exps,
                                              std::uint64_t read, std::uint64_t written,
                                              std::size_t scalar_bytes) {
  OperationMeter::add({.multiply_adds = multiply_adds,
                       .exps = exps,
                       .bytes_read = read * scalar_bytes,
                       .bytes_written = written * scalar_bytes});
}

void OperationMeter::take(std::size_t bytes) {
  if (!innermost) return;
  ++innermost->allocations_;
  innermost->held_ += static_cast<std::int64_t>(bytes);
  innermost->peak_ = std::max(innermost->peak_, innermost->held_);
}

void OperationMeter::give_back(std::size_t bytes) {
  if (innermost) innermost->held_ -= static_cast<std::int64_t>(bytes);
}

namespace {

template <typename T>
T* take_array(std::size_t size) {
  if (size == 0) return nullptr;
  Eigen::internal::check_size_for_overflow<T>(size);
  T* const array = static_cast<T*>(Eigen::internal::aligned_malloc(size * sizeof(T)));
  OperationMeter::take(size * sizeof(T));
  return array;
}

template <typename T>
void give_array_back(T* array, std::size_t size) {
  if (array) OperationMeter::give_back(size * sizeof(T));
  Eigen::internal::aligned_free(array);
}

}  // namespace
}  // namespace attn

namespace Eigen::internal {

template <>
float* conditional_aligned_new_auto<float, true>(std::size_t size) {
  return attn::take_array<float>(size);
}
template <>
double* conditional_aligned_new_auto<double, true>(std::size_t size) {
  return attn::take_array<double>(size);
}
template <>
void conditional_aligned_delete_auto<float, true>(float* array, std::size_t size) {
  attn::give_array_back(array, size);
}
template <>
void conditional_aligned_delete_auto<double, true>(double* array, std::size_t size) {
  attn::give_array_back(array, size);
}

}  // namespace Eigen::internal
