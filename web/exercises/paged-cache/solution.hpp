#pragma once

#include "exercise.hpp"

inline std::tuple<Array, Array, Array, std::int64_t> paged_cache(const Array& operations,
                                                                 std::int64_t blocks,
                                                                 std::int64_t block_size,
                                                                 std::int64_t sequences) {
  Array done = zeros({operations.shape(0)});
  Array holders = zeros({static_cast<Index>(blocks)});
  std::map<std::int64_t, std::vector<Index>> tables;
  std::map<std::int64_t, std::int64_t> lengths;
  std::int64_t copies = 0;

  const auto take = [&](std::vector<Index>& table) {
    Index block = 0;
    while (holders(block) > 0) ++block;  // the lowest free one
    holders(block) = 1;
    table.push_back(block);
  };
  for (Index at = 0; at < operations.shape(0); ++at) {
    const auto action = static_cast<std::int64_t>(operations(at, 0));
    const auto s = static_cast<std::int64_t>(operations(at, 1));
    const auto number = static_cast<std::int64_t>(operations(at, 2));
    if (action == 0) {
      const std::int64_t length = tables.count(s) > 0 ? lengths[s] : 0;
      std::vector<Index> table = tables.count(s) > 0 ? tables[s] : std::vector<Index>{};
      const bool shared = length % block_size > 0 && holders(table.back()) > 1;
      const std::int64_t added =
          (length + number + block_size - 1) / block_size - static_cast<std::int64_t>(table.size());
      const double free = sum(holders == 0.0).item();
      if (static_cast<double>(added + (shared ? 1 : 0)) > free) continue;
      if (shared) {
        // The others keep the block as it is; this one gets a copy to write into.
        ++copies;
        holders(table.back()) -= 1;
        table.pop_back();
        take(table);
      }
      for (std::int64_t k = 0; k < added; ++k) take(table);
      tables[s] = table;
      lengths[s] = length + number;
    } else if (action == 1) {
      if (tables.count(s) == 0 || tables.count(number) > 0) continue;
      const std::vector<Index> table = tables[s];
      tables[number] = table;
      lengths[number] = lengths[s];
      for (const Index block : table) holders(block) += 1;
    } else {
      if (tables.count(s) == 0) continue;
      for (const Index block : tables[s]) holders(block) -= 1;
      tables.erase(s);
    }
    done(at) = 1;
  }
  Array shown = full({static_cast<Index>(sequences), static_cast<Index>(blocks)}, -1.0);
  for (const auto& [s, table] : tables) {
    for (std::size_t place = 0; place < table.size(); ++place) {
      shown(static_cast<Index>(s), static_cast<Index>(place)) = static_cast<double>(table[place]);
    }
  }
  return {done, shown, holders, copies};
}
