// SPDX-License-Identifier: Apache-2.0
//
// What `heddle tune` prints: what was tried, what models ruled out and why, and the best.
#pragma once

#include "support/Terminal.h"
#include "tune/TunedStore.h"
#include "tune/Tuning.h"

#include <string>
#include <vector>

namespace heddle::report {

/// `attempts`: lines of configurations that were timed, the fastest first.
std::string tuneText(const tune::Tuning& tuning, const TextStyle& style, std::size_t attempts = 8);
std::string tuneJson(const tune::Tuning& tuning);

/// What a store holds.
std::string tunedText(const std::vector<tune::TunedKernel>& kernels, const std::string& store,
                      const TextStyle& style);
std::string tunedJson(const std::vector<tune::TunedKernel>& kernels, const std::string& store);

/// A header that knows the blocks of these kernels, for programs that have no store beside them.
std::string tunedHeader(const std::vector<tune::TunedKernel>& kernels);

} // namespace heddle::report
