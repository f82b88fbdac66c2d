// SPDX-License-Identifier: Apache-2.0
#include "ptx/Symbols.h"

#include "ptx/FunctionLowering.h"
#include "ptx/ReadPtx.h"

#include <llvm/IR/Constants.h>

#include <algorithm>

namespace heddle::ptx {

using namespace llvm;

namespace {

constexpr unsigned pointerBytes = 8;
constexpr std::uint64_t longRest = 4096; ///< elements without a first value

Constant* addressOf(const Initial& value, const FileSymbols& symbols, LLVMContext& context) {
  Constant* base = nullptr;
  if (const auto variable = symbols.variables.find(value.symbol);
      variable != symbols.variables.end())
    base = variable->second;
  else if (const auto function = symbols.functions.find(value.symbol);
           function != symbols.functions.end())
    base = function->second;
  if (base == nullptr)
    return nullptr;
  Type* word = Type::getInt64Ty(context);
  Constant* number = ConstantExpr::getPtrToInt(base, word);
  return value.bits == 0 ? number
                         : ConstantExpr::getAdd(number, ConstantInt::get(word, value.bits));
}

Constant* numberOf(const Initial& value, ScalarType type, LLVMContext& context) {
  if (!type.isFloat())
    return ConstantInt::get(Type::getIntNTy(context, type.bits), value.bits);
  Type* made = typeOf(type, context);
  if (!value.isFloat)
    return ConstantFP::get(made, double(std::int64_t(value.bits)));
  APFloat number(value.single ? APFloat::IEEEsingle() : APFloat::IEEEdouble(),
                 APInt(value.single ? 32 : 64, value.bits));
  bool inexact = false;
  number.convert(made->getFltSemantics(), APFloat::rmNearestTiesToEven, &inexact);
  return ConstantFP::get(context, number);
}

/// First values in the order of memory. Eight bytes that are masks of one address are one address;
/// where there are such, the variable is a packed struct.
Expected<std::vector<Constant*>> valuesOf(const Variable& variable, const FileSymbols& symbols,
                                          LLVMContext& context) {
  std::vector<Constant*> result;
  for (std::size_t i = 0; i < variable.values.size(); ++i) {
    const Initial& value = variable.values[i];
    if (value.symbol.empty()) {
      result.push_back(numberOf(value, variable.type, context));
      continue;
    }
    Constant* address = addressOf(value, symbols, context);
    const bool isMasked = value.mask != 0;
    if (address == nullptr || (isMasked ? value.mask != 0xff : variable.type.bits != 64))
      return fail(ErrorKind::Unsupported, "PTX line {}: '{}' begins with the value '{}'",
                  variable.line, variable.name, value.symbol);
    result.push_back(address);
    i += isMasked ? pointerBytes - 1 : 0;
  }
  return result;
}

Constant* filled(std::vector<Constant*> values, const Variable& variable, LLVMContext& context) {
  Type* element = typeOf(variable.type, context);
  const std::uint64_t count = variable.count * variable.elements;
  const bool plain = std::ranges::all_of(
      values, [&](const Constant* value) { return value->getType() == element; });
  if (!plain) {
    std::uint64_t bytes = 0;
    for (const Constant* value : values)
      bytes += value->getType()->getPrimitiveSizeInBits() / 8;
    if (variable.bytes() > bytes)
      values.push_back(Constant::getNullValue(
          ArrayType::get(Type::getInt8Ty(context), variable.bytes() - bytes)));
    return ConstantStruct::getAnon(context, values, true);
  }
  // A long rest is one zero: the size is only what the text claims.
  if (count > values.size() + longRest) {
    values.push_back(Constant::getNullValue(ArrayType::get(element, count - values.size())));
    return ConstantStruct::getAnon(context, values, true);
  }
  if (!variable.isArray && variable.elements == 1)
    return values.empty() ? Constant::getNullValue(element) : values.front();
  values.resize(count, Constant::getNullValue(element));
  return ConstantArray::get(ArrayType::get(element, count), values);
}

Type* valueTypeOf(const Variable& variable, LLVMContext& context) {
  Type* element = typeOf(variable.type, context);
  return variable.isArray || variable.elements > 1
             ? ArrayType::get(element, variable.count * variable.elements)
             : element;
}

/// Replaces a variable by one whose type its first value needs.
GlobalVariable* withValue(GlobalVariable* variable, Constant* value) {
  if (variable->getValueType() == value->getType()) {
    variable->setInitializer(value);
    return variable;
  }
  auto* made = new GlobalVariable(*variable->getParent(), value->getType(), false,
                                  variable->getLinkage(), value, "", variable,
                                  GlobalValue::NotThreadLocal, variable->getAddressSpace(), true);
  made->copyAttributesFrom(variable);
  made->takeName(variable);
  variable->replaceAllUsesWith(made);
  variable->eraseFromParent();
  return made;
}

/// Functions that the engine provides have the types of C.
FunctionType* knownType(std::string_view name, LLVMContext& context) {
  Type* pointer = PointerType::get(context, 0);
  Type* word = Type::getInt32Ty(context);
  Type* size = Type::getInt64Ty(context);
  Type* nothing = Type::getVoidTy(context);
  if (name == "vprintf")
    return FunctionType::get(word, {pointer, pointer}, false);
  if (name == "malloc")
    return FunctionType::get(pointer, {size}, false);
  if (name == "free")
    return FunctionType::get(nothing, {pointer}, false);
  if (name == "__assertfail")
    return FunctionType::get(nothing, {pointer, pointer, word, pointer, size}, false);
  return nullptr;
}

void annotate(const Function& source, llvm::Function& function) {
  LLVMContext& context = function.getContext();
  NamedMDNode* all = function.getParent()->getOrInsertNamedMetadata("nvvm.annotations");
  const auto add = [&](const char* what, unsigned value) {
    all->addOperand(MDNode::get(
        context, {ConstantAsMetadata::get(&function), MDString::get(context, what),
                  ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), value))}));
  };
  add("kernel", 1);
  if (source.mostThreads[0] != 0) {
    add("maxntidx", source.mostThreads[0]);
    add("maxntidy", source.mostThreads[1]);
    add("maxntidz", source.mostThreads[2]);
  }
  if (source.cluster[0] != 0) {
    add("cluster_dim_x", source.cluster[0]);
    add("cluster_dim_y", source.cluster[1]);
    add("cluster_dim_z", source.cluster[2]);
  }
  if (source.leastBlocks != 0)
    add("minctasm", source.leastBlocks);
  if (source.mostRegisters != 0)
    add("maxnreg", source.mostRegisters);
}

