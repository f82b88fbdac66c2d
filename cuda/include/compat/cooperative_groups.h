// SPDX-License-Identifier: Apache-2.0
//
// Cooperative groups: what they are is in heddle_groups.h and heddle_tiles.h; here is how a group
// is divided, and the functions that take any of them.
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#if defined(__cplusplus) && defined(__CUDA__)

#include "cuda_runtime.h"
#include "heddle_groups.h"
#include "heddle_tiles.h"

#define _CG_HAS_INVOKE

namespace cooperative_groups {
inline namespace __v1 {

// Tiles of a size that is known.
template <unsigned Size>
HEDDLE_GROUP thread_block_tile<Size, thread_block> tiled_partition(const thread_block&) {
  return {heddle::blockRank() / Size, (heddle::blockThreads() + Size - 1) / Size};
}
template <unsigned Size, unsigned ParentSize, class Grandparent>
HEDDLE_GROUP thread_block_tile<Size, thread_block_tile<ParentSize, Grandparent>>
tiled_partition(const thread_block_tile<ParentSize, Grandparent>& parent) {
  static_assert(Size <= ParentSize, "a tile is no larger than what it is a part of");
  return {(unsigned)parent.thread_rank() / Size, ParentSize / Size};
}

// Tiles of a size that is not known, of lanes that follow each other in the group.
HEDDLE_GROUP coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
  const unsigned threads = parent.num_threads(), tile = parent.thread_rank() / size;
  unsigned mask = 0, rank = 0;
  for (unsigned rest = parent.heddle_mask(); rest != 0; rest &= rest - 1, ++rank)
    if (rank / size == tile)
      mask |= rest & -rest;
  return coalesced_group(mask, tile, (threads + size - 1) / size);
}
HEDDLE_MEMBER thread_group tiled_partition(const thread_group& parent, unsigned size) {
  if (parent.kind_ == heddle::Lanes)
    return tiled_partition(coalesced_group(parent.mask_), size);
  if (size >= 32) {
    if (size > 32) {
      printf("cooperative_groups: a tile of %u threads has a size that is known when compiling\n",
             size);
      __trap();
    }
    return coalesced_group(0xffffffffu);
  }
  return coalesced_group(((1u << size) - 1) << (heddle::lane() & ~(size - 1)));
}
HEDDLE_GROUP thread_group tiled_partition(const thread_block& parent, unsigned size) {
  return tiled_partition((const thread_group&)parent, size);
}

HEDDLE_GROUP thread_block_tile<1> this_thread() {
  return {0, 1};
}

// Lanes with the same label, and those for which something holds or not.
template <class Group, class Label>
HEDDLE_GROUP coalesced_group labeled_partition(const Group& group, Label label) {
  const unsigned all = group.heddle_mask(), mine = __match_any_sync(all, label);
  // The rank of a part counts the parts whose first lane is lower.
  const bool isFirst = (unsigned)__ffs(mine) - 1 == heddle::lane();
  const unsigned firsts = __ballot_sync(all, isFirst);
  return coalesced_group(mine, __popc(firsts & ((mine & -mine) - 1)), __popc(firsts));
}
template <class Group> HEDDLE_GROUP coalesced_group binary_partition(const Group& group, bool is) {
  const unsigned all = group.heddle_mask(), yes = __ballot_sync(all, is);
  const bool isWhole = yes == 0 || yes == all;
  return coalesced_group(is ? yes : all & ~yes, is && !isWhole, isWhole ? 1 : 2);
}

template <class Group> HEDDLE_GROUP void sync(const Group& group) {
  group.sync();
}
template <class Group>
HEDDLE_GROUP auto thread_rank(const Group& group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <class Group>
HEDDLE_GROUP auto group_size(const Group& group) -> decltype(group.num_threads()) {
  return group.num_threads();
}

// One of the group calls, and for the second form all get what it returned.
template <class Group, class Function, class... Arguments>
HEDDLE_GROUP void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0)
    function(static_cast<Arguments&&>(arguments)...);
}
template <class Group, class Function, class... Arguments>
HEDDLE_GROUP auto invoke_one_broadcast(const Group& group, Function&& function,
                                       Arguments&&... arguments)
    -> decltype(function(static_cast<Arguments&&>(arguments)...)) {
  decltype(function(static_cast<Arguments&&>(arguments)...)) result;
  if (group.thread_rank() == 0)
    result = function(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

// The operations that reductions and scans know by name.
#define HEDDLE_OPERATION(name, formula)                                                            \
  template <class T> struct name {                                                                 \
    __device__ __inline__ T operator()(T a, T b) const {                                           \
      return formula;                                                                              \
    }                                                                                              \
  };
HEDDLE_OPERATION(plus, a + b)
HEDDLE_OPERATION(less, b < a ? b : a)
HEDDLE_OPERATION(greater, a < b ? b : a)
HEDDLE_OPERATION(bit_and, a& b)
HEDDLE_OPERATION(bit_or, a | b)
HEDDLE_OPERATION(bit_xor, a ^ b)
#undef HEDDLE_OPERATION

} // namespace __v1
} // namespace cooperative_groups

#endif
#endif
