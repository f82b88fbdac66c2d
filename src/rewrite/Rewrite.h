// SPDX-License-Identifier: Apache-2.0
//
// What every rewrite is: a name, and a function from a place in the source to the edits that are
// worth trying there, or to a refusal. It judges whether the code stays correct; whether it gets
// faster is for others to find out. Each has a folder, its room, and a line in Rewrites.def.
#pragma once

#include "advise/Prices.h"
#include "machine/SmLimits.h"
#include "rewrite/code/Branches.h"
#include "rewrite/code/Refusal.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::rewrite {

struct MeasuredLoop {
  std::vector<int> lines; ///< its own, then those of the calls through which it came in
  double trips = 0;       ///< on average
  profile::LoopCounts counts{};
};

/// What a run has shown of the place.
struct Measured {
  std::array<int, 3> block = {0, 0, 0}; ///< threads of all launches; zeros where they differ
  double blocks = 0;                    ///< of a launch, on average; 0: not known
  int multiprocessors = 0;              ///< of the modelled GPU; 0: not known
  std::vector<MeasuredLoop> loops{};
  std::vector<double> shares{}; ///< of the lanes, on both sides of the branch; empty: not known
  int registers = 0;
  int spills = 0;             ///< bytes
  machine::SmLimits limits{}; ///< of the modelled GPU
};

struct Target {
  const clang::FunctionDecl* kernel = nullptr;
  std::optional<BranchStatement> branch; ///< none: the kernel as a whole
  Measured measured;
  std::string form{}; ///< that was asked for; empty: those that are worth trying here
};

/// One form of a rewrite.
struct Proposal {
  std::string form; ///< "aging"; empty where there is only one
  Edits edits;
  std::vector<double> wayLengths{}; ///< against one another; empty where it makes no difference
  /// Floating-point numbers are added or multiplied in another order, which rounds otherwise.
  bool reorders = false;
  /// The order between threads stays, though other forms of the rewrite change it.
  bool keepsOrder = false;
};

struct Rewrite {
  std::string_view name;
  std::string_view summary; ///< for help and docs
  /// Words that its forms begin with; empty where it has one, without a name.
  std::span<const std::string_view> forms{};
  bool formsAreAlike = false; ///< at one place they differ in a word: to test one is enough
  bool ofKernel = false;      ///< it is asked once a kernel, not once a branch
  bool ofIdiom = false;       ///< it may pay where no lanes are lost, too
  /// It changes the order between threads: none may read in memory what another one writes.
  bool needsIndependence = false;
  machine::ComputeCapability needs{}; ///< for what lanes say to each other; 0.0: nothing
  std::span<const RefusalKind> refusals;
  bool refusesCommunication = false; ///< with the table of that name, too
  Legal<std::vector<Proposal>> (*propose)(const Source& source, const Target& target);
  /// What it would gain, from what one run has measured.
  advise::Price (*price)(const profile::KernelProfile& kernel,
                         const advise::PricedBranch& branch) = advise::priceOfAll;
};

/// Each in the namespace of its folder.
#define HEDDLE_REWRITE(folder)                                                                     \
  namespace folder {                                                                               \
  extern const Rewrite room;                                                                       \
  }
#include "rewrite/Rewrites.def"

/// In the order in which they are tried.
std::span<const Rewrite* const> allRewrites();
const Rewrite* findRewrite(std::string_view name);
/// What it proposes for a place, or a refusal of its tables.
Legal<std::vector<Proposal>> ask(const Rewrite& rewrite, const Source& source,
                                 const Target& target);

/// Every kernel of this file, as a whole, and every branch of one and of what it calls.
std::vector<Target> allTargets(const Source& source);

/// The symbols of a kernel's device code: of a template one for each instance.
std::vector<std::string> symbolsOf(const clang::FunctionDecl& kernel);
/// The kernel of this file that has the symbol; nullptr: none.
const clang::FunctionDecl* findKernel(const Source& source, std::string_view symbol);
/// The kernel whose text a line is part of; nullptr: none.
const clang::FunctionDecl* kernelAt(const Source& source, int line);
/// The first kernel that is, calls or may call a function.
const clang::FunctionDecl* kernelOf(const Source& source, const clang::FunctionDecl& function);

} // namespace heddle::rewrite
