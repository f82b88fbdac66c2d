// SPDX-License-Identifier: Apache-2.0
//
// An object in shared memory whose constructor and destructor do not run, as nvcc has it. Clang
// refuses such an object, but not as part of a union. Sources come to name it by edits of
// src/frontend/SharedObjectEdits.h.
#ifndef HEDDLE_COMPAT_SHARED_H
#define HEDDLE_COMPAT_SHARED_H

template <class T, unsigned long alignment> union alignas(alignment) __heddle_shared {
  T object;
  __host__ __device__ __heddle_shared() {}
  __host__ __device__ ~__heddle_shared() {}
};

#endif
