// SPDX-License-Identifier: Apache-2.0
//
// What a kernel in a file of device code needs of a multiprocessor: heddle occupancy --kernel.
#pragma once

#include "machine/SmLimits.h"
#include "profile/RegisterUse.h"
#include "support/Error.h"

#include <string>

namespace heddle::driver {

struct KernelNeeds {
  std::string file;
  std::string name; ///< a person's
  profile::RegisterUse registers;
  int shared = 0;  ///< bytes, static
  int threads = 0; ///< of a block at most, by .reqntid or .maxntid; 0 where it does not say
};

/// `which` is a file of PTX or LLVM IR; with ":NAME" behind it where it has several kernels.
Expected<KernelNeeds> readKernelNeeds(const std::string& which, const machine::SmLimits& limits);

} // namespace heddle::driver
