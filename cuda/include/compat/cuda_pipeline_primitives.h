// SPDX-License-Identifier: Apache-2.0
//
// Copies from global to shared memory that a thread does not wait for, until it asks.
#ifndef HEDDLE_COMPAT_CUDA_PIPELINE_PRIMITIVES_H
#define HEDDLE_COMPAT_CUDA_PIPELINE_PRIMITIVES_H

/// Of 4, 8 or 16 bytes; the last `zeros` of them are not read but zero.
static __inline__ __attribute__((device)) void
__pipeline_memcpy_async(void* __restrict__ shared, const void* __restrict__ global, size_t size,
                        size_t zeros = 0) {
  const unsigned to = (unsigned)__cvta_generic_to_shared(shared);
  const unsigned read = (unsigned)(size - zeros);
  if (size == 4)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(global), "r"(read)
                 : "memory");
  else if (size == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(global), "r"(read)
                 : "memory");
  else
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global), "r"(read)
                 : "memory");
}

static __inline__ __attribute__((device)) void __pipeline_commit() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/// Until all batches but the last `batches` have come. Of many it waits for more than it must.
static __inline__ __attribute__((device)) void __pipeline_wait_prior(size_t batches) {
  switch (batches) {
  case 1:
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    break;
  case 2:
    asm volatile("cp.async.wait_group 2;" ::: "memory");
    break;
  case 3:
    asm volatile("cp.async.wait_group 3;" ::: "memory");
    break;
  case 4:
    asm volatile("cp.async.wait_group 4;" ::: "memory");
    break;
  default:
    asm volatile("cp.async.wait_group 0;" ::: "memory");
  }
}

#endif
