// SPDX-License-Identifier: Apache-2.0
//
// Steps for each call:
//   1. a PTX function around the text: a register for each operand, inputs as parameters
//   2. its body becomes a function of the module, which gives back the registers of the outputs
//   3. that function is inlined; what it has takes the place in the source of the call
// A function whose text has an `exit` is inlined before, up to the kernel: only there can a thread
// end.
#include "ptx/InlinePtx.h"

#include "ir/Kernels.h"
#include "ir/RunPasses.h"
#include "ptx/BlockMark.h"
#include "ptx/FunctionLowering.h"
#include "ptx/Parser.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <set>

namespace heddle::ptx {
namespace {

constexpr const char* registerName = "%heddle_io";

struct InlineText {
  std::string text; ///< of a file with one function
  std::vector<std::string> outputs;
};

unsigned registerBits(const llvm::Type& type) {
  const unsigned bits = type.isPointerTy() ? 64 : unsigned(type.getPrimitiveSizeInBits());
  return bits == 16 || bits == 32 || bits == 64 ? bits : 0;
}

/// `$0` and `${0:x}` are operands, `$$` is a dollar; nothing where something else follows.
std::optional<std::string> withNames(llvm::StringRef text, llvm::ArrayRef<std::string> names) {
  std::string result;
  while (!text.empty()) {
    const std::size_t dollar = text.find('$');
    result += text.substr(0, dollar);
    if (dollar == llvm::StringRef::npos)
      break;
    text = text.drop_front(dollar + 1);
    if (text.consume_front("$")) {
      result += '$';
      continue;
    }
    const bool braced = text.consume_front("{");
    unsigned number = 0;
    if (text.consumeInteger(10, number) || number >= names.size())
      return std::nullopt;
    if (braced)
      text = text.drop_front(std::min(text.find('}'), text.size() - 1) + 1);
    result += names[number];
  }
  return result;
}

/// Step 1; nothing where an operand is in memory or of a type that no register has.
std::optional<InlineText> textOf(const llvm::CallInst& call) {
  const auto& code = *llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  InlineText result;
  std::vector<std::string> names;
  std::string declared, parameters, loads;
  unsigned input = 0;
  const auto declare = [&](unsigned bits) {
    names.push_back(fmt::format("{}{}", registerName, names.size()));
    declared += fmt::format(".reg .b{} {};\n", bits, names.back());
    return bits != 0;
  };
  for (const auto& each : code.ParseConstraints()) {
    if (each.isIndirect || each.Type == llvm::InlineAsm::isLabel)
      return std::nullopt;
    if (each.Type == llvm::InlineAsm::isClobber)
      continue;
    if (each.Type == llvm::InlineAsm::isOutput) {
      llvm::Type* all = call.getType();
      llvm::Type* type =
          all->isStructTy() ? all->getStructElementType(unsigned(names.size())) : all;
      if (!declare(registerBits(*type)))
        return std::nullopt;
      result.outputs.push_back(names.back());
      continue;
    }
    const unsigned index = input++;
    const llvm::Value* argument = call.getArgOperand(index);
    const unsigned bits = registerBits(*argument->getType());
    const llvm::StringRef kind = each.Codes.empty() ? "" : llvm::StringRef(each.Codes.front());
    if (bits == 0)
      return std::nullopt;
    parameters += fmt::format("{}.param .b{} in{}", index == 0 ? "" : ", ", bits, index);
    unsigned tied = 0;
    std::string target;
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(argument);
    if (!kind.getAsInteger(10, tied) && tied < result.outputs.size()) {
      target = result.outputs[tied];
      names.push_back(target);
    } else if (known != nullptr && (kind == "n" || kind == "i")) {
      names.push_back(fmt::format("{}", known->getSExtValue()));
    } else {
      declare(bits);
      target = names.back();
    }
    if (!target.empty())
      loads += fmt::format("ld.param.b{} {}, [in{}];\n", bits, target, index);
  }
  const auto body = withNames(code.getAsmString(), names);
  if (!body)
    return std::nullopt;
  result.text = fmt::format(".version 8.0\n.target sm_90\n.address_size 64\n"
                            ".func heddle_inline({}) {{\n{}{}{}\n;}}\n",
                            parameters, declared, loads, *body);
  return result;
}

void makeValues(llvm::Function& function) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::DCEPass());
  ir::PassRunner().run(function, passes);
}

/// The places and marks of the PTX mean nothing here.
void forgetLines(llvm::Function& function) {
  function.setSubprogram(nullptr);
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
      instruction.setDebugLoc(llvm::DebugLoc());
      if (markOf(instruction))
        instruction.eraseFromParent();
    }
}

constexpr const char* exitName = "heddle.exit"; ///< is gone when this file has done its work

