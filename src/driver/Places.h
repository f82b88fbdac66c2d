// SPDX-License-Identifier: Apache-2.0
//
// The places of a program where a rewrite could help: from a profile's losses to statements.
#pragma once

#include "advise/Losses.h"
#include "advise/Verdict.h"
#include "driver/FixCommand.h"
#include "machine/Device.h"
#include "profile/ProgramProfile.h"
#include "rewrite/Rewrite.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace heddle::driver {

using Sources = std::map<std::string, std::unique_ptr<rewrite::Source>>;

/// The program's CUDA files, by the names they were given by, and files of its project that these
/// include and that define functions of the device.
Expected<Sources> readSources(const frontend::ProgramSpec& program, bool useCache);

struct Place {
  const profile::KernelProfile* kernel = nullptr;
  advise::Loss loss; ///< of a branch
  std::string file;
  int line = 0, column = 0;
  rewrite::Target target; ///< without a branch: the kernel as a whole
  /// It loses little, but takes this share of the kernel's instructions, and a rewrite knows the
  /// idiom. 0: it is no such place.
  double idiom = 0;

  /// Whether a rewrite is asked there.
  bool isFor(const rewrite::Rewrite& rewrite) const {
    return rewrite.ofKernel == !target.branch && (idiom == 0 || rewrite.ofIdiom);
  }
};

/// A rewrite of a place, with no verdict yet; refused where it is not legal.
advise::Candidate candidateOf(const rewrite::Rewrite& rewrite, const Place& place);
advise::Candidate refusedOf(const rewrite::Rewrite& rewrite, const Place& place,
                            const rewrite::Refusal& refusal);

/// What happens at a place where no rewrite is for code like that.
std::string whyNothingFits(const Place& place);

/// Whether a branch of the kernel is worth a look.
bool losesEnough(const profile::KernelProfile& kernel);

struct Places {
  std::vector<Place> all;
  std::vector<advise::LosingPlace> unanswered; ///< they lose enough, but no statement was found
  std::size_t cheap = 0;                       ///< branches of these kernels that are not in `all`
};

/// Branches that lose enough, worst first, then the kernel itself, for each kernel. An else-if
/// chain is one place. `asked`: only the branches there, whatever they lose. `device`: the
/// modelled GPU.
Places findPlaces(const profile::ProgramProfile& profile, const Sources& sources,
                  const machine::Device& device, const AskedPlace& asked);

/// "5 and 19": where the branches of a line begin. Empty: there is none.
std::string columnsOf(const rewrite::Source& source, int line);

/// A place with a column at which there is neither a branch nor a kernel's name is refused.
Expected<void> checkColumn(const Sources& sources, const AskedPlace& asked);

} // namespace heddle::driver
