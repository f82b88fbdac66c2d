// SPDX-License-Identifier: Apache-2.0
#include "frontend/ClangRun.h"

#include "frontend/MissingHeader.h"
#include "frontend/Prelude.h"
#include "support/Files.h"
#include "support/Parse.h"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

std::string withoutColors(std::string_view text) {
  std::string result;
  bool inEscape = false;
  for (const char letter : text) {
    if (letter == '\x1b')
      inEscape = true;
    if (!inEscape)
      result += letter;
    if (inEscape && ((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')))
      inEscape = false;
  }
  return result;
}

/// Without "2 warnings generated when compiling for sm_90.": there is no sm_90 here.
std::string withoutCounts(std::string_view text) {
  std::string result;
  for (const std::string_view line : splitText(text, '\n')) {
    const std::string plain = withoutColors(line);
    const bool isCount = !plain.empty() && plain[0] >= '0' && plain[0] <= '9' &&
                         plain.find(" generated") != std::string::npos;
    if (!isCount)
      result += std::string(line) + "\n";
    else if (line.find('\x1b') != std::string_view::npos && !result.empty())
      result.insert(result.size() - 1, "\x1b[0m"); // it ended the colours of the line before
  }
  result.erase(result.find_last_not_of('\n') + 1);
  return result.empty() ? "" : result + "\n";
}

} // namespace

std::string Diagnostics::styled(std::string text) const {
  return colored ? std::move(text) : withoutColors(text);
}

Error compileError(const std::string& what, const std::string& text, const Diagnostics& to) {
  if (const std::string missing = missingHeader(withoutColors(text)); !missing.empty())
    return {ErrorKind::Unsupported, missing};
  if (const std::string launch = launchOnDevice(withoutColors(text)); !launch.empty())
    return {ErrorKind::Unsupported, launch};
  if (const std::string value = sharedInitialValue(withoutColors(text)); !value.empty())
    return {ErrorKind::BadInput, value};
  if (const std::string reference = textureReference(withoutColors(text)); !reference.empty())
    return {ErrorKind::Unsupported, reference};
  const std::string foreign = microsoftName(withoutColors(text));
  const std::string said = foreign.empty() ? what : fmt::format("{}: {}", what, foreign);
  if (!to.print)
    return {ErrorKind::BadInput, fmt::format("{}:\n{}", said, withoutColors(text))};
  to.print(to.styled(text));
  return {ErrorKind::BadInput, said};
}

fs::path ClangRun::file(const char* extension) const {
  return fs::path(base_).concat(extension);
}

Expected<ClangRun> ClangRun::start(const Toolchain& toolchain, Pass pass,
                                   const CompilerFlags& flags, const std::string& source,
                                   const fs::path& folder, Prelude prelude,
                                   std::optional<int> embedded) {
  const fs::path base = folder / (pass == Pass::Device ? "device" : "host");
  const auto precompiled = prelude == Prelude::Precompiled
                               ? precompiledPrelude(toolchain, pass, flags, folder)
                               : std::nullopt;
  std::vector<std::string> command = toolchain.command(pass, flags, source, precompiled);
  if (embedded)
    command.insert(command.end(), {"-Xclang", "-fcuda-include-gpubinary", "-Xclang",
                                   fmt::format("/dev/fd/{}", Subprocess::inputDescriptor)});
  HEDDLE_TRY(ClangRun run, start(std::move(command), base, embedded));
  run.prelude_ = precompiled ? Prelude::Precompiled : Prelude::Included;
  return run;
}

Expected<ClangRun> ClangRun::start(std::vector<std::string> command, const fs::path& base,
                                   std::optional<int> input) {
  command.insert(command.end(), {"-o", base.string() + ".out", "-MD", "-MF", base.string() + ".d"});
  SubprocessOptions options;
  options.outputFile = base.string() + ".log";
  options.input = input;
  const auto now = fs::file_time_type::clock::now();
  auto process = Subprocess::start(command, options);
  if (!process)
    return fail(ErrorKind::Io, "{}; CUDA programs need clang 19 (Debian: apt install clang-19)",
                process.error().message);
  return ClangRun(*std::move(process), base, now);
}

Expected<ClangResult> ClangRun::finish() {
  const SubprocessEnd end = process_.wait();
  if (end.signal != 0)
    return fail(ErrorKind::Io, "the compiler was ended by signal {}", end.signal);
  ClangResult result;
  result.started = started_;
  result.prelude = prelude_;
  HEDDLE_TRY(const std::string log, readFile(file(".log")));
  result.diagnostics = withoutCounts(log);
  result.failed = end.exitCode != 0;
  if (result.failed)
    return result;
  HEDDLE_TRY(result.content, readFile(file(".out")));
  HEDDLE_TRY(const std::string rule, readFile(file(".d")));
  result.dependencies = parseDependencies(rule);
  return result;
}

} // namespace heddle::frontend
