// SPDX-License-Identifier: Apache-2.0
//
// Kernel arguments as users write them:
//
//   i32:5   f32:0.5                  a scalar (i8 i16 i32 i64 u8 u16 u32 u64 f32 f64)
//   f32[1024]:zeros                  a buffer of zeros
//   i32[1024]:iota                   0, 1, 2, ...
//   u32[1024]:random:7:0:100         random numbers of seed 7, from 0 to below 100
//   f32[1024]:file:in.bin            the bytes of a file
#pragma once

#include "support/Error.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::driver {

struct KernelArgument {
  std::string text; ///< as it was written
  bool isBuffer = false;
  std::vector<std::byte> bytes; ///< of the scalar, or the content of the buffer
};

Expected<KernelArgument> parseKernelArgument(std::string_view text);

} // namespace heddle::driver
