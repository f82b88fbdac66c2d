// SPDX-License-Identifier: Apache-2.0
#include "driver/DeviceCode.h"

#include "frontend/Ptxas.h"
#include "gpu/Nvcc.h"
#include "ptx/ReadPtx.h"
#include "support/Files.h"
#include "support/Parse.h"
#include "support/Subprocess.h"
#include "support/TemporaryFolder.h"

#include <cstdlib>
#include <utility>

namespace heddle::driver {
namespace {

constexpr const char* unknownPtx = "nvcc's has instructions that Heddle does not run";

/// What nvcc calls the device, or the next newer one that it knows.
std::string architectureFor(const std::filesystem::path& nvcc, const machine::Device& device) {
  constexpr const char* usual = "sm_90"; // which every nvcc knows that makes PTX for today's GPUs
  const int capability = device.limits.computeCapability.number();
  if (capability == 90)
    return usual;
  const auto folder = TemporaryFolder::make();
  if (!folder)
    return usual;
  const std::filesystem::path list = folder->path() / "architectures";
  auto child = Subprocess::start({nvcc.string(), "--help"}, {.outputFile = list.string()});
  if (!child || child->wait().exitCode != 0)
    return usual;
  const auto text = readFile(list);
  const auto nearest =
      text ? frontend::nearestArchitecture(frontend::knownArchitectures(*text), capability)
           : std::nullopt;
  return nearest ? fmt::format("sm_{}", *nearest) : usual;
}

/// The first line that says what is wrong, of what was printed and of the error behind it.
std::string reasonOf(const std::string& printed, const Error& error) {
  const std::string plain = frontend::Diagnostics{}.styled(printed);
  for (const std::string_view text : {std::string_view(plain), std::string_view(error.message)})
    for (const std::string_view line : splitText(text, '\n'))
      if (line.find("error") != std::string_view::npos)
        return std::string(line);
  return error.message.substr(0, error.message.find('\n'));
}

void setArchitecture(frontend::CompileOptions& options, const std::string& architecture) {
  options.flags.architecture = architecture;
}

void setArchitecture(frontend::BuildOptions& options, const std::string& architecture) {
  options.program.changeFlags(
      [&](frontend::CompilerFlags& each) { each.architecture = architecture; });
}

/// Tries what nvcc makes, without a word; where that does not do, says what clang has to say.
template <typename Options, typename Made>
Expected<Made> tryBoth(Options options, DeviceCode& code,
                       const std::function<Expected<Made>(const Options&)>& make,
                       const std::function<std::string(const Made&)>& complaint) {
  options.nvcc = code.nvcc;
  setArchitecture(options, code.architecture);
  if (code.nvcc.empty() || !code.mayBeClang)
    return make(options);
  const frontend::Diagnostics shown = options.diagnostics;
  std::string printed;
  if (shown.print)
    options.diagnostics.print = [&](std::string_view text) { printed += text; };
  auto made = make(options);
  code.whyClang = made ? complaint(*made)
                       : fmt::format("nvcc does not take it: {}", reasonOf(printed, made.error()));
  if (code.whyClang.empty()) {
    if (!printed.empty())
      shown.print(printed);
    return made;
  }
  code.nvcc = options.nvcc = std::filesystem::path();
  options.diagnostics = shown;
  return make(options);
}

std::string otherCaptures(const std::string& kernel) {
  return fmt::format("nvcc's has other captures in the lambda of kernel '{}' than the host's "
                     "compiler: constants, too",
                     frontend::plainKernelName(kernel));
}

/// What is built, unless nvcc's code was asked for by name and would read what is not there.
template <typename Built> Expected<Built> unlessUnsafe(Expected<Built> built, bool mayBeClang) {
  if (built && !mayBeClang && !built->laidOutOtherwise.empty())
    return fail(ErrorKind::Unsupported, "{} (--device-code clang runs it; or capture by name)",
                otherCaptures(built->laidOutOtherwise.front()));
  return built;
}

/// Why what nvcc has made does not do; empty: it does.
template <typename Built> std::string complaintAbout(const Built& built) {
  if (!built.missing.empty())
    return fmt::format("nvcc's has no kernel '{}'", built.missing.front());
  if (!built.laidOutOtherwise.empty())
    return otherCaptures(built.laidOutOtherwise.front());
  return built.hasUnknownPtx ? unknownPtx : "";
}

std::string choiceOf(const std::string& wanted) {
  const char* setting = std::getenv("HEDDLE_DEVICE_CODE");
  const std::string named = setting != nullptr && *setting != '\0' ? setting : "auto";
  return wanted.empty() ? named : wanted;
}

} // namespace

Expected<DeviceCode> chooseDeviceCode(const std::string& wanted, const machine::Device& device) {
  const std::string choice = choiceOf(wanted);
  if (choice == "clang" || (choice == "auto" && !gpu::mayUseNvcc()))
    return DeviceCode{};
  if (choice != "nvcc" && choice != "auto")
    return fail(ErrorKind::BadInput, "HEDDLE_DEVICE_CODE: '{}': expected nvcc, clang or auto",
                choice);
  auto found = gpu::findNvcc();
  if (found) {
    const std::string architecture = architectureFor(*found, device);
    return DeviceCode{*std::move(found), choice == "auto", architecture, ""};
  }
  if (choice == "auto" && found.error().kind == ErrorKind::NotFound)
    return DeviceCode{};
  return tl::unexpected(within("device code by nvcc", std::move(found).error()));
}

Expected<frontend::BuiltProgram> buildWith(DeviceCode& code, const frontend::BuildOptions& options,
                                           const std::filesystem::path& folder) {
  return tryBoth<frontend::BuildOptions, frontend::BuiltProgram>(
      options, code,
      [&](const frontend::BuildOptions& each) {
        return unlessUnsafe(frontend::buildProgram(each, folder), code.mayBeClang);
      },
      complaintAbout<frontend::BuiltProgram>);
}

Expected<frontend::BuiltObject> objectWith(DeviceCode& code, const frontend::BuildOptions& options,
                                           const std::filesystem::path& folder) {
  return tryBoth<frontend::BuildOptions, frontend::BuiltObject>(
      options, code,
      [&](const frontend::BuildOptions& each) {
        return unlessUnsafe(frontend::buildObject(each, each.program.files.front(), folder),
                            code.mayBeClang);
      },
      complaintAbout<frontend::BuiltObject>);
}

Expected<frontend::DeviceModule> compileWith(DeviceCode& code, const std::string& file,
                                             const frontend::CompileOptions& options) {
  return tryBoth<frontend::CompileOptions, frontend::DeviceModule>(
      options, code,
      [&](const frontend::CompileOptions& each) -> Expected<frontend::DeviceModule> {
        HEDDLE_TRY(const std::string made, frontend::compileDevice(file, each));
        return frontend::parseDeviceModule(made, file);
      },
      [](const frontend::DeviceModule& made) -> std::string {
        return made.module->getFunction(ptx::refusedName) != nullptr ? unknownPtx : "";
      });
}

std::string deviceCodeLine(const DeviceCode& code) {
  if (code.nvcc.empty())
    return code.whyClang.empty() ? "" : fmt::format("device code by clang: {}\n", code.whyClang);
  return fmt::format("device code by nvcc ({})\n", code.nvcc.string());
}

} // namespace heddle::driver
