// SPDX-License-Identifier: Apache-2.0
//
// What says what to make stands in a table here; what says how to compile is CompilerFlags'.
#include "frontend/NvccCommandLine.h"

#include "frontend/BuildCommands.h"
#include "support/Files.h"
#include "support/NearestName.h"
#include "support/Parse.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace heddle::frontend {
namespace {

using Goal = NvccCommandLine::Goal;
using Texts = std::vector<std::string>;
using ApplyOption = void (*)(NvccCommandLine& line, const std::string& value);

template <Goal goal> void aim(NvccCommandLine& line, const std::string&) {
  line.goal = goal;
}

void aimAtRelocatable(NvccCommandLine& line, const std::string&) {
  line.goal = Goal::Objects;
  line.flags.makeRelocatable();
}

template <std::string NvccCommandLine::* member>
void setText(NvccCommandLine& line, const std::string& value) {
  line.*member = value;
}

template <bool NvccCommandLine::* member> void setTrue(NvccCommandLine& line, const std::string&) {
  line.*member = true;
}

void addTarget(NvccCommandLine& line, const std::string& value) {
  line.targets.push_back(value);
}

void ignoreOption(NvccCommandLine&, const std::string&) {}

struct Option {
  std::string_view name;
  bool takesValue;
  ApplyOption apply;
};

constexpr Option options[] = {
    {"-o", true, setText<&NvccCommandLine::output>},
    {"--output-file", true, setText<&NvccCommandLine::output>},
    {"-odir", true, setText<&NvccCommandLine::folder>},
    {"--output-directory", true, setText<&NvccCommandLine::folder>},
    {"-c", false, aim<Goal::Objects>},
    {"--compile", false, aim<Goal::Objects>},
    {"-dc", false, aimAtRelocatable},
    {"--device-c", false, aimAtRelocatable},
    {"-dw", false, aim<Goal::Objects>},
    {"--device-w", false, aim<Goal::Objects>},
    {"-dlink", false, aim<Goal::DeviceLink>},
    {"--device-link", false, aim<Goal::DeviceLink>},
    {"-lib", false, aim<Goal::Archive>},
    {"--lib", false, aim<Goal::Archive>},
    {"-link", false, aim<Goal::Program>},
    {"--link", false, aim<Goal::Program>},
    {"-E", false, aim<Goal::Preprocessed>},
    {"--preprocess", false, aim<Goal::Preprocessed>},
    {"-M", false, aim<Goal::Dependencies>},
    {"-MM", false, aim<Goal::Dependencies>},
    {"--generate-dependencies", false, aim<Goal::Dependencies>},
    {"--generate-nonsystem-dependencies", false, aim<Goal::Dependencies>},
    {"-V", false, aim<Goal::Version>},
    {"--version", false, aim<Goal::Version>},
    {"-MD", false, setTrue<&NvccCommandLine::wantsDependencies>},
    {"-MMD", false, setTrue<&NvccCommandLine::wantsDependencies>},
    {"--generate-dependencies-with-compile", false, setTrue<&NvccCommandLine::wantsDependencies>},
    {"--generate-nonsystem-dependencies-with-compile", false,
     setTrue<&NvccCommandLine::wantsDependencies>},
    {"-MF", true, setText<&NvccCommandLine::dependencyFile>},
    {"--dependency-output", true, setText<&NvccCommandLine::dependencyFile>},
    {"-MT", true, addTarget},
    {"-MQ", true, addTarget},
    {"--dependency-target-name", true, addTarget},
    {"-MP", false, ignoreOption},
    {"-shared", false, setTrue<&NvccCommandLine::shared>},
    {"--shared", false, setTrue<&NvccCommandLine::shared>},
    {"-v", false, setTrue<&NvccCommandLine::verbose>},
    {"--verbose", false, setTrue<&NvccCommandLine::verbose>},
    {"-dryrun", false, setTrue<&NvccCommandLine::dryRun>},
    {"--dryrun", false, setTrue<&NvccCommandLine::dryRun>},
    {"-forward-unknown-to-host-compiler", false, setTrue<&NvccCommandLine::forwardsUnknown>},
    {"--forward-unknown-to-host-compiler", false, setTrue<&NvccCommandLine::forwardsUnknown>},
    {"-forward-unknown-opts", false, setTrue<&NvccCommandLine::forwardsUnknown>},
    {"--forward-unknown-opts", false, setTrue<&NvccCommandLine::forwardsUnknown>},
    {"-keep", false, ignoreOption},
    {"--keep", false, ignoreOption},
    {"-keep-dir", true, ignoreOption},
    {"--keep-dir", true, ignoreOption},
    {"-t", true, ignoreOption},
    {"--threads", true, ignoreOption},
    {"-time", true, ignoreOption},
    {"--time", true, ignoreOption},
    {"-Xarchive", true, ignoreOption},
    {"--archive-options", true, ignoreOption},
};

/// What nvcc makes for a GPU, and nobody here could run.
constexpr std::array<std::string_view, 14> foreignGoals = {
    "-ptx",   "--ptx",     "-cubin",     "--cubin", "-fatbin", "--fatbin", "-cuda",
    "--cuda", "-optix-ir", "--optix-ir", "-ltoir",  "--ltoir", "-run",     "--run"};

constexpr std::array<std::string_view, 4> foreignInputs = {".ptx", ".cubin", ".fatbin", ".ltoir"};

class Reader {
public:
  Expected<void> read(std::span<const std::string> arguments, int depth = 0) {
    for (std::size_t at = 0; at < arguments.size();) {
      HEDDLE_TRY(const std::size_t taken, take(arguments.subspan(at), depth));
      at += taken;
    }
    return {};
  }

