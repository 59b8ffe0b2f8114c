#include "allocation_watch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "attn/cost/operation_count.hpp"

namespace attn::test {
namespace {

struct Tally {
  std::uint64_t held = 0, peak = 0, calls = 0;

  void take(std::size_t bytes) {
    held += bytes;
    peak = std::max(peak, held);
    ++calls;
  }
};

Tally by_malloc, by_new;
bool watching = false, metered_only = true;

/// Addresses that are watched, in a table with open addressing; a removed address leaves a
/// tombstone.
struct Place {
  void* at = nullptr;
  std::size_t bytes = 0;
  Tally* tally = nullptr;
};
constexpr std::size_t kPlaces = std::size_t{1} << 16;
Place places[kPlaces];
char tombstone;

template <typename Visit>
Place* find(void* at, Visit stop_at) {
  const std::uint64_t mixed = (reinterpret_cast<std::uintptr_t>(at) >> 4) * 0x9E3779B97F4A7C15u;
  auto slot = static_cast<std::size_t>(mixed);
  for (std::size_t tries = 0; tries < kPlaces; ++tries, ++slot) {
    Place& place = places[slot % kPlaces];
    if (stop_at(place)) return &place;
    if (place.at == nullptr) return nullptr;
  }
  std::abort();  // More places in one watch than the table has.
}

[[maybe_unused]] void taken(void* at, std::size_t bytes, Tally& tally = by_malloc) {
  if (!watching || at == nullptr || (metered_only && !OperationMeter::active())) return;
  Place* const place =
      find(at, [](const Place& p) { return p.at == nullptr || p.at == &tombstone; });
  *place = {at, bytes, &tally};
  tally.take(bytes);
}

[[maybe_unused]] void given_back(void* at) {
  if (!watching || at == nullptr) return;
  Place* const place = find(at, [at](const Place& p) { return p.at == at; });
  if (!place) return;
  place->tally->held -= place->bytes;
  place->at = &tombstone;
}

}  // namespace

AllocationWatch::AllocationWatch(Scope scope) {
  std::fill(places, places + kPlaces, Place{});
  by_malloc = by_new = {};
  metered_only = scope == Scope::kMetered;
  watching = true;
}
AllocationWatch::~AllocationWatch() { watching = false; }
std::uint64_t AllocationWatch::malloc_peak() const { return by_malloc.peak; }
std::uint64_t AllocationWatch::new_peak() const { return by_new.peak; }
std::uint64_t AllocationWatch::mallocs() const { return by_malloc.calls; }
std::uint64_t AllocationWatch::news() const { return by_new.calls; }

#ifdef ATTN_WATCH_ALLOCATIONS

bool AllocationWatch::sees() { return true; }

}  // namespace attn::test

// The linker's option --wrap sends every call of f to __wrap_f, and every call of __real_f to f.
extern "C" {
void* __real_malloc(std::size_t);
void* __real_calloc(std::size_t, std::size_t);
void* __real_realloc(void*, std::size_t);
void* __real_aligned_alloc(std::size_t, std::size_t);
void __real_free(void*);

void* __wrap_malloc(std::size_t bytes) {
  void* const at = __real_malloc(bytes);
  attn::test::taken(at, bytes);
  return at;
}
void* __wrap_calloc(std::size_t count, std::size_t size) {
  void* const at = __real_calloc(count, size);
  attn::test::taken(at, count * size);
  return at;
}
void* __wrap_realloc(void* old, std::size_t bytes) {
  attn::test::given_back(old);
  void* const at = __real_realloc(old, bytes);
  attn::test::taken(at, bytes);
  return at;
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  void* const at = __real_aligned_alloc(alignment, bytes);
  attn::test::taken(at, bytes);
  return at;
}
void __wrap_free(void* at) {
  attn::test::given_back(at);
  __real_free(at);
}
}

void* operator new(std::size_t bytes) {
  void* const at = __real_malloc(std::max<std::size_t>(bytes, 1));
  if (!at) throw std::bad_alloc();
  attn::test::taken(at, bytes, attn::test::by_new);
  return at;
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  void* const at = __real_aligned_alloc(step, (bytes + step - 1) / step * step);
  if (!at) throw std::bad_alloc();
  attn::test::taken(at, bytes, attn::test::by_new);
  return at;
}
void operator delete(void* at, std::align_val_t) noexcept { std::free(at); }
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete(void* at) noexcept { std::free(at); }
void operator delete[](void* at) noexcept { std::free(at); }
void operator delete(void* at, std::size_t) noexcept { std::free(at); }
void operator delete[](void* at, std::size_t) noexcept { std::free(at); }

#else

bool AllocationWatch::sees() { return false; }

}  // namespace attn::test

#endif
