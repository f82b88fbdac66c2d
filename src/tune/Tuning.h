// SPDX-License-Identifier: Apache-2.0
//
// What `heddle tune` has to tell of a program.
#pragma once

#include "tune/Search.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::tune {

struct KernelTuning {
  std::string kernel; ///< its plain name
  std::string id;     ///< as profile::KernelProfile has it
  std::string file;
  int line = 0;
  std::uint64_t size = 0;                              ///< that the result is kept under
  profile::Extent grid = {1, 1, 1}, block = {1, 1, 1}; ///< of its largest launch, as it is
  std::vector<Parameter> parameters;
  bool byProgram = false;         ///< its own code asks for the block, by heddle::tuned()
  std::vector<std::string> fixed; ///< what could not be searched, and why
  std::string bound;              ///< what the kernel is bound by, as it is
  SearchResult search;
  double low = 1, high = 1; ///< nine of ten true gains lie between them
  double seconds = 0;       ///< that the search took
  std::uint64_t comparedBytes = 0;
  std::string diff; ///< of the source, where the winner changes it
};

struct Tuning {
  std::string device;
  std::string timedBy; ///< "model", or the name of the GPU here
  bool exhaustive = false;
  std::vector<KernelTuning> kernels;
  std::vector<std::string> left; ///< kernels that were not searched, and why
  std::string store;             ///< where it was kept; empty: nowhere
};

} // namespace heddle::tune
