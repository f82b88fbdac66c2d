// SPDX-License-Identifier: Apache-2.0
//
// Copies by all threads of a group. They are done when the call is, by each thread for its part;
// who waits meets the others.
#ifndef _CG_MEMCPY_ASYNC_H_
#define _CG_MEMCPY_ASYNC_H_

#include "../cooperative_groups.h"

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups {
inline namespace __v1 {
namespace heddle {

template <class Unit, class Group>
HEDDLE_GROUP void copyUnits(const Group& group, void* to, const void* from, size_t bytes) {
  const size_t units = bytes / sizeof(Unit);
  for (size_t i = group.thread_rank(); i < units; i += group.num_threads())
    ((Unit*)to)[i] = ((const Unit*)from)[i];
  const size_t rest = units * sizeof(Unit);
  for (size_t i = rest + group.thread_rank(); i < bytes; i += group.num_threads())
    ((char*)to)[i] = ((const char*)from)[i];
}

// In the largest units that both addresses are aligned to.
template <class Group>
HEDDLE_GROUP void copy(const Group& group, void* to, const void* from, size_t bytes) {
  const size_t bits = (size_t)to | (size_t)from;
  if (bits % 16 == 0)
    copyUnits<int4>(group, to, from, bytes);
  else if (bits % 8 == 0)
    copyUnits<int2>(group, to, from, bytes);
  else if (bits % 4 == 0)
    copyUnits<int>(group, to, from, bytes);
  else
    copyUnits<char>(group, to, from, bytes);
}

} // namespace heddle

// The number is of bytes: a size_t, or one that says how it is aligned.
template <class Group, class T, class Bytes>
HEDDLE_GROUP void memcpy_async(const Group& group, T* to, const T* from, const Bytes& bytes) {
  heddle::copy(group, to, from, (size_t)bytes);
}
template <class Group, class Bytes>
HEDDLE_GROUP void memcpy_async(const Group& group, void* to, const void* from, const Bytes& bytes) {
  heddle::copy(group, to, from, (size_t)bytes);
}
// The numbers are of elements; the smaller one counts.
template <class Group, class T, class ToCount, class FromCount>
HEDDLE_GROUP void memcpy_async(const Group& group, T* to, const ToCount& toCount, const T* from,
                               const FromCount& fromCount) {
  const size_t into = (size_t)toCount, of = (size_t)fromCount;
  heddle::copy(group, to, from, (into < of ? into : of) * sizeof(T));
}

template <class Group> HEDDLE_GROUP void wait(const Group& group) {
  group.sync();
}
template <unsigned Stages, class Group> HEDDLE_GROUP void wait_prior(const Group& group) {
  group.sync();
}

} // namespace __v1
} // namespace cooperative_groups

#endif
#endif
