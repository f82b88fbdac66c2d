// SPDX-License-Identifier: Apache-2.0
//
// What was advised for a program, kept in the compile cache: to read its sources again takes clang
// longer than most programs run. One entry of each kind for each program; it holds for one profile,
// in which only the times on this machine may differ.
#pragma once

#include "advise/Verdict.h"
#include "frontend/ProgramSpec.h"
#include "profile/ProgramProfile.h"
#include "support/Error.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace heddle::driver {

using Advice = std::vector<advise::Candidate>;

/// What it was made from: legality and prices, or runs of the rewritten programs.
enum class AdviceFrom { Models, Runs };

class KeptAdvice {
public:
  /// Fails where a file cannot be read.
  static Expected<KeptAdvice> open(AdviceFrom from, const profile::ProgramProfile& profile,
                                   const frontend::ProgramSpec& program);

  /// Nothing where a source, a file it includes or the profile has changed.
  std::optional<Advice> find() const;

  /// `read`: the files that clang read for it.
  void store(const Advice& advice, const std::vector<std::filesystem::path>& read) const;

private:
  std::string key_;
  std::string profile_; ///< hash of it
  std::filesystem::file_time_type opened_;
};

} // namespace heddle::driver
