// SPDX-License-Identifier: Apache-2.0
#include "driver/CcCommand.h"

#include "driver/BuildCommand.h"
#include "driver/CompilerOutput.h"
#include "driver/DeviceCode.h"
#include "frontend/BuildCommands.h"
#include "frontend/LinkHost.h"
#include "frontend/Preprocess.h"
#include "frontend/ProgramBuilder.h"
#include "machine/DeviceCatalog.h"
#include "support/Files.h"
#include "support/Subprocess.h"
#include "support/TemporaryFolder.h"

#include <cstdio>
#include <filesystem>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;
using Goal = frontend::NvccCommandLine::Goal;
using Texts = std::vector<std::string>;

/// What programs look for in `nvcc --version`; the CUDA that our headers say they are.
constexpr const char* versionText =
    "heddle cc: compiles CUDA programs for the engine of Heddle " HEDDLE_VERSION
    ", with nvcc's command line\n"
    "Cuda compilation tools, release 12.5, V12.5.0\n";

class Compiler {
public:
  Compiler(const frontend::NvccCommandLine& line, const Texts& arguments, DeviceCode& code,
           const fs::path& folder, const fs::path& runtime, const Output& output)
      : line_(line), arguments_(arguments), code_(code), folder_(folder), runtime_(runtime),
        diagnostics_(compilerOutput(output)) {}

  Expected<void> makeObjects() {
    for (const std::string& source : line_.inputs)
      HEDDLE_CHECK(makeObject(source, objectOf(source)));
    return {};
  }

  Expected<void> link() {
    frontend::LinkOptions options{.flags = line_.flags.link,
                                  .output = line_.output.empty() ? "a.out" : line_.output,
                                  .runtime = runtime_,
                                  .shared = line_.shared,
                                  .diagnostics = diagnostics_};
    options.name = options.output.string();
    HEDDLE_TRY(options.inputs, allObjects());
    tell(frontend::linkCommand(options));
    HEDDLE_CHECK(frontend::linkHost(options, folder_));
    return line_.shared ? Expected<void>() : keepLink(options.output);
  }

  /// Replaced as a whole: `ar` would add to an old one.
  Expected<void> archive() {
    const std::string output = line_.output.empty() ? "a.a" : line_.output;
    HEDDLE_TRY(const Texts objects, allObjects());
    std::error_code ignored;
    fs::remove(output, ignored);
    Texts command = {"ar", "rcs", output};
    command.insert(command.end(), objects.begin(), objects.end());
    return run(command);
  }

  /// The runtime library links device code when a program starts, so there is nothing to do.
  Expected<void> linkDevice() {
    return run({frontend::compilerName, "-x", "c", "-c", "/dev/null", "-o",
                line_.output.empty() ? "a_dlink.o" : line_.output});
  }

  Expected<void> preprocess() {
    for (const std::string& source : line_.inputs) {
      HEDDLE_TRY(const auto made, preprocessed(source));
      HEDDLE_CHECK(writeOut(made.text));
    }
    return {};
  }

  Expected<void> listDependencies() {
    std::string rules;
    for (const std::string& source : line_.inputs) {
      HEDDLE_TRY(const std::string rule, dependencyRule(source, objectOf(source)));
      rules += rule;
    }
    return line_.dependencyFile.empty() ? writeOut(rules) : writeFile(line_.dependencyFile, rules);
  }

private:
  /// This command, for `heddle fix` of what it makes.
  frontend::BuildCommand command(const std::string& file, const std::string& output) const {
    std::error_code error;
    return {fs::current_path(error), file, output, arguments_};
  }

  Expected<void> keepLink(const fs::path& program) const {
    HEDDLE_TRY(const std::string linked, readFile(program));
    HEDDLE_TRY(const std::string kept,
               frontend::withCommand(linked, command("", program.string())));
    std::error_code error;
    const fs::perms mode = fs::status(program, error).permissions();
    HEDDLE_CHECK(writeFile(program, kept));
    fs::permissions(program, mode, error);
    if (error)
      return fail(ErrorKind::Io, "cannot make {} a program: {}", program.string(), error.message());
    return {};
  }

