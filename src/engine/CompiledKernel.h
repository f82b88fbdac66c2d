// SPDX-License-Identifier: Apache-2.0
//
// A kernel in machine code, and what the run of a warp needs to know of its blocks.
#pragma once

#include "frontend/DeviceModule.h"
#include "profile/LaunchProfile.h"
#include "support/Error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT;
}

namespace heddle::engine {

class BlockCompiler;
class FrameLayout;

inline constexpr int noBlock = -1;

struct CompiledBlock {
  using Code = std::uint32_t (*)(std::byte* frame, std::uint32_t mask);

  Code code = nullptr;
  std::uint32_t instructions = 0; ///< that count; docs/design/engine.md
  int successors[2] = {noBlock, noBlock};
  int join = noBlock; ///< immediate post-dominator
  int branch = -1;    ///< index into branches, for a block with two successors
  bool endsInBarrier = false;
};

class CompiledKernel {
public:
  /// Compiles one kernel of a module, which it consumes.
  static Expected<CompiledKernel> compile(frontend::DeviceModule module, const std::string& name);

  CompiledKernel(CompiledKernel&&) noexcept;
  ~CompiledKernel();

  const std::string& name() const { return name_; }
  const std::vector<CompiledBlock>& blocks() const { return blocks_; }
  const std::vector<profile::SourceLocation>& branches() const { return branches_; }
  const std::vector<profile::SourceLocation>& accessSites() const { return accessSites_; }
  unsigned frameSize() const { return frameSize_; }
  unsigned firstSiteCache() const { return firstSiteCache_; } ///< one for each access site
  unsigned sharedSize() const { return sharedSize_; }
  unsigned localSize() const { return localSize_; }
  const std::vector<unsigned>& argumentSizes() const { return argumentSizes_; }
  unsigned argumentSize() const { return argumentSize_; }
  const std::vector<unsigned>& argumentOffsets() const { return argumentOffsets_; }

  /// Memory of the program's __device__ and __constant__ variables.
  struct Variable {
    std::byte* address;
    std::size_t size;
  };
  const std::vector<Variable>& variables() const { return variables_; }

private:
  CompiledKernel();
  void describe(llvm::Function& function, const FrameLayout& layout, const BlockCompiler& compiler);
  Expected<void> generate(std::unique_ptr<llvm::Module> vectorModule,
                          std::unique_ptr<llvm::LLVMContext> context);

  std::string name_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  std::vector<CompiledBlock> blocks_;
  std::vector<profile::SourceLocation> branches_;
  std::vector<profile::SourceLocation> accessSites_;
  std::vector<unsigned> argumentSizes_;
  std::vector<unsigned> argumentOffsets_;
  std::vector<Variable> variables_;
  unsigned argumentSize_ = 0;
  unsigned frameSize_ = 0;
  unsigned firstSiteCache_ = 0;
  unsigned sharedSize_ = 0;
  unsigned localSize_ = 0;
};

} // namespace heddle::engine