GlobalValue::LinkageTypes linkageOf(bool isShared, bool isWeak) {
  return isWeak     ? GlobalValue::WeakODRLinkage
         : isShared ? GlobalValue::ExternalLinkage
                    : GlobalValue::InternalLinkage;
}

llvm::Function* declareFunction(const Function& source, Module& module) {
  LLVMContext& context = module.getContext();
  FunctionType* type = source.isDefined ? nullptr : knownType(source.name, context);
  const bool hasCTypes = type != nullptr;
  if (!hasCTypes)
    type = functionType(source.results, source.parameters, context);
  const bool isShared = source.isKernel || source.isVisible || source.isWeak || !source.isDefined;
  llvm::Function* made = llvm::Function::Create(
      type, linkageOf(isShared, source.isWeak && source.isDefined),
      commonName(source.name, !source.isKernel || source.isVisible || source.isWeak), module);
  if (!hasCTypes) {
    AttributeList attributes = made->getAttributes();
    markByValue(attributes, source.parameters, context);
    made->setAttributes(attributes);
  }
  made->setDoesNotThrow();
  if (source.isKernel)
    annotate(source, *made);
  return made;
}

} // namespace

Type* typeOf(ScalarType type, LLVMContext& context) {
  if (!type.isFloat())
    return Type::getIntNTy(context, std::max(type.bits, 1u));
  return type.bits == 64   ? Type::getDoubleTy(context)
         : type.bits == 32 ? Type::getFloatTy(context)
                           : Type::getHalfTy(context);
}

