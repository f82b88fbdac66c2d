// SPDX-License-Identifier: Apache-2.0
//
// What is said of a rewrite: apply it or leave it, and the numbers that decided.
#pragma once

#include "profile/Stray.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::advise {

/// A rewrite of one place in one form.
struct Candidate {
  std::string rewrite;  ///< "schedule-iterations"
  std::string form;     ///< "aging"; empty where there is only one
  std::string kernel;   ///< its name, to show
  std::string kernelId; ///< as profile::KernelProfile has it
  std::string file;
  int line = 0;
  int column = 0;
  bool applies = false;
  std::string id;        ///< of the refusal; empty where it applies
  bool fits = true;      ///< whether the rewrite is for code like that at all
  bool tried = false;    ///< the rewritten program has run; else all is from a model
  bool isAdvice = false; ///< for a person to do: `rewrite` names it, `reason` says what
  std::string reason;
  double predictedSpeedup = 0; ///< of the kernel; 0 where nothing was predicted
  double low = 0, high = 0;    ///< nine of ten true speedups lie between them
};

/// A program's kernels, or one of them, in short.
struct Standing {
  double efficiency = 1;
  std::uint64_t lostLanes = 0; ///< lane slots
  std::uint64_t warpInstructions = 0;
  int registers = 0;
  int spills = 0; ///< bytes
  double occupancy = 0;
  double seconds = 0;         ///< estimated
  double measuredSeconds = 0; ///< of all kernels, on the GPU here; 0: there is none
};

/// What nvcc says of the rewritten program.
enum class NvccVerdict {
  NotAsked, ///< nothing was to be applied
  Off,      ///< HEDDLE_NVCC is 0
  NotFound,
  Compiles,
  OriginalFails, ///< it does not compile the program as it was, either
  Refuses,
};

struct Proof {
  bool equal = false;
  int runs = 0;               ///< pairs of runs that were compared
  std::uint64_t bytes = 0;    ///< of device memory
  std::uint64_t printed = 0;  ///< bytes of output
  double tolerance = 0;       ///< 0: bit by bit
  double largest = 0;         ///< relative difference that was seen within it
  bool outputIgnored = false; ///< what was printed was not compared
  NvccVerdict nvcc = NvccVerdict::NotAsked;
  std::string nvccVersion; ///< "13.0"; empty where none was asked
};

/// Of all kernels together, on the GPU of this machine.
struct Measurement {
  std::string gpu;  ///< "NVIDIA H200"; empty: there is none, or nothing was to be measured
  std::string note; ///< why nothing was measured though there is one
  int runs = 0;
  double speedup = 0; ///< 0: nothing was measured
  double predictedSpeedup = 0;
};

/// A branch that loses enough to be looked at.
struct LosingPlace {
  std::string kernel;
  std::string kernelId;
  std::string file;
  int line = 0;
  int column = 0;
  double share = 0;   ///< of the kernel's time
  std::string answer; ///< why no rewrite helps; empty: candidates say it
};

struct Fix {
  std::string device;
  std::vector<std::string> setAside;  ///< of what is printed: it differs between two runs
  std::vector<profile::Stray> strays; ///< accesses outside of memory that passed, in both programs
  int stopped = 0;                    ///< by this signal, before all was tried
  std::vector<LosingPlace> places;
  std::size_t cheap = 0; ///< branches of kernels that were launched, and that lose hardly anything
  std::vector<Candidate> candidates;
  std::vector<Candidate> advice;  ///< what no rewrite does
  std::vector<Candidate> applied; ///< with the speedup of all together in the last one's place
  Standing before, after;         ///< of the kernels that the applied rewrites concern
  Proof proof;
  Measurement measurement;
  std::string diff;
  std::string build; ///< the command that builds the result with nvcc
  std::string bound; ///< what bounds the slowest kernel, where nothing pays
};

/// Takes back all that was applied; each is now refused with this id and reason.
void withdraw(Fix& fix, const std::string& id, const std::string& reason);

} // namespace heddle::advise
