// SPDX-License-Identifier: Apache-2.0
//
// Keeps the memory record of this run: everything of device memory that the host sees, and what is
// left at the end.
#pragma once

#include "cudart/Memory.h"
#include "profile/MemoryRecord.h"

#include <memory>
#include <string>
#include <utility>

namespace heddle::cudart {

class MemoryRecorder final : public MemoryObserver {
public:
  static Expected<std::unique_ptr<MemoryRecorder>> create(const std::string& path);

  void made(const Region& region) override;
  void freed(const Region& region) override;

  /// `size` bytes of a region have been copied to the host.
  void copied(const Region& region, const std::byte* begin, const profile::RowShape& rows,
              std::size_t size);

  /// A region that is watched: where it is allocated will be known.
  void watch(std::string region) { watched_ = std::move(region); }

  /// Who wrote the watched byte last.
  void wrote(const std::string& writer);

  /// Before all memory goes: all of it.
  void leave(const Memory& memory);

  /// The last entry. Nothing is written behind it.
  Expected<void> end(const Memory& memory, const std::string& fault);

private:
  explicit MemoryRecorder(profile::RecordWriter writer) : writer_(std::move(writer)) {}
  bool isOver() const;

  profile::RecordWriter writer_;
  bool ended_ = false;
  std::string watched_; ///< a region
  std::string place_;   ///< where the program allocated it, as "a.cu:7"; empty: not known
};

} // namespace heddle::cudart
