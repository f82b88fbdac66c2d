// SPDX-License-Identifier: Apache-2.0
//
// Collects what a prepared kernel is, apart from its code: blocks with their successors, joins and
// counted instructions, branches, loops and memory instructions with their places.
#pragma once

#include "engine/CompiledKernel.h"
#include "engine/FrameLayout.h"

#include <memory>
#include <vector>

namespace heddle::engine {

/// `layouts` belong to `functions`, the kernel first. The sites are those the block compiler made;
/// more may be added.
CompiledKernel describeKernel(const std::vector<llvm::Function*>& functions,
                              const std::vector<std::unique_ptr<FrameLayout>>& layouts,
                              const ArgumentLayout& arguments, const SharedLayout& shared,
                              KernelSites& sites);

} // namespace heddle::engine