  std::string objectOf(const std::string& source) const {
    if (!line_.output.empty() && line_.goal == Goal::Objects)
      return line_.output;
    return (fs::path(line_.folder) / fs::path(source).stem()).string() + ".o";
  }

  Expected<std::string> dependencyRule(const std::string& source, const std::string& object) {
    HEDDLE_TRY(const auto made, preprocessed(source));
    return frontend::makeRule(line_.targets.empty() ? Texts{object} : line_.targets, made.files);
  }

  Expected<frontend::PreprocessedSource> preprocessed(const std::string& source) {
    return frontend::preprocess(source, {line_.flags, code_.nvcc, diagnostics_});
  }

  Expected<void> makeObject(const std::string& source, const std::string& object) {
    frontend::BuildOptions options{.program = {.files = {source}, .flags = line_.flags},
                                   .runtime = runtime_,
                                   .diagnostics = diagnostics_};
    tell({"heddle", "cc", "-c", source, "-o", object});
    HEDDLE_TRY(const frontend::BuiltObject made, objectWith(code_, options, folder_));
    HEDDLE_TRY(const std::string kept, frontend::withCommand(made.object, command(source, object)));
    HEDDLE_CHECK(writeFile(object, kept));
    if (!line_.wantsDependencies)
      return {};
    HEDDLE_TRY(const std::string rule, dependencyRule(source, object));
    const fs::path beside = fs::path(object).replace_extension(".d");
    return writeFile(line_.dependencyFile.empty() ? beside : fs::path(line_.dependencyFile), rule);
  }

  /// Sources are compiled into our folder; all else is the linker's.
  Expected<Texts> allObjects() {
    Texts objects;
    for (const std::string& input : line_.inputs) {
      if (!frontend::isSource(input, line_.flags)) {
        objects.push_back(input);
        continue;
      }
      const fs::path place = folder_ / fmt::format("{}", objects.size());
      std::error_code error;
      fs::create_directory(place, error);
      objects.push_back((place / fs::path(input).stem()).string() + ".o");
      HEDDLE_CHECK(makeObject(input, objects.back()));
    }
    return objects;
  }

  Expected<void> writeOut(const std::string& text) const {
    if (!line_.output.empty())
      return writeFile(line_.output, text);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return {};
  }

  void tell(const Texts& command) const {
    if (!line_.verbose)
      return;
    Texts words;
    for (const std::string& word : command)
      words.push_back(shellWord(word));
    fmt::print(stderr, "#$ {}\n", fmt::join(words, " "));
  }

  Expected<void> run(const Texts& command) const {
    tell(command);
    HEDDLE_TRY(Subprocess child, Subprocess::start(command, {}));
    if (const SubprocessEnd end = child.wait(); end.exitCode != 0)
      return fail(ErrorKind::Io, "{} ended with status {}", command.front(), end.exitCode);
    return {};
  }

  const frontend::NvccCommandLine& line_;
  const Texts& arguments_;
  DeviceCode& code_;
  const fs::path& folder_;
  const fs::path& runtime_;
  frontend::Diagnostics diagnostics_;
};

Expected<void> reach(Goal goal, Compiler& compiler) {
  switch (goal) {
  case Goal::Program:
    return compiler.link();
  case Goal::Objects:
    return compiler.makeObjects();
  case Goal::DeviceLink:
    return compiler.linkDevice();
  case Goal::Archive:
    return compiler.archive();
  case Goal::Preprocessed:
    return compiler.preprocess();
  case Goal::Dependencies:
    return compiler.listDependencies();
  case Goal::Version:
    break;
  }
  return {};
}

} // namespace

Expected<Answer> compileLikeNvcc(const CcOptions& options, const Output& output) {
  HEDDLE_TRY(const frontend::NvccCommandLine line,
             frontend::readNvccCommandLine(options.arguments));
  if (line.goal == Goal::Version)
    return Answer(versionText);
  HEDDLE_TRY(const fs::path runtime, frontend::findRuntime());
  HEDDLE_TRY(DeviceCode code, chooseDeviceCode("", machine::referenceDevice()));
  HEDDLE_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  Compiler compiler(line, options.arguments, code, folder.path(), runtime, output);
  HEDDLE_CHECK(reach(line.goal, compiler));
  return Answer();
}

} // namespace heddle::driver