  NvccCommandLine line;

private:
  Expected<std::size_t> take(std::span<const std::string> arguments, int depth) {
    const std::string& argument = arguments.front();
    HEDDLE_TRY(const std::size_t files, takeResponseFile(arguments, depth));
    if (files > 0)
      return files;
    if (!argument.starts_with('-') || argument == "-")
      return takeInput(argument);
    HEDDLE_TRY(const std::size_t own, takeOption(arguments));
    if (own > 0)
      return own;
    if (std::ranges::find(foreignGoals, argument) != foreignGoals.end())
      return fail(ErrorKind::Unsupported,
                  "{}: heddle cc makes objects, libraries and programs that run on the engine; "
                  "nvcc makes code for a GPU",
                  argument);
    HEDDLE_TRY(const std::size_t flags, takeCompilerFlag(arguments, line.flags));
    return flags > 0 ? Expected<std::size_t>(flags) : takeUnknown(argument);
  }

  Expected<std::size_t> takeResponseFile(std::span<const std::string> arguments, int depth) {
    constexpr int deepest = 20; // as deep as nobody nests them: a file may name itself
    const std::string& argument = arguments.front();
    const bool isOption = argument == "-optf" || argument == "--options-file";
    const std::string_view longForm = "--options-file=";
    std::string file;
    if (isOption && arguments.size() > 1)
      file = arguments[1];
    else if (argument.starts_with(longForm))
      file = argument.substr(longForm.size());
    else if (argument.starts_with('@') && argument.size() > 1)
      file = argument.substr(1);
    else
      return 0;
    if (depth == deepest)
      return fail(ErrorKind::BadInput, "{}: response files that name each other", file);
    for (const std::string_view part : splitText(file, isOption ? ',' : '\n')) {
      HEDDLE_TRY(const std::string text, readFile(std::string(part)));
      auto words = splitWords(text);
      if (!words)
        return tl::unexpected(within(std::string(part), std::move(words).error()));
      HEDDLE_CHECK(read(*words, depth + 1));
    }
    return isOption ? 2 : 1;
  }

  Expected<std::size_t> takeInput(const std::string& file) {
    for (const std::string_view ending : foreignInputs)
      if (file.ends_with(ending))
        return fail(ErrorKind::Unsupported,
                    "{}: heddle cc compiles sources; 'heddle profile' runs kernels of a .ptx file",
                    file);
    line.inputs.push_back(file);
    return 1;
  }

  Expected<std::size_t> takeOption(std::span<const std::string> arguments) {
    const std::string& argument = arguments.front();
    for (const Option& option : options) {
      const bool joined = option.takesValue && argument.starts_with(option.name) &&
                          argument.size() > option.name.size() &&
                          argument[option.name.size()] == '=';
      if (argument != option.name && !joined)
        continue;
      if (option.takesValue && !joined && arguments.size() < 2)
        return fail(ErrorKind::BadInput, "{} needs a value", option.name);
      option.apply(line, joined              ? argument.substr(option.name.size() + 1)
                         : option.takesValue ? arguments[1]
                                             : "");
      return option.takesValue && !joined ? 2 : 1;
    }
    return 0;
  }

  Expected<std::size_t> takeUnknown(const std::string& argument) {
    if (!line.forwardsUnknown) {
      Texts names;
      for (const Option& option : options)
        names.emplace_back(option.name);
      return fail(ErrorKind::BadInput,
                  "unknown option '{}'{} (what is the host compiler's goes behind -Xcompiler)",
                  argument, didYouMean(argument, names));
    }
    line.flags.host.push_back(argument);
    return 1;
  }
};

/// An option may come after the files it changes.
Expected<void> refuseContradictions(const NvccCommandLine& line) {
  if (line.goal == Goal::Version)
    return {};
  if (line.inputs.empty())
    return fail(ErrorKind::BadInput, "no input files; see 'heddle cc --help'");
  const bool several = line.goal == Goal::Objects || line.goal == Goal::Preprocessed
                           ? line.inputs.size() > 1
                           : false;
  if (several && !line.output.empty())
    return fail(ErrorKind::BadInput,
                "-o {} and {} inputs: one file cannot take what each of them "
                "becomes",
                line.output, line.inputs.size());
  return {};
}

} // namespace

Expected<NvccCommandLine> readNvccCommandLine(std::span<const std::string> arguments) {
  Reader reader;
  HEDDLE_CHECK(reader.read(arguments));
  HEDDLE_CHECK(refuseContradictions(reader.line));
  return std::move(reader.line);
}

} // namespace heddle::frontend
