// SPDX-License-Identifier: Apache-2.0
#include "sassrun/SampleRun.h"

namespace heddle::sassrun {
namespace {

void add(InstructionCounts& to, const InstructionCounts& part) {
  to.executions += part.executions;
  to.lanes += part.lanes;
  to.on += part.on;
}

} // namespace

SampleRun::SampleRun(const Program& program, const Kernel& kernel, LaunchShape launch,
                     MemoryView memory, std::uint64_t mostInstructions)
    : program_(program), kernel_(kernel), launch_(std::move(launch)), memory_(std::move(memory)),
      mostInstructions_(mostInstructions), counts_(program.code().size()) {}

void SampleRun::run(std::int64_t block) {
  std::vector<InstructionCounts> counts(counts_.size());
  const auto ran = Block(program_, kernel_, launch_, memory_, counts).run(block, mostInstructions_);
  const std::scoped_lock lock(mutex_);
  if (!ran) {
    failure_ = ran.error().message;
    return;
  }
  InstructionCounts& sum = blocks_[block];
  for (std::size_t i = 0; i < counts.size(); ++i) {
    add(sum, counts[i]);
    add(counts_[i], counts[i]);
  }
}

} // namespace heddle::sassrun
