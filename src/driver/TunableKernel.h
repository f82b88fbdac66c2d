// SPDX-License-Identifier: Apache-2.0
//
// The kernels of a program that are worth a search: those that take most of the time.
#pragma once

#include "driver/TuneSubject.h"
#include "rewrite/tuning/Tunables.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::driver {

/// A kernel and where it is written.
struct TunableKernel {
  const profile::KernelProfile* profile;
  std::string file;
  const clang::FunctionDecl* function;
  rewrite::tuning::KernelTunables tunables;
  std::string name;                   ///< plain
  std::optional<std::uint64_t> asked; ///< the most elements that heddle::tuned() was asked for
};

struct ChosenKernels {
  std::vector<TunableKernel> kernels{}; ///< the slowest first; they point into the subject
  std::vector<std::string> left{};      ///< others, and why
};

/// An error where --kernel names none of them.
Expected<ChosenKernels> chooseKernels(const TuneSubject& subject);

} // namespace heddle::driver