/// Step 2; nothing where the text is no PTX.
llvm::Function* functionOf(const llvm::CallInst& call, const InlineText& inlined,
                           llvm::Module& module, bool inKernel) {
  const auto file = parse(inlined.text);
  if (!file || file->functions.size() != 1)
    return nullptr;
  llvm::SmallVector<llvm::Type*, 8> types;
  for (const llvm::Value* argument : call.args())
    types.push_back(argument->getType()->isPointerTy() ? llvm::Type::getInt64Ty(module.getContext())
                                                       : argument->getType());
  llvm::Function* made =
      llvm::Function::Create(llvm::FunctionType::get(call.getType(), types, false),
                             llvm::GlobalValue::InternalLinkage, "heddle.inline", module);
  llvm::Module lines("inline", module.getContext());
  DebugLocations places(*file, lines, "inline PTX");
  const FileSymbols symbols;
  FunctionLowering lowering(file->functions.front(), *made, symbols, places);
  lowering.returnRegisters(inlined.outputs);
  if (inKernel) {
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false);
    lowering.exitByCalling(
        *llvm::cast<llvm::Function>(module.getOrInsertFunction(exitName, type).getCallee()));
  }
  lowering.run();
  forgetLines(*made);
  makeValues(*made);
  return made;
}

/// Step 3
void replace(llvm::CallInst& call, llvm::Function& function) {
  llvm::IRBuilder<> builder(&call);
  llvm::SmallVector<llvm::Value*, 8> arguments;
  for (llvm::Value* argument : call.args())
    arguments.push_back(argument->getType()->isPointerTy()
                            ? builder.CreatePtrToInt(argument, builder.getInt64Ty())
                            : argument);
  llvm::CallInst* made = builder.CreateCall(&function, arguments);
  call.replaceAllUsesWith(made);
  call.eraseFromParent();
  llvm::InlineFunctionInfo info;
  llvm::InlineFunction(*made, info);
  function.eraseFromParent();
}

std::vector<llvm::CallInst*> asmCallsOf(llvm::Function& function) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block)
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call != nullptr && call->isInlineAsm())
        calls.push_back(call);
  return calls;
}

bool hasExit(llvm::Function& function) {
  return llvm::any_of(asmCallsOf(function), [](const llvm::CallInst* call) {
    const auto& code = *llvm::cast<llvm::InlineAsm>(call->getCalledOperand());
    return llvm::StringRef(code.getAsmString()).contains("exit;");
  });
}

/// Into whoever calls it by its name. What calls itself stays.
bool inlineInto(llvm::Function& function) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::User* user : function.users())
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user); call != nullptr &&
                                                           call->getCalledFunction() == &function &&
                                                           call->getFunction() != &function)
      calls.push_back(call);
  bool any = false;
  for (llvm::CallInst* call : calls) {
    llvm::InlineFunctionInfo info;
    any |= llvm::InlineFunction(*call, info).isSuccess();
  }
  return any;
}

void inlineWhatExits(llvm::Module& module, const std::set<llvm::Function*>& kernels) {
  for (bool any = true; any;) {
    any = false;
    for (llvm::Function& function : module)
      if (!kernels.contains(&function) && hasExit(function))
        any |= inlineInto(function);
  }
}

/// A kernel returns where its text said `exit`.
void endAtExits(llvm::Module& module) {
  llvm::Function* const marker = module.getFunction(exitName);
  if (marker == nullptr)
    return;
  std::set<llvm::Function*> changed;
  while (!marker->use_empty()) {
    auto* call = llvm::cast<llvm::CallInst>(*marker->user_begin());
    changed.insert(call->getFunction());
    llvm::BasicBlock* block = call->getParent();
    block->splitBasicBlock(call);
    block->getTerminator()->eraseFromParent();
    llvm::IRBuilder<>(block).CreateRetVoid()->setDebugLoc(call->getDebugLoc());
    call->eraseFromParent();
  }
  marker->eraseFromParent();
  for (llvm::Function* function : changed)
    llvm::removeUnreachableBlocks(*function);
}

} // namespace

void lowerInlinePtx(llvm::Module& module) {
  const std::vector<llvm::Function*> all = ir::kernelsOf(module);
  const std::set<llvm::Function*> kernels(all.begin(), all.end());
  inlineWhatExits(module, kernels);
  std::vector<llvm::CallInst*> calls;
  for (llvm::Function& function : module)
    llvm::append_range(calls, asmCallsOf(function));
  for (llvm::CallInst* call : calls) {
    const auto inlined = textOf(*call);
    const bool inKernel = kernels.contains(call->getFunction());
    llvm::Function* function = inlined ? functionOf(*call, *inlined, module, inKernel) : nullptr;
    if (function != nullptr)
      replace(*call, *function);
  }
  endAtExits(module);
}

} // namespace heddle::ptx
