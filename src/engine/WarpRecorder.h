// SPDX-License-Identifier: Apache-2.0
//
// Records every warp of a kernel's launches and keeps a few: the slowest, the fastest and, where
// more are wanted, those between them at even distances by rank; by instructions, as the account
// counts them.
//
// The slowest and the fastest are known as the run goes. Who is in the middle is known at the end
// only, so a sample of warps is kept up to then: those whose numbers have the smallest hashes,
// which are the same ones whoever runs first. Of a kernel with no more warps than the sample has
// room for, the choice is exact; else the one nearest to the place wanted is taken, and its rank is
// told.
#pragma once

#include "engine/CompiledKernel.h"
#include "engine/WarpRecording.h"
#include "profile/RecordedWarps.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace heddle::engine {

/// Of one kernel, for all its launches. Threads may use it together.
class WarpRecorder {
public:
  static constexpr int usualWarps = 3;
  static constexpr int mostWarps = 16;

  WarpRecorder(const CompiledKernel& kernel, int wanted);
  ~WarpRecorder();
  WarpRecorder(const WarpRecorder&) = delete;
  WarpRecorder& operator=(const WarpRecorder&) = delete;

  /// Before each launch, of which there is one at a time.
  void beginLaunch(const std::array<int, 3>& grid);

  /// For a warp that starts.
  std::unique_ptr<WarpRecording> take();

  /// A warp has run to its end.
  void add(std::unique_ptr<WarpRecording> recording, std::int64_t block, int warp, LaneMask threads,
           std::uint64_t instructions);

  /// The warps wanted, as far as there are so many. Nothing where a run holds the recorder for
  /// longer than that.
  std::optional<profile::WarpRecords> records(std::chrono::milliseconds patience);

private:
  struct Kept;
  using KeptWarp = std::shared_ptr<const Kept>;

  void count(std::uint64_t instructions);
  std::uint64_t fewerThan(std::uint64_t instructions) const;
  std::uint64_t atShare(double share) const;
  std::vector<KeptWarp> candidates() const;
  std::vector<std::pair<KeptWarp, profile::RecordedWarp::Role>> choose() const;

  const std::vector<profile::Stretch> code_; ///< the kernel's: its code may be gone at the end
  const std::vector<profile::Site> places_;
  const std::size_t wanted_;
  const std::size_t sampled_; ///< warps to keep for those between
  std::timed_mutex mutex_;
  std::uint64_t launches_ = 0;
  std::array<int, 3> grid_ = {1, 1, 1};
  std::vector<std::unique_ptr<WarpRecording>> spare_;
  KeptWarp slowest_, fastest_;
  std::map<std::uint64_t, KeptWarp> sample_; ///< by hash
  std::uint64_t warps_ = 0;
  unsigned shift_ = 0;                            ///< low bits of instructions that are dropped
  std::map<std::uint64_t, std::uint64_t> counts_; ///< warps by instructions
};

} // namespace heddle::engine
