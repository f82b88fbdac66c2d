// SPDX-License-Identifier: Apache-2.0
#include "ptx/DeviceRuntime.h"

#include <llvm/IR/IRBuilder.h>

#include <array>

namespace heddle::ptx {

using namespace llvm;

namespace {

/// Writes a number through its first argument, if it has any bits, and succeeds.
struct PlainFunction {
  const char* name;
  unsigned bits = 0;
  std::uint64_t value = 0;
};

constexpr std::uint64_t anyHandle = 0x100;
constexpr std::array plainFunctions = {
    PlainFunction{"__cudaCDP2StreamCreateWithFlags", 64, anyHandle},
    PlainFunction{"__cudaCDP2StreamDestroy"},
    PlainFunction{"__cudaCDP2StreamWaitEvent"},
    PlainFunction{"__cudaCDP2EventCreateWithFlags", 64, anyHandle},
    PlainFunction{"__cudaCDP2EventRecord"},
    PlainFunction{"__cudaCDP2EventRecordWithFlags"},
    PlainFunction{"__cudaCDP2EventDestroy"},
    PlainFunction{"__cudaCDP2GetDevice", 32, 0},
    PlainFunction{"__cudaCDP2GetDeviceCount", 32, 1},
};

/// What an error of a thread is called.
struct TextFunction {
  const char* name;
  const char* success;
  const char* invalidConfiguration;
};

constexpr std::uint32_t invalidConfiguration = 9;
constexpr std::array textFunctions = {
    TextFunction{"__cudaCDP2GetErrorString", "no error", "invalid configuration argument"},
    TextFunction{"__cudaCDP2GetErrorName", "cudaSuccess", "cudaErrorInvalidConfiguration"},
};

/// A declaration of that name, about to get its body.
llvm::Function* declared(Module& module, const char* name) {
  llvm::Function* function = module.getFunction(name);
  if (function == nullptr || !function->isDeclaration())
    return nullptr;
  function->setLinkage(GlobalValue::InternalLinkage);
  BasicBlock::Create(module.getContext(), "", function);
  return function;
}

Value* pointerOf(IRBuilder<>& builder, Argument& argument) {
  return builder.CreateIntToPtr(&argument, builder.getPtrTy());
}

Value* addressOf(IRBuilder<>& builder, Value* pointer) {
  return builder.CreatePtrToInt(pointer, builder.getInt64Ty());
}

void defineText(llvm::Function& function, const TextFunction& from) {
  IRBuilder<> builder(&function.getEntryBlock());
  const auto text = [&](const char* words) {
    return builder.CreateGlobalString(words, "heddle.error.text", 0, function.getParent());
  };
  const auto is = [&](std::uint32_t error) {
    return builder.CreateICmpEQ(function.getArg(0), builder.getInt32(error));
  };
  Value* other = builder.CreateSelect(is(invalidConfiguration), text(from.invalidConfiguration),
                                      text("unrecognized error code"));
  builder.CreateRet(addressOf(builder, builder.CreateSelect(is(0), text(from.success), other)));
}

void defineMalloc(llvm::Function& function) {
  constexpr std::uint32_t outOfMemory = 2;
  IRBuilder<> builder(&function.getEntryBlock());
  const FunctionCallee allocate =
      function.getParent()->getOrInsertFunction("malloc", builder.getPtrTy(), builder.getInt64Ty());
  Value* memory = builder.CreateCall(allocate, {function.getArg(1)});
  builder.CreateStore(memory, pointerOf(builder, *function.getArg(0)));
  builder.CreateRet(builder.CreateSelect(builder.CreateIsNull(memory),
                                         builder.getInt32(outOfMemory), builder.getInt32(0)));
}

void defineFree(llvm::Function& function) {
  IRBuilder<> builder(&function.getEntryBlock());
  const FunctionCallee release =
      function.getParent()->getOrInsertFunction("free", builder.getVoidTy(), builder.getPtrTy());
  builder.CreateCall(release, {pointerOf(builder, *function.getArg(0))});
  builder.CreateRet(builder.getInt32(0));
}

} // namespace

void defineDeviceRuntime(Module& module) {
  for (const PlainFunction& each : plainFunctions)
    if (llvm::Function* function = declared(module, each.name)) {
      IRBuilder<> builder(&function->getEntryBlock());
      if (each.bits != 0)
        builder.CreateStore(builder.getIntN(each.bits, each.value),
                            pointerOf(builder, *function->getArg(0)));
      builder.CreateRet(builder.getInt32(0));
    }
  for (const TextFunction& each : textFunctions)
    if (llvm::Function* function = declared(module, each.name))
      defineText(*function, each);
  if (llvm::Function* function = declared(module, "__cudaCDP2Malloc"))
    defineMalloc(*function);
  if (llvm::Function* function = declared(module, "__cudaCDP2Free"))
    defineFree(*function);
}

} // namespace heddle::ptx
