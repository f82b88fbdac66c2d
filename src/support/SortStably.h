// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace heddle {

/// The least key first; of equal ones the order stays. std::stable_sort takes a buffer by a
/// function that is deprecated.
template <class T, class Key> void sortStably(std::vector<T>& values, Key key) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) {
    return std::pair(std::invoke(key, std::as_const(values[i])), i);
  });
  std::vector<T> sorted;
  sorted.reserve(values.size());
  for (const std::size_t i : order)
    sorted.push_back(std::move(values[i]));
  values = std::move(sorted);
}

} // namespace heddle
