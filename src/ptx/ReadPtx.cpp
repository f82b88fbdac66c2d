// SPDX-License-Identifier: Apache-2.0
//
// Steps:
//   1. parse
//   2. variables and functions; then the bodies, with registers as variables
//   3. registers become SSA values (SROA), and nothing else is optimised
//   4. sums of numbers that are addresses become pointers again
#include "ptx/ReadPtx.h"

#include "ir/RunPasses.h"
#include "ptx/AddressForms.h"
#include "ptx/DeviceRuntime.h"
#include "ptx/FunctionLowering.h"
#include "ptx/FuseProducts.h"
#include "ptx/Lexer.h"
#include "ptx/Parser.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/SROA.h>

namespace heddle::ptx {
namespace {

constexpr const char* layout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64";

void makeValues(llvm::Module& module) {
  llvm::FunctionPassManager each;
  each.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  each.addPass(AddressForms());
  each.addPass(llvm::DCEPass());
  llvm::ModulePassManager all;
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(each)));
  ir::PassRunner().run(module, all);
}

} // namespace

bool isPtx(std::string_view text) {
  text = withoutMark(text);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && !line.substr(first).starts_with("//"))
      return line.substr(first).starts_with(".version");
    at = end + 1;
  }
  return false;
}

Expected<std::unique_ptr<llvm::Module>> readPtx(std::string_view text, const std::string& origin,
                                                llvm::LLVMContext& context) {
  // Step 1
  auto parsed = parse(text);
  if (parsed && parsed->version.empty())
    parsed = fail(ErrorKind::BadInput, "PTX has a '.version', and this has none");
  if (!parsed)
    return tl::unexpected(within(origin, std::move(parsed).error()));
  // Step 2
  auto module = std::make_unique<llvm::Module>(origin, context);
  module->setTargetTriple("nvptx64-nvidia-cuda");
  module->setDataLayout(layout);
  auto symbols = declareSymbols(*parsed, *module);
  if (!symbols)
    return tl::unexpected(within(origin, std::move(symbols).error()));
  DebugLocations places(*parsed, *module, origin);
  for (const Function& function : parsed->functions)
    if (function.isDefined)
      FunctionLowering(function, *symbols->functions.at(function.name), *symbols, places).run();
  places.finish();
  defineDeviceRuntime(*module);
  if (parsed->isForDebugging || text.ends_with(apartMark))
    forbidFusion(*module);
  // Steps 3 and 4
  std::string fault;
  llvm::raw_string_ostream stream(fault);
  if (llvm::verifyModule(*module, &stream))
    return fail(ErrorKind::Unsupported, "{}: {}", origin, fault);
  makeValues(*module);
  return module;
}

} // namespace heddle::ptx
