// SPDX-License-Identifier: Apache-2.0
//
// Prefix sums of a cooperative group, by rank. Rank 0 of an exclusive one gets T().
#ifndef _CG_SCAN_H_
#define _CG_SCAN_H_

#include "../cooperative_groups.h"

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups {
inline namespace __v1 {
namespace heddle {

template <class Group, class T, class Operation>
HEDDLE_GROUP T scanLanes(const Group& group, T value, Operation operation) {
  const unsigned rank = group.thread_rank(), size = group.num_threads();
  for (unsigned by = 1; by < size; by *= 2) {
    const T other = group.shfl_up(value, by);
    if (rank >= by)
      value = operation(other, value);
  }
  return value;
}
// Several warps: each adds what the last lanes of those before it have.
template <unsigned Size, class T, class Operation>
HEDDLE_GROUP T scanWarps(const BlockTile<Size>& tile, T value, Operation operation, bool isWhole) {
  const thread_block_tile<32> warp(0, 1);
  T* slots = BlockTile<Size>::template heddle_slots<T>();
  const unsigned mine = tile.thread_rank() / 32;
  T result = scanLanes(warp, value, operation);
  if (lane() == 31)
    slots[mine] = result;
  tile.sync();
  T before = slots[0];
#pragma unroll 1
  for (unsigned each = 1; each < mine; ++each)
    before = operation(before, slots[each]);
  tile.sync();
  const T above = warp.shfl_up(result, 1);
  if (isWhole)
    return mine == 0 ? result : operation(before, result);
  if (lane() == 0)
    return mine == 0 ? T() : before;
  return mine == 0 ? above : operation(before, above);
}

template <class Group, class T, class Operation>
HEDDLE_GROUP T inclusive(const Group& group, const thread_group&, T value, Operation operation) {
  return scanLanes(group, value, operation);
}
template <class Group, class T, class Operation>
HEDDLE_GROUP T exclusive(const Group& group, const thread_group&, T value, Operation operation) {
  const T before = group.shfl_up(scanLanes(group, value, operation), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, unsigned Size, class T, class Operation>
HEDDLE_GROUP T inclusive(const Group&, const BlockTile<Size>& tile, T value, Operation operation) {
  return scanWarps(tile, value, operation, true);
}
template <class Group, unsigned Size, class T, class Operation>
HEDDLE_GROUP T exclusive(const Group&, const BlockTile<Size>& tile, T value, Operation operation) {
  return scanWarps(tile, value, operation, false);
}

} // namespace heddle

#define HEDDLE_SCAN(name, function)                                                                \
  template <class Group, class T, class Operation>                                                 \
  HEDDLE_GROUP typename heddle::Plain<T>::type name(const Group& group, T&& value,                 \
                                                    Operation&& operation) {                       \
    typedef typename heddle::Plain<T>::type Value;                                                 \
    return heddle::function(group, group, (Value)value,                                            \
                            typename heddle::Plain<Operation>::type(operation));                   \
  }                                                                                                \
  template <class Group, class T>                                                                  \
  HEDDLE_GROUP typename heddle::Plain<T>::type name(const Group& group, T&& value) {               \
    typedef typename heddle::Plain<T>::type Value;                                                 \
    return heddle::function(group, group, (Value)value, plus<Value>());                            \
  }
HEDDLE_SCAN(inclusive_scan, inclusive)
HEDDLE_SCAN(exclusive_scan, exclusive)
#undef HEDDLE_SCAN

} // namespace __v1
} // namespace cooperative_groups

#endif
#endif
