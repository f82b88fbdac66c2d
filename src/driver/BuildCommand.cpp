// SPDX-License-Identifier: Apache-2.0
#include "driver/BuildCommand.h"

#include <algorithm>
#include <filesystem>

namespace heddle::driver {
namespace {

bool usesLibrary(const ChangedFiles& changed) {
  return std::ranges::any_of(changed, [](const auto& file) {
    return file.second.find("#include <heddle/") != std::string::npos ||
           file.second.find("#include \"heddle/") != std::string::npos;
  });
}

} // namespace

std::string shellWord(const std::string& word) {
  static constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789@%+=:,./_-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos)
    return word;
  std::string text = "'";
  for (const char letter : word)
    text += letter == '\'' ? "'\\''" : std::string(1, letter);
  return text + "'";
}

std::string buildCommand(const RunOptions& options, const ChangedFiles& changed) {
  if (!options.program.executable.empty()) // somebody else's business
    return usesLibrary(changed) ? "what built it, with -I \"$(heddle include)\" besides" : "";
  const frontend::CompilerFlags& flags = options.program.flags;
  std::string command = "nvcc";
  const auto add = [&](const std::string& word) { command += " " + shellWord(word); };
  for (const std::string& flag : flags.nvcc)
    add(flag);
  if (flags.standard != frontend::CompilerFlags().standard)
    add("-std=" + flags.standard);
  if (!flags.device.empty())
    add("-fmad=false");
  for (const std::string& flag : flags.common)
    add(flag);
  for (const std::string& flag : flags.host) {
    add("-Xcompiler");
    add(flag);
  }
  if (usesLibrary(changed))
    command += " -I \"$(heddle include)\"";
  for (const std::string& file : options.program.files)
    add(file);
  for (const std::string& flag : flags.link)
    add(flag);
  add("-o");
  add(std::filesystem::path(options.program.files.front()).stem().string());
  return command;
}

} // namespace heddle::driver
