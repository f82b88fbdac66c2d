// SPDX-License-Identifier: Apache-2.0
//
// What every rewrite is: a name, and a function from a place in the source to the edits that are
// worth trying there, or to a refusal. It judges whether the code stays correct; whether it gets
// faster is for others to find out.
#pragma once

#include "rewrite/Branches.h"
#include "rewrite/Refusal.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::rewrite {

struct MeasuredLoop {
  std::vector<int> lines; ///< its own, then those of the calls through which it came in
  double trips = 0;       ///< on average
};

/// What a run has shown of the place.
struct Measured {
  std::array<int, 3> block = {0, 0, 0}; ///< threads of all launches; zeros where they differ
  std::vector<MeasuredLoop> loops{};
  int registers = 0;
  int spills = 0; ///< bytes
};

struct Target {
  const clang::FunctionDecl* kernel = nullptr;
  std::optional<BranchStatement> branch; ///< none: the kernel as a whole
  Measured measured;
};

/// One form of a rewrite.
struct Proposal {
  std::string form; ///< "aging"; empty where there is only one
  Edits edits;
  std::vector<double> wayLengths{}; ///< against one another; empty where it makes no difference
};

struct Rewrite {
  std::string_view name;
  std::string_view summary; ///< for help and docs
  bool ofKernel = false;    ///< it is asked once a kernel, not once a branch
  /// It changes the order between threads: none may read in memory what another one writes.
  bool needsIndependence = false;
  Legal<std::vector<Proposal>> (*propose)(const Source& source, const Target& target);
};

/// In the order in which they are tried.
std::span<const Rewrite> allRewrites();
const Rewrite* findRewrite(std::string_view name);

/// Every kernel of this file, as a whole, and every branch of one and of what it calls.
std::vector<Target> allTargets(const Source& source);

/// The kernel of a name, as clang or the profile spells it, in this file; nullptr: none.
const clang::FunctionDecl* findKernel(const Source& source, std::string_view name);
/// The kernel whose text a line is part of; nullptr: none.
const clang::FunctionDecl* kernelAt(const Source& source, int line);
/// The first kernel that is, calls or may call a function.
const clang::FunctionDecl* kernelOf(const Source& source, const clang::FunctionDecl& function);

} // namespace heddle::rewrite
