// SPDX-License-Identifier: Apache-2.0
//
// A function given as IR text, in the form that analyses of control flow need: two-way branches,
// one return. Blocks and values go by their names.
#pragma once

#include "analysis/Joins.h"
#include "analysis/Uniformity.h"
#include "frontend/DeviceModule.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle::analysis {

/// `k(ptr %out, i1 %a, i1 %b, i1 %c, i32 %n)`, whose block `entry` knows %tid, and %odd that
/// differs between lanes.
class FlowText {
public:
  explicit FlowText(const std::string& blocks, bool isKernel = true,
                    const std::string& metadata = "")
      : module_(parse(blocks, metadata)), function_(*module_.module->getFunction("k")),
        flow_(function_), joins_(findJoins(flow_, isKernel)), uniformity_(flow_, joins_, isKernel) {
  }

  const Joins& joins() const { return joins_; }
  const ControlFlow& flow() const { return flow_; }
  const Uniformity& uniformity() const { return uniformity_; }

  int number(const std::string& block) const {
    for (std::size_t i = 0; i < flow_.blocks.size(); ++i)
      if (flow_.blocks[i]->getName() == block)
        return int(i);
    ADD_FAILURE() << "no block '" << block << "'";
    return 0;
  }
  std::string name(int block) const {
    return block == noBlock ? "nowhere" : flow_.blocks[std::size_t(block)]->getName().str();
  }
  /// Where lanes meet that the branch of a block parts.
  std::string join(const std::string& block) const {
    return name(joins_.at[std::size_t(number(block))]);
  }
  std::string postDominator(const std::string& block) const {
    return name(findPostDominators(flow_)[std::size_t(number(block))]);
  }
  int level(const std::string& block) const { return joins_.levelOf[std::size_t(number(block))]; }
  std::string exitJoin(int level) const {
    return name(joins_.levels.at(std::size_t(level)).exitJoin);
  }
  std::string header(int level) const { return name(joins_.levels.at(std::size_t(level)).header); }
  std::string entryOf(int level) const { return name(joins_.levels.at(std::size_t(level)).entry); }

  bool isUniform(const std::string& value) const {
    for (const llvm::BasicBlock& block : function_)
      for (const llvm::Instruction& instruction : block)
        if (instruction.getName() == value)
          return uniformity_.isUniform(&instruction);
    ADD_FAILURE() << "no value '" << value << "'";
    return false;
  }

private:
  static frontend::DeviceModule parse(const std::string& blocks, const std::string& metadata) {
    auto module = frontend::parseDeviceModule(R"(
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare void @llvm.pseudoprobe(i64, i64, i32, i64)
define void @k(ptr %out, i1 %a, i1 %b, i1 %c, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %tid to i1
)" + blocks + "}\n" + metadata,
                                              "test");
    EXPECT_TRUE(module) << module.error().message;
    return *std::move(module);
  }

  frontend::DeviceModule module_;
  llvm::Function& function_;
  ControlFlow flow_;
  Joins joins_;
  Uniformity uniformity_;
};

} // namespace heddle::analysis
