// SPDX-License-Identifier: Apache-2.0
//
// One GPU as data: what devices/*.json says of it. docs/schema/device.schema.json describes the
// file.
#pragma once

#include "machine/ComputeCapability.h"
#include "machine/SmLimits.h"
#include "support/Error.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::machine {

/// Lanes of each instruction class that a multiprocessor finishes in a cycle; 0 where it has none.
struct LanesPerCycle {
  double fp32 = 0;
  double fp64 = 0;
  double int32 = 0;
  double intMultiply = 0;
  double shift = 0;
  double special = 0;
  double convert = 0;
  double intToFloat = 0; ///< of 32 bits
  double loadStore = 0;
};

/// Cycles until a dependent instruction can issue; nothing where there is no such cache.
struct LatencyCycles {
  double arithmetic = 0;
  double special = 0;
  double shared = 0;
  std::optional<double> l1;
  std::optional<double> l2;
  std::optional<double> l2Afar; ///< first read after a write, where the L2 has several partitions
  double global = 0;
};

/// Cycles that control flow takes.
struct ControlCycles {
  double branch = 0;         ///< from a branch until the warp issues again
  double predicate = 0;      ///< from a comparison to the branch that needs it
  double divergence = 0;     ///< more where the lanes of a warp part
  double barrierPerWarp = 0; ///< in which a multiprocessor notes that a warp has come to a barrier
};

/// Cycles that steps of a warp take, from Volta on.
struct StepCycles {
  double straightOn = 0;       ///< after a branch that is not taken
  double farBack = 0;          ///< more for a jump back to code that is not held any more
  double heldInstructions = 0; ///< since the last jump that are held
  double fetchInterval = 0;    ///< between two jumps of a scheduler's warps
  double fetchTurn = 0;        ///< more for each other warp of the scheduler
  int mostFetching = 0;        ///< of those
  double shuffle = 0;          ///< more than a load of shared memory
  double sharedAtomic = 0;     ///< more than a load of shared memory
  double contendedAtomic = 0;  ///< on a line of memory that other warps want, too
  /// As many times that takes an atomic on a float.
  double contendedFloatPasses = 0;
  double constant = 0;      ///< a load of constants, of lanes that want the same word
  double constantPass = 0;  ///< for each word that its lanes want, the multiprocessor
  double constantTurn = 0;  ///< for each word after the first, the warp
  double vote = 0;          ///< more than arithmetic
  double barrierResult = 0; ///< until the result of a barrier that votes is there
  double gather = 0;        ///< to look for lanes that are to be there, and to wait for them: each
  double l1Access = 0;      ///< an access to device memory keeps the L1 busy: at least that,
  double l1Line = 0;        ///< for each of its lines that more,
  double l1NewLine = 0;     ///< and for each that must come from the L2 that much
};

/// What it takes to bring managed memory to the device, in microseconds: a part that does not
/// depend on how much it is, and two that do. Of less than a MiB, `first` counts in part.
struct MoveMicroseconds {
  double fixed = 0;
  double first = 0;  ///< more for the first MiB
  double perMiB = 0; ///< for each MiB

  double of(double bytes) const;
};

/// What of managed memory a kernel, or a prefetch, finds elsewhere.
struct FirstTouchMicroseconds {
  MoveMicroseconds written;  ///< the host wrote it last
  MoveMicroseconds fresh;    ///< nobody has touched it
  MoveMicroseconds prefetch; ///< the host wrote it last, and cudaMemPrefetchAsync moves it
};

struct Device {
  std::string name;
  std::vector<std::string> aliases;
  std::string chip;
  std::string architecture;
  int year = 0;
  SmLimits limits; ///< from the compute capability
  int multiprocessors = 0;
  double multiprocessorMHz = 0;
  double memoryMHz = 0;
  int memoryMiB = 0;
  double bandwidthGBps = 0;
  int l2KiB = 0;
  int l2Partitions = 1;                        ///< each keeps what its own multiprocessors read
  std::optional<double> l2BytesPerCycle;       ///< of the whole device
  std::optional<double> readShare, writeShare; ///< of the bandwidth, that streams reach
  /// At a load r of the memory a latency grows by r / (1 - r) of this share of itself.
  std::optional<double> crowding;
  std::optional<double> bytesPerCycleOfOne;        ///< from memory, of one multiprocessor
  std::optional<double> l2BytesPerCycleOfOne;      ///< from the L2, of one multiprocessor
  std::optional<double> l2WriteBytesPerCycle;      ///< that the L2 takes, of the whole device
  std::optional<double> l2WriteBytesPerCycleOfOne; ///< of one multiprocessor
  std::optional<double> l2WriteBytesOfLine;        ///< as which a write to a line counts, at least
  std::optional<double> busGBps;                   ///< that kernels read of the host's memory
  int schedulers = 0;
  double warpInstructionsPerCycle = 0;
  LanesPerCycle lanesPerCycle;
  LatencyCycles latencyCycles;
  std::optional<ControlCycles> controlCycles;       ///< where they were measured
  std::optional<StepCycles> stepCycles;             ///< where they were measured
  std::optional<FirstTouchMicroseconds> firstTouch; ///< where it was measured
  double launchOverheadMicroseconds = 0; ///< between the starts of kernels that do nothing
  /// From the end of a kernel to the start of one that has been waiting in the stream.
  std::optional<double> launchGapMicroseconds;
  std::optional<double> copyOverheadMicroseconds; ///< between the starts of small copies inside it
  std::optional<double> blockStartCycles; ///< from the start of a block of a grid to the next one's
  std::optional<double> blockTurnaroundCycles; ///< from the end of a block to the next in its place
  std::optional<double> warpStartCycles;       ///< more for each warp of the next
  std::optional<double>
      newCodeCycles; ///< for each instruction that a launch runs for the first time
  std::optional<double>
      storeTakenCycles; ///< until a block may go that has written, beyond its bytes

  /// Where each number is from: field path, or the path of the group it belongs to, to source.
  std::map<std::string, std::string> sources;

  /// The file as it was read, for `heddle devices NAME --json`.
  std::string text;

  /// Warps needed to keep the fp32 units busy when every instruction waits for the one before.
  int warpsToHideArithmetic() const;
};

/// Reads a device file. `origin` is named in errors. Every number must be possible and have a
/// source.
Expected<Device> parseDevice(std::string_view text, std::string_view origin);

} // namespace heddle::machine
