// SPDX-License-Identifier: Apache-2.0
#include "cudart/CallPlace.h"

#include "cudart/Registry.h"
#include "frontend/Toolchain.h"

#include <fmt/format.h>
#include <llvm/DebugInfo/DIContext.h>
#include <llvm/DebugInfo/Symbolize/Symbolize.h>

#include <algorithm>
#include <string>

#include <dlfcn.h>
#include <link.h>
#include <unwind.h>

namespace heddle::cudart {
namespace {

constexpr int mostInside = 32; ///< frames of ours above the program's

/// The library or program that an address belongs to.
const link_map* moduleOf(std::uintptr_t address, Dl_info& info) {
  link_map* module = nullptr;
  const int found = dladdr1(reinterpret_cast<void*>(address), &info,
                            reinterpret_cast<void**>(&module), RTLD_DL_LINKMAP);
  return found != 0 ? module : nullptr;
}

const link_map* ownModule() {
  Dl_info info = {};
  return moduleOf(reinterpret_cast<std::uintptr_t>(&moduleOf), info);
}

struct Walk {
  CallPlace place;
  const link_map* own = nullptr;
  std::size_t kept = 0;
  int inside = 0;
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* data) {
  Walk& walk = *static_cast<Walk*>(data);
  const std::uintptr_t address = _Unwind_GetIP(context) - 1; // within the call
  Dl_info info = {};
  const link_map* const module = moduleOf(address, info);
  if (module == nullptr)
    return _URC_END_OF_STACK;
  if (module == walk.own && walk.kept == 0) {
    if (info.dli_sname != nullptr)
      walk.place.function = info.dli_sname;
    return ++walk.inside < mostInside ? _URC_NO_REASON : _URC_END_OF_STACK;
  }
  walk.place.frames[walk.kept++] = address;
  return walk.kept < CallPlace::mostFrames ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/// The stub of a kernel, which calls us for a launch. Where it is inlined, line tables call it by
/// the kernel's name.
bool isStub(std::string function) {
  if (function.find("__device_stub__") != std::string::npos)
    return true;
  function.resize(std::min(function.find_first_of("(<"), function.size()));
  return Registry::instance().hasKernel(function.substr(function.rfind(':') + 1));
}

/// The lines of one address, from what was inlined outwards.
llvm::DIInliningInfo linesOf(std::uintptr_t address, llvm::symbolize::LLVMSymbolizer& symbolizer) {
  Dl_info info = {};
  const link_map* const module = moduleOf(address, info);
  if (module == nullptr)
    return {};
  const bool isProgram = module->l_name == nullptr || *module->l_name == '\0';
  auto lines = symbolizer.symbolizeInlinedCode(
      std::string(isProgram ? "/proc/self/exe" : module->l_name),
      {address - module->l_addr, llvm::object::SectionedAddress::UndefSection});
  if (lines)
    return *lines;
  llvm::consumeError(lines.takeError());
  return {};
}

} // namespace

CallPlace CallPlace::here() {
  Walk walk;
  walk.own = ownModule();
  _Unwind_Backtrace(visit, &walk);
  return walk.place;
}

profile::SourceLocation CallPlace::find() const {
  llvm::symbolize::LLVMSymbolizer::Options options;
  options.PathStyle = llvm::DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath;
  llvm::symbolize::LLVMSymbolizer symbolizer(options);
  for (const std::uintptr_t address : frames) {
    if (address == 0)
      continue;
    const llvm::DIInliningInfo lines = linesOf(address, symbolizer);
    for (std::uint32_t i = 0; i < lines.getNumberOfFrames(); ++i) {
      const llvm::DILineInfo& line = lines.getFrame(i);
      if (line.Line != 0 && line.FileName != llvm::DILineInfo::BadString &&
          !isStub(line.FunctionName) && !frontend::isOwnHeader(line.FileName))
        return {line.FileName, int(line.Line), int(line.Column)};
    }
  }
  return {};
}

std::string callersPlace() {
  const profile::SourceLocation place = CallPlace::here().find();
  return place.line > 0 ? fmt::format("{}:{}: ", place.file, place.line) : "";
}

} // namespace heddle::cudart
