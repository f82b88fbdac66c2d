// SPDX-License-Identifier: Apache-2.0
//
// Reductions of a cooperative group. All of its threads get the result.
#ifndef _CG_REDUCE_H_
#define _CG_REDUCE_H_

#include "../cooperative_groups.h"

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups {
inline namespace __v1 {
namespace heddle {

template <unsigned Size, class T, class Operation>
HEDDLE_GROUP T reduceLanes(const WarpTile<Size>& tile, T value, Operation operation) {
#pragma unroll
  for (unsigned by = Size / 2; by > 0; by /= 2)
    value = operation(value, tile.shfl_xor(value, by));
  return value;
}

// Any number of lanes: neighbours first, then pairs of them, and rank 0 tells the others.
template <class T, class Operation>
HEDDLE_GROUP T reduceLanes(const coalesced_group& group, T value, Operation operation) {
  const unsigned rank = group.thread_rank(), size = group.num_threads();
  for (unsigned by = 1; by < size; by *= 2) {
    const T other = group.shfl_down(value, by);
    if (rank % (2 * by) == 0 && rank + by < size)
      value = operation(value, other);
  }
  return group.shfl(value, 0);
}

// One instruction, where a device has it: integers of 32 bits.
#define HEDDLE_REDUX(operation, type, function)                                                    \
  template <unsigned Size>                                                                         \
  HEDDLE_GROUP type reduceLanes(const WarpTile<Size>& tile, type value, operation<type>) {         \
    return function(tile.heddle_mask(), value);                                                    \
  }                                                                                                \
  HEDDLE_GROUP type reduceLanes(const coalesced_group& group, type value, operation<type>) {       \
    return function(group.heddle_mask(), value);                                                   \
  }
HEDDLE_REDUX(plus, int, __reduce_add_sync)
HEDDLE_REDUX(plus, unsigned, __reduce_add_sync)
HEDDLE_REDUX(less, int, __reduce_min_sync)
HEDDLE_REDUX(less, unsigned, __reduce_min_sync)
HEDDLE_REDUX(greater, int, __reduce_max_sync)
HEDDLE_REDUX(greater, unsigned, __reduce_max_sync)
HEDDLE_REDUX(bit_and, int, __reduce_and_sync)
HEDDLE_REDUX(bit_and, unsigned, __reduce_and_sync)
HEDDLE_REDUX(bit_or, int, __reduce_or_sync)
HEDDLE_REDUX(bit_or, unsigned, __reduce_or_sync)
HEDDLE_REDUX(bit_xor, int, __reduce_xor_sync)
HEDDLE_REDUX(bit_xor, unsigned, __reduce_xor_sync)
#undef HEDDLE_REDUX

template <unsigned Size, class T, class Operation>
HEDDLE_GROUP T reduceLanes(const BlockTile<Size>& tile, T value, Operation operation) {
  T* slots = BlockTile<Size>::template heddle_slots<T>();
  value = reduceLanes(WarpTile<32>(0, 1), value, operation);
  if (lane() == 0)
    slots[tile.thread_rank() / 32] = value;
  tile.sync();
  T result = slots[0];
#pragma unroll 1
  for (unsigned warp = 1; warp < Size / 32; ++warp)
    result = operation(result, slots[warp]);
  tile.sync();
  return result;
}

} // namespace heddle

template <class Group, class T, class Operation>
HEDDLE_GROUP typename heddle::Plain<T>::type reduce(const Group& group, T&& value,
                                                    Operation&& operation) {
  typedef typename heddle::Plain<T>::type Value;
  return heddle::reduceLanes(group, (Value)value,
                             typename heddle::Plain<Operation>::type(operation));
}
template <class Group, class To, class T, class Operation>
HEDDLE_GROUP void reduce_store_async(const Group& group, To* to, T&& value, Operation&& operation) {
  const auto result = reduce(group, value, operation);
  if (group.thread_rank() == 0)
    *to = result;
}

} // namespace __v1
} // namespace cooperative_groups

#endif
#endif
