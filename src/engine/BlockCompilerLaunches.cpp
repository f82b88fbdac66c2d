// SPDX-License-Identifier: Apache-2.0
//
// Launches by device code: calls of CUDA's device runtime, which the engine answers lane by lane
// (BlockRunLaunches.cpp). Clang's code and nvcc's call it by the same names.
#include "engine/BlockCompiler.h"
#include "engine/DeviceLaunchNames.h"

namespace heddle::engine {

using namespace llvm;

bool BlockCompiler::compileDeviceLaunch(CallInst& call) {
  const StringRef name = call.getCalledFunction()->getName();
  const char* const helper = name == childBufferName   ? "heddleChildBuffer"
                             : name == launchChildName ? "heddleLaunchChild"
                             : name == lastErrorName   ? "heddleLastError"
                             : name == peekErrorName   ? "heddlePeekError"
                                                       : nullptr;
  if (helper == nullptr)
    return false;
  SmallVector<Value*, 4> operands;
  for (Value* argument : call.args())
    operands.push_back(vector(argument));
  Value* site = builder_.getInt32(kernel_.sites.add(call));
  define(call, forEachLane(activeMask_, call.getType(), operands,
                           [&](Value* lane, ArrayRef<Value*> values) -> Value* {
                             SmallVector<Value*, 8> all = {warp_, site, lane};
                             all.append(values.begin(), values.end());
                             return callHelper(helper, call.getType(), all);
                           }));
  return true;
}

} // namespace heddle::engine
