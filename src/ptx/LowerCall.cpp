// SPDX-License-Identifier: Apache-2.0
//
// Calls. `call (result), f, (a, b);` names variables in parameter space: what was stored there is
// read and passed on, and the result is put where it is loaded from.
#include "ptx/FunctionLowering.h"
#include "ptx/Rows.h"

namespace heddle::ptx {

using namespace llvm;

namespace {

struct Call {
  const Operand* results = nullptr;
  const Operand* callee = nullptr;
  const Operand* arguments = nullptr;
  const Operand* prototype = nullptr;
};

/// Of `(r), f, (a), p` all but f may be left out.
std::optional<Call> callOf(const Form& form) {
  Call call;
  std::size_t at = 0;
  const auto isList = [&] {
    return at < form.size() && form.operand(at).kind == Operand::Kind::List;
  };
  if (isList())
    call.results = &form.operand(at++);
  if (at == form.size() || form.operand(at).kind != Operand::Kind::Name)
    return std::nullopt;
  call.callee = &form.operand(at++);
  if (isList())
    call.arguments = &form.operand(at++);
  if (at < form.size())
    call.prototype = &form.operand(at++);
  return at == form.size() ? std::optional(call) : std::nullopt;
}

Operand memoryOf(const Operand& name) {
  Operand memory = name;
  memory.kind = Operand::Kind::Memory;
  return memory;
}

/// What was stored for a parameter of the given type. Pointers are numbers here.
Value* argumentOf(FunctionLowering& f, const Operand& name, Type* type, bool byValue) {
  IRBuilder<>& builder = f.builder();
  Value* where = f.address(memoryOf(name), Space::Param);
  if (byValue)
    return where;
  Type* stored = type->isPointerTy() ? builder.getInt64Ty() : type;
  Value* value = builder.CreateLoad(stored, where);
  return type->isPointerTy() ? builder.CreateIntToPtr(value, type) : value;
}

} // namespace

void lowerCall(FunctionLowering& f, const Form& form) {
  const auto call = callOf(form);
  if (!call)
    return f.refuse(form);
  IRBuilder<>& builder = f.builder();
  LLVMContext& context = f.function().getContext();
  FunctionType* type = nullptr;
  AttributeList attributes;
  Value* callee = nullptr;
  if (const auto known = f.symbols().functions.find(call->callee->name);
      known != f.symbols().functions.end()) {
    callee = known->second;
    type = known->second->getFunctionType();
    attributes = known->second->getAttributes();
  } else if (const Prototype* prototype =
                 call->prototype == nullptr ? nullptr : f.prototypeNamed(call->prototype->name)) {
    type = functionType(prototype->results, prototype->parameters, context);
    markByValue(attributes, prototype->parameters, context);
    callee = builder.CreateIntToPtr(f.read(*call->callee, {'u', 64}), builder.getPtrTy());
  }
  const std::size_t count = call->arguments == nullptr ? 0 : call->arguments->parts.size();
  if (callee == nullptr || type->getNumParams() != count)
    return f.refuse(form, "what it calls is not declared like this");
  SmallVector<Value*, 8> arguments;
  for (unsigned i = 0; i < count; ++i)
    arguments.push_back(argumentOf(f, call->arguments->parts[i], type->getParamType(i),
                                   attributes.hasParamAttr(i, Attribute::ByVal)));
  CallInst* made = builder.CreateCall(type, callee, arguments);
  made->setAttributes(attributes);
  if (call->results == nullptr || call->results->parts.empty() || type->getReturnType()->isVoidTy())
    return;
  Value* result = made;
  if (result->getType()->isPointerTy())
    result = builder.CreatePtrToInt(result, builder.getInt64Ty());
  builder.CreateStore(result, f.address(memoryOf(call->results->parts.front()), Space::Param));
}

} // namespace heddle::ptx
