#pragma once
// Objects that JavaScript holds by number.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace attn::wasm {

/// A number names one object: places are used again, with another number.
template <typename T>
class Table {
 public:
  int add(T object, std::uint64_t serial) {
    if (free_.empty()) {
      free_.push_back(static_cast<int>(slots_.size()));
      slots_.push_back({});
    }
    const int place = free_.back();
    free_.pop_back();
    Slot& slot = slots_[static_cast<std::size_t>(place)];
    slot.object.emplace(std::move(object));
    slot.serial = serial;
    ++live_;
    return slot.turn << kPlaceBits | (place + 1);
  }

  /// Null where there is none of that number.
  T* find(int number) {
    Slot* const slot = slot_of(number);
    return slot ? &*slot->object : nullptr;
  }

  bool remove(int number) {
    Slot* const slot = slot_of(number);
    if (slot) drop(*slot);
    return slot != nullptr;
  }

  /// Everything added with this serial number or a later one.
  void remove_since(std::uint64_t serial) {
    for (Slot& slot : slots_) {
      if (slot.object && slot.serial >= serial) drop(slot);
    }
  }

  int live() const { return live_; }

 private:
  static constexpr int kPlaceBits = 23, kTurns = 256;
  struct Slot {
    std::optional<T> object;
    std::uint64_t serial = 0;
    int turn = 0;
  };

  Slot* slot_of(int number) {
    const int place = (number & ((1 << kPlaceBits) - 1)) - 1;
    if (number <= 0 || place < 0 || place >= static_cast<int>(slots_.size())) return nullptr;
    Slot& slot = slots_[static_cast<std::size_t>(place)];
    return slot.object && slot.turn == number >> kPlaceBits ? &slot : nullptr;
  }

  void drop(Slot& slot) {
    slot.object.reset();
    slot.turn = (slot.turn + 1) % kTurns;
    free_.push_back(static_cast<int>(&slot - slots_.data()));
    --live_;
  }

  std::vector<Slot> slots_;
  std::vector<int> free_;
  int live_ = 0;
};

}  // namespace attn::wasm
