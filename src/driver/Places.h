// SPDX-License-Identifier: Apache-2.0
//
// The places of a program where a rewrite could help: from a profile's losses to statements.
#pragma once

#include "advise/Losses.h"
#include "advise/Verdict.h"
#include "driver/FixCommand.h"
#include "profile/ProgramProfile.h"
#include "rewrite/Rewrite.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace heddle::driver {

using Sources = std::map<std::string, std::unique_ptr<rewrite::Source>>;

/// The program's CUDA files, by the names they were given by.
Expected<Sources> readSources(const std::vector<std::string>& files,
                              const frontend::CompilerFlags& flags, bool useCache);

struct Place {
  const profile::KernelProfile* kernel = nullptr;
  advise::Loss loss; ///< of a branch
  std::string file;
  int line = 0, column = 0;
  rewrite::Target target; ///< without a branch: the kernel as a whole
};

/// A rewrite of a place, with no verdict yet; refused where it is not legal.
advise::Candidate candidateOf(const rewrite::Rewrite& rewrite, const Place& place);
advise::Candidate refusedOf(const rewrite::Rewrite& rewrite, const Place& place,
                            const rewrite::Refusal& refusal);

/// Whether a branch of the kernel is worth a look.
bool losesEnough(const profile::KernelProfile& kernel);

/// Branches that lose enough, worst first, then the kernel itself, for each kernel. An else-if
/// chain is one place. `asked`: only the branches there, whatever they lose. `limits`: of the
/// modelled GPU.
std::vector<Place> findPlaces(const profile::ProgramProfile& profile, const Sources& sources,
                              const machine::SmLimits& limits, const AskedPlace& asked);

/// "5 and 19": where the branches of a line begin. Empty: there is none.
std::string columnsOf(const rewrite::Source& source, int line);

/// A place with a column at which there is neither a branch nor a kernel's name is refused.
Expected<void> checkColumn(const Sources& sources, const AskedPlace& asked);

} // namespace heddle::driver
