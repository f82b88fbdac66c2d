// SPDX-License-Identifier: Apache-2.0
//
// Textures and surfaces, which the engine reads lane by lane (Textures.h).
#include "engine/BlockCompiler.h"
#include "ptx/ReadPtx.h"

namespace heddle::engine {

using namespace llvm;

bool BlockCompiler::compileTexture(CallInst& call) {
  const StringRef name = call.getCalledFunction()->getName();
  const char* const helper = name == ptx::textureName       ? "heddleTexture"
                             : name == ptx::surfaceName     ? "heddleSurface"
                             : name == ptx::textureSizeName ? "heddleTextureSize"
                                                            : nullptr;
  if (helper == nullptr)
    return false;
  const bool uniform = layout_.isUniform(&call);
  SmallVector<Value*, 8> operands;
  for (Value* argument : call.args())
    operands.push_back(uniform ? scalar(argument) : vector(argument));
  Value* site = builder_.getInt32(kernel_.sites.add(call));
  const auto callOnce = [&](Value* lane, ArrayRef<Value*> values) -> Value* {
    SmallVector<Value*, 12> all = {warp_, site, lane};
    all.append(values.begin(), values.end());
    return callHelper(helper, call.getType(), all);
  };
  Value* first = builder_.CreateBinaryIntrinsic(Intrinsic::cttz, activeMask_, builder_.getTrue());
  define(call, uniform ? callOnce(first, operands)
                       : forEachLane(activeMask_, call.getType(), operands, callOnce));
  return true;
}

} // namespace heddle::engine
