// SPDX-License-Identifier: Apache-2.0
#include "driver/DeviceCode.h"

#include "gpu/Nvcc.h"
#include "ptx/ReadPtx.h"

#include <cstdlib>
#include <utility>

namespace heddle::driver {
namespace {

/// Tries what nvcc makes, without a word; where that does not do, says what clang has to say.
template <typename Options, typename Made>
Expected<Made> tryBoth(Options options, DeviceCode& code,
                       const std::function<Expected<Made>(const Options&)>& make,
                       const std::function<bool(const Made&)>& isGood) {
  options.nvcc = code.nvcc;
  if (code.nvcc.empty() || !code.mayBeClang)
    return make(options);
  const frontend::Diagnostics shown = options.diagnostics;
  std::string printed;
  if (shown.print)
    options.diagnostics.print = [&](std::string_view text) { printed += text; };
  if (auto made = make(options); made && isGood(*made)) {
    if (!printed.empty())
      shown.print(printed);
    return made;
  }
  code.nvcc = options.nvcc = std::filesystem::path();
  options.diagnostics = shown;
  return make(options);
}

std::string choiceOf(const std::string& wanted) {
  const char* setting = std::getenv("HEDDLE_DEVICE_CODE");
  const std::string named = setting != nullptr && *setting != '\0' ? setting : "auto";
  return wanted.empty() ? named : wanted;
}

} // namespace

Expected<DeviceCode> chooseDeviceCode(const std::string& wanted) {
  const std::string choice = choiceOf(wanted);
  if (choice == "clang" || (choice == "auto" && !gpu::mayUseNvcc()))
    return DeviceCode{};
  if (choice != "nvcc" && choice != "auto")
    return fail(ErrorKind::BadInput, "HEDDLE_DEVICE_CODE: '{}': expected nvcc, clang or auto",
                choice);
  auto found = gpu::findNvcc();
  if (found)
    return DeviceCode{*std::move(found), choice == "auto"};
  if (choice == "auto" && found.error().kind == ErrorKind::NotFound)
    return DeviceCode{};
  return tl::unexpected(within("device code by nvcc", std::move(found).error()));
}

Expected<frontend::BuiltProgram> buildWith(DeviceCode& code, const frontend::BuildOptions& options,
                                           const std::filesystem::path& folder) {
  return tryBoth<frontend::BuildOptions, frontend::BuiltProgram>(
      options, code,
      [&](const frontend::BuildOptions& each) { return frontend::buildProgram(each, folder); },
      [](const frontend::BuiltProgram& built) { return !built.hasUnknownPtx; });
}

Expected<frontend::DeviceModule> compileWith(DeviceCode& code, const std::string& file,
                                             const frontend::CompileOptions& options) {
  return tryBoth<frontend::CompileOptions, frontend::DeviceModule>(
      options, code,
      [&](const frontend::CompileOptions& each) -> Expected<frontend::DeviceModule> {
        HEDDLE_TRY(const std::string made, frontend::compileDevice(file, each));
        return frontend::parseDeviceModule(made, file);
      },
      [](const frontend::DeviceModule& made) {
        return made.module->getFunction(ptx::refusedName) == nullptr;
      });
}

std::string deviceCodeLine(const DeviceCode& code) {
  return code.nvcc.empty() ? "" : fmt::format("device code by nvcc ({})\n", code.nvcc.string());
}

} // namespace heddle::driver
