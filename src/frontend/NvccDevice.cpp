// SPDX-License-Identifier: Apache-2.0
#include "frontend/NvccDevice.h"

#include "ptx/ReadPtx.h"
#include "support/Files.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <regex>
#include <system_error>

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

/// Architectures are for machine code; PTX is made for one of them only.
bool namesArchitecture(std::string_view flag) {
  static constexpr std::array<std::string_view, 6> names = {
      "-arch", "--gpu-architecture", "-gencode", "--generate-code", "-code", "--gpu-code"};
  return std::ranges::find(names, flag.substr(0, flag.find('='))) != names.end();
}

/// The user's flags that only nvcc understands. Where they name no architecture, or several, the
/// device's.
Texts ownFlags(const CompilerFlags& flags) {
  Texts all, architectures;
  for (std::size_t i = 0; i < flags.nvcc.size(); ++i) {
    Texts& to = namesArchitecture(flags.nvcc[i]) ? architectures : all;
    to.push_back(flags.nvcc[i]);
    const bool follows = i + 1 < flags.nvcc.size() && !flags.nvcc[i + 1].starts_with('-');
    if (follows)
      to.push_back(flags.nvcc[++i]);
  }
  const auto named = std::ranges::count_if(architectures, namesArchitecture);
  if (named == 1)
    all.insert(all.end(), architectures.begin(), architectures.end());
  else
    all.push_back("-arch=" + flags.architecture);
  return all;
}

/// "900" of -arch=sm_90, compute_90a or -gencode arch=compute_90,code=sm_90. The flag may stand
/// apart from its value; what names one stands last.
std::string architectureNumber(const CompilerFlags& flags) {
  static const std::regex name("(?:sm|compute|lto)_([0-9]+)");
  std::string number = "90";
  for (const std::string& flag : ownFlags(flags))
    if (std::smatch found; std::regex_search(flag, found, name))
      number = found[1];
  return number + "0";
}

/// Beside the folder of an nvcc.
fs::path toolkitHeaders(const fs::path& nvcc) {
  std::error_code error;
  const fs::path real = fs::canonical(nvcc, error);
  return (error ? nvcc : real).parent_path().parent_path() / "include";
}

Texts flagsFor(const CompilerFlags& flags) {
  Texts words = {"-ptx", "-lineinfo", "-w"}; // warnings are the host compiler's
  const Texts own = ownFlags(flags);
  words.insert(words.end(), own.begin(), own.end());
  words.push_back("-std=" + flags.standard);
  words.insert(words.end(), {"-x", "cu"});
  if (!flags.device.empty())
    words.emplace_back("-fmad=false");
  for (std::size_t i = 0; i < flags.common.size(); ++i)
    if (flags.common[i] == "-iquote") { // nvcc knows no folders for quoted names alone
      words.emplace_back("-I");
      words.push_back(flags.common.at(++i));
    } else {
      words.push_back(flags.common[i]);
    }
  return words;
}

/// What clang needs to see what nvcc sees.
Texts toolkitFlags(const fs::path& nvcc, const CompilerFlags& flags) {
  std::error_code error;
  const fs::path headers = toolkitHeaders(nvcc), own = headers / "cccl"; // CUDA 13's place
  const fs::path libraries = fs::is_directory(own, error) ? own : headers;
  return {"-isystem", // before CUB and Thrust of the system, which may be others
          libraries.string(), "-idirafter", headers.string(),
          "-D__CUDA_ARCH_LIST__=" + architectureNumber(flags), "-Xclang",
          "-fcuda-allow-variadic-functions", // as nvcc does
          // Since 18 clang writes the concept of a template's parameter into names.
          "-fclang-abi-compat=17"};
}

} // namespace

Texts nvccCommand(const fs::path& nvcc, const Toolchain& toolchain, const CompilerFlags& flags,
                  const std::string& source) {
  Texts words = {nvcc.string()};
  const Texts more = flagsFor(flags);
  words.insert(words.end(), more.begin(), more.end());
  words.insert(words.end(), {"-I", toolchain.libraryFolder().string(), source});
  return words;
}

std::string ptxOfNvcc(std::string made, const CompilerFlags& flags) {
  if (!flags.device.empty())
    made += ptx::apartMark;
  return made;
}

CompilerFlags hostFlagsWith(const fs::path& nvcc, CompilerFlags flags) {
  if (!nvcc.empty())
    std::ranges::copy(toolkitFlags(nvcc, flags), std::back_inserter(flags.host));
  return flags;
}

CompilerFlags deviceFlagsWith(const fs::path& nvcc, CompilerFlags flags) {
  std::ranges::copy(toolkitFlags(nvcc, flags), std::back_inserter(flags.device));
  return flags;
}

std::string nvccIdentity(const fs::path& nvcc, const CompilerFlags& flags) {
  return fmt::format("PTX {} {}{}", fileIdentity(nvcc), fmt::join(flagsFor(flags), " "),
                     ptxOfNvcc("", flags));
}

} // namespace heddle::frontend
