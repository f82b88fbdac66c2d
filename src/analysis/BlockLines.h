// SPDX-License-Identifier: Apache-2.0
//
// Which lines of the source the counted instructions of a basic block belong to, in the order in
// which they run.
#pragma once

#include "profile/RecordedWarps.h"

#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include <cstdint>
#include <map>
#include <vector>

namespace heddle::analysis {

/// Numbers lines as they come; the same line by the same calls has one number.
class LineTable {
public:
  std::uint32_t numberOf(const llvm::Instruction& instruction);
  std::vector<profile::Site> take() { return std::move(lines_); }

private:
  std::map<const llvm::DILocation*, std::uint32_t> known_;
  std::map<profile::Site, std::uint32_t> numbers_;
  std::vector<profile::Site> lines_;
};

/// `weights` are the instructions' own lengths. What the block has beyond them belongs to its end:
/// jumps and the like. Where `isScaled`, the lengths only say how to share the total.
profile::Stretch blockLines(const llvm::BasicBlock& block,
                            const std::vector<std::uint32_t>& weights, std::uint32_t total,
                            bool isScaled, LineTable& lines);

} // namespace heddle::analysis
