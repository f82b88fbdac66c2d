// SPDX-License-Identifier: Apache-2.0
#include "ir/RunPasses.h"

namespace heddle::ir {

PassRunner::PassRunner(llvm::TargetMachine* machine) : builder_(machine) {
  builder_.registerModuleAnalyses(modules_);
  builder_.registerCGSCCAnalyses(components_);
  builder_.registerFunctionAnalyses(functions_);
  builder_.registerLoopAnalyses(loops_);
  builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
}

} // namespace heddle::ir