bool isByValue(const Variable& parameter) {
  return parameter.isArray;
}

Type* parameterType(const Variable& parameter, LLVMContext& context) {
  return isByValue(parameter) ? PointerType::get(context, 0) : typeOf(parameter.type, context);
}

Type* resultType(const std::vector<Variable>& results, LLVMContext& context) {
  if (results.empty())
    return Type::getVoidTy(context);
  const Variable& result = results.front();
  if (!result.isArray)
    return typeOf(result.type, context);
  const unsigned unit = std::clamp(result.alignment, 1u, pointerBytes);
  return ArrayType::get(Type::getIntNTy(context, unit * 8), (result.bytes() + unit - 1) / unit);
}

FunctionType* functionType(const std::vector<Variable>& results,
                           const std::vector<Variable>& parameters, LLVMContext& context) {
  std::vector<Type*> types;
  for (const Variable& parameter : parameters)
    types.push_back(parameterType(parameter, context));
  return FunctionType::get(resultType(results, context), types, false);
}

void markByValue(AttributeList& attributes, const std::vector<Variable>& parameters,
                 LLVMContext& context) {
  for (unsigned i = 0; i < parameters.size(); ++i) {
    if (!isByValue(parameters[i]))
      continue;
    Type* bytes = ArrayType::get(Type::getInt8Ty(context), parameters[i].bytes());
    attributes =
        attributes.addParamAttribute(context, i, Attribute::getWithByValType(context, bytes))
            .addParamAttribute(
                context, i,
                Attribute::getWithAlignment(context, Align(std::max(parameters[i].alignment, 1u))));
  }
}

GlobalVariable* declareVariable(const Variable& variable, Module& module) {
  const bool isShared = variable.space == Space::Shared;
  const bool isDeclaration = variable.isExtern || isShared;
  auto* made =
      new GlobalVariable(module, valueTypeOf(variable, module.getContext()), false,
                         linkageOf(variable.isExtern || variable.isVisible, variable.isWeak),
                         nullptr, commonName(variable.name), nullptr, GlobalValue::NotThreadLocal,
                         addressSpaceOf(variable.space), !isShared);
  if (!variable.isExtern)
    made->setInitializer(isDeclaration ? cast<Constant>(PoisonValue::get(made->getValueType()))
                                       : Constant::getNullValue(made->getValueType()));
  if (variable.alignment != 0)
    made->setAlignment(Align(variable.alignment));
  if (variable.isManaged)
    made->setSection(managedSection);
  return made;
}

Expected<FileSymbols> declareSymbols(const File& file, Module& module) {
  FileSymbols symbols;
  for (const Variable& variable : file.variables)
    if (GlobalVariable*& known = symbols.variables[variable.name];
        known == nullptr || !variable.isExtern)
      known = declareVariable(variable, module);
  for (const bool defined : {true, false})
    for (const Function& function : file.functions)
      if (function.isDefined == defined) {
        const bool isNew = !symbols.functions.contains(function.name);
        if (!isNew && defined)
          return fail(ErrorKind::BadInput, "PTX line {}: '{}' is defined twice", function.line,
                      function.name);
        if (isNew)
          symbols.functions[function.name] = declareFunction(function, module);
      }
  for (const auto& [name, target] : file.aliases)
    if (const auto found = symbols.functions.find(target); found != symbols.functions.end())
      symbols.functions[name] = found->second;
  for (const Variable& variable : file.variables) {
    if (variable.values.empty())
      continue;
    HEDDLE_TRY(std::vector<Constant*> values, valuesOf(variable, symbols, module.getContext()));
    GlobalVariable*& made = symbols.variables[variable.name];
    made = withValue(made, filled(std::move(values), variable, module.getContext()));
  }
  return symbols;
}

} // namespace heddle::ptx
