// SPDX-License-Identifier: Apache-2.0
#include "sassrun/SampleRun.h"

#include "sassrun/GridRun.h"

#include <cstring>

namespace heddle::sassrun {
namespace {

void add(InstructionCounts& to, const InstructionCounts& part) {
  to.executions += part.executions;
  to.lanes += part.lanes;
  to.on += part.on;
}

} // namespace

SampleRun::SampleRun(const Program& program, const Kernel& kernel, LaunchShape launch,
                     MemoryView memory, std::uint64_t mostInstructions, Writes writes)
    : program_(program), kernel_(kernel), launch_(std::move(launch)), memory_(std::move(memory)),
      mostInstructions_(mostInstructions), writes_(writes), counts_(program.code().size()) {}

void SampleRun::noteFailure(const Error& error) {
  failure_ = error.message;
  ranTooLong_ = error.kind != ErrorKind::Unsupported;
}

void SampleRun::run(std::int64_t block) {
  std::vector<InstructionCounts> counts(counts_.size());
  PrivateMemory memory(memory_, writes_);
  const auto ran = Block(program_, kernel_, launch_, memory, counts).run(block, mostInstructions_);
  const std::scoped_lock lock(mutex_);
  if (!ran) {
    noteFailure(ran.error());
    return;
  }
  if (writes_ == Writes::Noted)
    written_[block] = memory.written();
  InstructionCounts& sum = blocks_[block];
  for (std::size_t i = 0; i < counts.size(); ++i) {
    add(sum, counts[i]);
    add(counts_[i], counts[i]);
  }
}

bool SampleRun::adopt() const {
  if (!failure_.empty() || isWhole_ || written_.size() != wholeBlocks())
    return false;
  for (const auto& [block, pieces] : written_)
    for (const WrittenBytes& piece : pieces)
      // NOLINTNEXTLINE(performance-no-int-to-ptr): addresses of machine code are those of the
      // process
      std::memcpy(reinterpret_cast<std::byte*>(piece.address), piece.bytes.data(),
                  piece.bytes.size());
  return true;
}

bool SampleRun::dependsOnOthers() const {
  for (std::size_t i = 0; i < counts_.size(); ++i)
    if (counts_[i].executions > 0 && isGlobalAtomic(program_.code()[i].code))
      return true;
  return false;
}

void SampleRun::runTogether(std::int64_t residentBlocks) {
  PrivateMemory memory(memory_);
  GridRun grid(program_, kernel_, launch_, memory, counts_);
  if (auto ran = grid.run(residentBlocks, mostInstructions_); !ran) {
    noteFailure(ran.error());
    return;
  }
  isWhole_ = true;
  InstructionCounts& sum = blocks_[0];
  for (const InstructionCounts& each : counts_)
    add(sum, each);
}

} // namespace heddle::sassrun
