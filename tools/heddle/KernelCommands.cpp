// SPDX-License-Identifier: Apache-2.0
//
// The commands that compile kernels.
#include "Commands.h"

#include "driver/CacheCommand.h"
#include "driver/CheckCommand.h"
#include "driver/FixCommand.h"
#include "driver/IncludeCommand.h"
#include "driver/ProfileCommand.h"
#include "driver/RecordedWarps.h"
#include "driver/RewritesCommand.h"
#include "driver/RunCommand.h"
#include "driver/TuneCommand.h"
#include "support/Parse.h"

#include <array>
#include <limits>
#include <memory>

namespace heddle::tool {
namespace {

/// "128", "16,16" or "8,8,4".
Flag extentFlag(std::string name, std::string help, std::array<int, 3>& target) {
  const auto set = [&target](std::string_view text) -> Expected<void> {
    const std::vector<std::string_view> parts = splitText(text, ',');
    if (parts.size() > 3)
      return fail(ErrorKind::BadInput, "'{}' has {} numbers: expected 1 to 3", text, parts.size());
    target = {1, 1, 1};
    for (std::size_t axis = 0; axis < parts.size(); ++axis) {
      HEDDLE_TRY(const std::int64_t value, parseInteger(parts[axis]));
      if (value < 1 || value > std::numeric_limits<int>::max())
        return fail(ErrorKind::BadInput, "{} in '{}': expected at least 1", value, text);
      target[axis] = static_cast<int>(value);
    }
    return {};
  };
  return {.name = std::move(name), .value = "X,Y,Z", .help = std::move(help), .set = set};
}

Flag lineFlag(driver::AskedPlace& target) {
  const auto set = [&target](std::string_view text) -> Expected<void> {
    std::vector<std::string_view> parts = splitText(text, ':');
    target = {};
    if (parts.size() > 1 && !parseInteger(parts.front())) {
      target.file = parts.front();
      parts.erase(parts.begin());
    }
    if (parts.size() > 2)
      return fail(ErrorKind::BadInput, "'{}' has {} numbers: expected 1 or 2", text, parts.size());
    std::array<int, 2> numbers = {0, 0};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      HEDDLE_TRY(const std::int64_t value, parseInteger(parts[i]));
      if (value < 1 || value > std::numeric_limits<int>::max())
        return fail(ErrorKind::BadInput, "{} in '{}': expected at least 1", value, text);
      numbers[i] = static_cast<int>(value);
    }
    target.line = numbers[0];
    target.column = numbers[1];
    return {};
  };
  return {.name = "--line",
          .value = "[FILE:]N[:COLUMN]",
          .help = "consider only the branch in this line, or of several in it the one at a column",
          .set = set};
}

Flag argumentFlag(std::vector<driver::KernelArgument>& target) {
  const auto set = [&target](std::string_view text) -> Expected<void> {
    HEDDLE_TRY(driver::KernelArgument argument, driver::parseKernelArgument(text));
    target.push_back(std::move(argument));
    return {};
  };
  return {.name = "--arg",
          .value = "TYPE:VALUE",
          .help = "an argument of the kernel, in order; for example i32:5 or f32[1024]:iota",
          .set = set,
          .repeatable = true};
}

Flag dumpFlag(std::vector<std::pair<int, std::string>>& target) {
  const auto set = [&target](std::string_view text) -> Expected<void> {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals + 1 == text.size())
      return fail(ErrorKind::BadInput, "'{}' is not NUMBER=FILE", text);
    HEDDLE_TRY(const std::int64_t number, parseInteger(text.substr(0, equals)));
    target.emplace_back(static_cast<int>(number), text.substr(equals + 1));
    return {};
  };
  return {.name = "--dump",
          .value = "N=FILE",
          .help = "write buffer N, counted from 0, after the run",
          .set = set,
          .repeatable = true};
}

Flag repeatedTextFlag(std::string name, std::string value, std::string help,
                      std::vector<std::string>& target) {
  const auto set = [&target](std::string_view text) -> Expected<void> {
    target.emplace_back(text);
    return {};
  };
  return {.name = std::move(name),
          .value = std::move(value),
          .help = std::move(help),
          .set = set,
          .repeatable = true};
}

Flag registersFlag(profile::GivenRegisters& target) {
  return {
      .name = "--registers",
      .value = "KERNEL=N",
      .help = "registers of each thread of a kernel, instead of the number Heddle finds",
      .set = [&target](std::string_view text) { return profile::addGivenRegisters(target, text); },
      .repeatable = true};
}

/// A compiler's flag, for help and completions; frontend::takeCompilerFlag reads it.
Flag compilerFlag(std::string name, std::string value, std::string help,
                  Completes completes = Completes::Nothing) {
  return {.name = std::move(name),
          .value = std::move(value),
          .help = std::move(help),
          .set = [](std::string_view) { return Expected<void>(); },
          .repeatable = true,
          .completes = completes};
}

std::vector<Flag> sourceFlags(const std::string& levelHelp) {
  return {compilerFlag("-I", "DIR", "search headers here", Completes::Folders),
          compilerFlag("-D", "NAME[=VALUE]", "define a macro"),
          compilerFlag("-U", "NAME", "undefine a macro"),
          compilerFlag("-std", "STANDARD", "the C++ standard (default c++17)"),
          compilerFlag("-O", "LEVEL", levelHelp),
          compilerFlag("-x", "cu|c++|c", "the language of files with other names")};
}

/// Of commands that take a whole program.
std::vector<Flag> programFlags(driver::RunOptions& options) {
  return {
      completing(textFlag("--project", "DIR",
                          "take the files and flags of a build (its compile_commands.json); the "
                          "program comes behind --",
                          options.project),
                 Completes::Folders),
      compilerFlag("-g", "", "line tables for the host code"),
      compilerFlag("-fopenmp", "", "OpenMP in the host code"),
      compilerFlag("-l", "LIBRARY", "link with a library"),
      compilerFlag("-L", "DIR", "search libraries here", Completes::Folders),
      compilerFlag("-Xcompiler", "FLAGS", "flags for the host code, separated by commas")};
}

void append(std::vector<Flag>& to, std::vector<Flag> flags) {
  to.insert(to.end(), flags.begin(), flags.end());
}

Flag reconvergenceFlag(std::string& target) {
  return choiceFlag("--reconvergence",
                    "what lanes owe each other after a branch (default: as the device)",
                    {"volta", "stack"},
                    [&target](std::size_t index) { target = index == 0 ? "volta" : "stack"; });
}

Flag deviceCodeFlag(std::string& target) {
  static constexpr std::array<const char*, 3> names = {"nvcc", "clang", "auto"};
  return choiceFlag("--device-code",
                    "the compiler of the device code; auto: nvcc where there is one "
                    "(default)",
                    {names.begin(), names.end()},
                    [&target](std::size_t index) { target = names[index]; });
}

/// The flags that run and profile share.
template <class Options> std::vector<Flag> engineFlags(Options& options) {
  return {deviceCodeFlag(options.deviceCode),
          modelledDeviceFlag(options.device),
          reconvergenceFlag(options.reconvergence),
          registersFlag(options.registers),
          integerFlag("--max-instructions", "warp-instructions after which a launch is stopped",
                      options.mostInstructions),
          integerFlag("--top", "lines of source to show (default 10)", options.lines),
          switchFlag("--no-cache", "compile anew, and keep nothing", options.useCache, false)};
}

/// Of run and profile.
Flag recordFlag(int& warps) {
  return withDefault(integerFlag("--record-warps",
                                 "keep N warps of each kernel in full in the profile, from the "
                                 "slowest to the fastest (alone: 3)",
                                 warps),
                     std::to_string(driver::usualRecordedWarps));
}

Flag filesFlag(std::string help, std::vector<std::string>& target) {
  const auto set = [&target](std::string_view text) -> Expected<void> {
    target.emplace_back(text);
    return {};
  };
  return {.name = "FILE",
          .value = "FILE",
          .help = std::move(help),
          .set = set,
          .required = true,
          .repeatable = true,
          .completes = Completes::Files};
}

Flag programFlag(std::vector<std::string>& files) {
  Flag flag = filesFlag("the program's .cu, .cpp, .cc, .cxx and .c files, or a program that "
                        "'heddle cc' built",
                        files);
  flag.required = false; // --project knows them
  return flag;
}

Flag disableFlag(std::vector<std::string>& target) {
  const auto set = [&target](std::string_view text) -> Expected<void> {
    target.emplace_back(text);
    return {};
  };
  return withChoices({.name = "--disable",
                      .value = "ID",
                      .help = "say nothing of this kind; for example heddle-divergent-branch",
                      .set = set,
                      .repeatable = true},
                     driver::checkIds());
}

constexpr const char* nvccHelp =
    "Flags of nvcc that say how to make code for a GPU (-arch, -gencode, -rdc=true, "
    "-use_fast_math,\n"
    "-lineinfo, --extended-lambda, -lcudart and the like) are accepted and change nothing.";

} // namespace

/// What a run leaves besides its report.
static std::vector<Flag> fileFlags(driver::RunOptions& options) {
  return {
      completing(textFlag("--profile", "FILE", "write the profile as JSON", options.profileFile),
                 Completes::Files),
      recordFlag(options.recordedWarps),
      formatFlag("print the profile for another tool (see 'heddle help export')", options.format),
      completing(textFlag("--report", "FILE", "write a page to look at, as 'heddle report' does",
                          options.reportFile),
                 Completes::Files)};
}

Command runCommand(CommonOptions& common) {
  auto options = std::make_shared<driver::RunOptions>();
  Command command;
  command.name = "run";
  command.summary = "run a whole CUDA program on the CPU, and say which lines lose lanes";
  command.details =
      "Compiles the unmodified program with no CUDA toolkit and runs it, its kernels warp by warp "
      "over\n"
      "32-lane vectors. Every lane of every instruction is accounted for: used, or lost to one "
      "branch,\n"
      "to finished threads or to partial warps. The report follows what the program prints. A "
      "check\n"
      "that fails (a bad address, a barrier not all threads reach) ends the run with its line, "
      "after\n"
      "the report of what ran until then, and status 2; else the status is the program's own.\n"
      "Fresh device memory holds a pattern, so that a program that reads what it never wrote shows "
      "it.\n"
      "The report ends with remarks: calls that failed without the program asking why, device "
      "memory "
      "that\n"
      "its host code touches, and with --strict memory that it never frees.\n" +
      std::string(nvccHelp);
  command.examples = {"heddle run examples/01-divergence/photon.cu",
                      "heddle run mine.cu helper.cpp -O3 -I include -lm -- --size 1000",
                      "heddle run mine.cu --device a100 --profile mine.json --quiet"};
  command.positional = programFlag(options->program.files);
  command.flags = engineFlags(*options);
  append(command.flags, fileFlags(*options));
  append(command.flags,
         {switchFlag("--no-poison", "fresh device memory is zero instead of a pattern",
                     options->poison, false),
          switchFlag("--keep-going",
                     "a fault leaves CUDA's sticky error instead of ending the program",
                     options->keepGoing, true),
          formerly(integerFlag("--jobs", "threads that run blocks (default: all cores)",
                               options->workers),
                   "--threads"),
          integerFlag("--kernels", "kernels to show (default 5)", options->kernels),
          switchFlag("--tuned", "in the best configuration that 'heddle tune' has found",
                     options->tuned),
          switchFlag("--no-advice", "do not look for rewrites that would help", options->advice,
                     false),
          switchFlag("--strict", "status 1 where there are remarks; leaks are remarks, too",
                     options->strict),
          switchFlag("--quiet", "no report", options->quiet)});
  append(command.flags, sourceFlags("optimise the host code: 0 to 3 (default 2)"));
  append(command.flags, programFlags(*options));
  command.flags = withOutputFlags(std::move(command.flags), common);
  command.takeForeign = [options](std::span<const std::string> arguments) {
    return frontend::takeCompilerFlag(arguments, options->program.flags);
  };
  command.takeRest = [options](std::vector<std::string> rest) {
    options->arguments = std::move(rest);
  };
  command.run = [options, &common] { return driver::runProgram(*options, common.output()); };
  return command;
}

std::vector<Flag> fixFlags(driver::FixOptions& options) {
  return {
      withChoices(textFlag("--only", "NAME", "consider this rewrite and no other", options.only),
                  driver::rewriteNames()),
      lineFlag(options.place),
      switchFlag("--in-place", "change the files; on a terminal each rewrite is a question",
                 options.inPlace),
      switchFlag("--all", "apply all that pay, without a question", options.all),
      switchFlag("--trust", "take threads for independent without looking", options.trust),
      switchFlag("--likely", "apply what is predicted to pay but too close to tell, too",
                 options.likely),
      numberFlag("--tolerance", "REL", "floats and doubles may differ by this, relative",
                 options.tolerance),
      numberFlag("--budget", "SECONDS", "for trying them (default: 20 and ten times the program's)",
                 options.budget),
      switchFlag("--ignore-output", "what the program prints and writes to files may differ",
                 options.ignoreOutput),
      repeatedTextFlag("--input", "ARGUMENTS", "prove it with these arguments too", options.inputs),
      textFlag("--bundle", "FILE.tar", "write the forms that may pay, to be measured elsewhere",
               options.bundle),
      textFlag("--measured", "TABLE", "apply what won there", options.measured),
      switchFlag("--unproven",
                 "print what the rewrites make everywhere, or --only at --line; run nothing",
                 options.unproven),
      textFlag("--form", "NAME", "which form of it, for --unproven", options.form),
      extentFlag("--block", "threads of a block, for --unproven", options.block)};
}

Command fixCommand(CommonOptions& common) {
  auto options = std::make_shared<driver::FixOptions>();
  Command command;
  command.name = "fix";
  command.summary = "apply the rewrites that pay, as a diff, and prove them";
  command.details =
      "Runs the program as 'heddle run' does, looks for rewrites where lanes are lost, and tries "
      "those\n"
      "that are legal: the rewritten program runs with the same input, and every byte of device "
      "memory\n"
      "that comes back or is left, and everything printed, must be the same. Prints the diff, a "
      "table\n"
      "of before and after, and why the others were refused. Where nvcc is found, it must compile "
      "the\n"
      "result; where a GPU is, too, both programs are measured on it. Status 0 when something was "
      "applied\n"
      "and proven, 1 when nothing pays, 2 on an error. What comes on standard input is read once "
      "and\n"
      "given to every run.\n" +
      std::string(nvccHelp);
  command.examples = {"heddle fix examples/09-thread-id/parity.cu",
                      "heddle fix mine.cu --only schedule-iterations --in-place -- --size 1000",
                      "heddle fix --project build -- build/mine --size 1000"};
  command.positional = programFlag(options->run.program.files);
  command.flags = fixFlags(*options);
  append(command.flags, engineFlags(options->run));
  append(command.flags, sourceFlags("optimise the host code: 0 to 3 (default 2)"));
  append(command.flags, programFlags(options->run));
  command.flags = withOutputFlags(std::move(command.flags), common);
  command.takeForeign = [options](std::span<const std::string> arguments) {
    return frontend::takeCompilerFlag(arguments, options->run.program.flags);
  };
  command.takeRest = [options](std::vector<std::string> rest) {
    options->run.arguments = std::move(rest);
  };
  command.run = [options, &common] { return driver::fixProgram(*options, common.output()); };
  return command;
}

namespace {

Flag macroFlag(std::vector<driver::MacroChoice>& target) {
  const auto set = [&target](std::string_view text) -> Expected<void> {
    HEDDLE_TRY(driver::MacroChoice choice, driver::parseMacroChoice(text));
    target.push_back(std::move(choice));
    return {};
  };
  return {.name = "--set",
          .value = "NAME=V1,V2",
          .help = "values of a macro to search; for example BLOCK=64,128,256",
          .set = set,
          .repeatable = true};
}

/// Show, export and forget differ in what they do with the rows.
Command tunedCommand(CommonOptions& common, std::string name, std::string summary,
                     Expected<driver::Answer> (*run)(const driver::TunedQuery&,
                                                     const driver::Output&)) {
  auto query = std::make_shared<driver::TunedQuery>();
  Command command;
  command.positional =
      textFlag("KERNEL", "KERNEL", "its name; without it all of them", query->kernel);
  command.flags = {
      withChoices(textFlag("--device", "NAME", "of this GPU alone", query->device), deviceNames()),
      integerFlag("--size", "of this size alone", query->size),
      completing(textFlag("--store", "FILE", "the store (default: as 'heddle tune')", query->store),
                 Completes::Files)};
  if (name == "forget")
    command.flags.push_back(switchFlag("--all", "everything", query->all));
  command.name = std::move(name);
  command.summary = std::move(summary);
  command.flags = withOutputFlags(std::move(command.flags), common);
  command.run = [query, run, &common] { return run(*query, common.output()); };
  return command;
}

std::vector<Flag> tuneFlags(driver::TuneOptions& options) {
  return {
      textFlag("--kernel", "NAME", "tune this kernel (default: all that take a tenth of the time)",
               options.kernel),
      macroFlag(options.macros),
      choiceFlag("--on",
                 "where configurations are timed: by the model (default) or on the GPU here",
                 {"model", "gpu"}, [&options](std::size_t index) { options.onGpu = index == 1; }),
      integerFlag("--size", "size of the input to keep it under (default: threads of the launch)",
                  options.size),
      integerFlag("--seconds", "try nothing further after so long", options.seconds),
      switchFlag("--exhaustive", "time every configuration, rule out none", options.exhaustive),
      completing(textFlag("--svg", "FILE", "draw the search", options.svg), Completes::Files),
      completing(textFlag("--store", "FILE",
                          "where to keep what was found (default: HEDDLE_TUNED, or "
                          "~/.local/share/heddle/tuned.db)",
                          options.store),
                 Completes::Files),
      switchFlag("--no-store", "keep nothing", options.keep, false),
      numberFlag("--tolerance", "REL", "floats and doubles may differ by this, relative",
                 options.tolerance),
      switchFlag("--ignore-output", "what the program prints and writes to files may differ",
                 options.ignoreOutput)};
}

} // namespace

Command tuneCommand(CommonOptions& common) {
  auto options = std::make_shared<driver::TuneOptions>();
  Command command;
  command.name = "tune";
  command.summary = "find the best block size, registers, unrolling and policies, and keep them";
  command.details = "Searches how each kernel is built and launched: threads of a block, where the "
                    "source shows that\n"
                    "any size does the same; registers, by __launch_bounds__; factors of '#pragma "
                    "unroll'; policies of\n"
                    "scheduled loops; when regrouped loops regroup; and macros that --set names. "
                    "Models rule out what\n"
                    "cannot pay; the rest is timed by the model, or with --on gpu on this machine. "
                    "Results must be equal\n"
                    "byte for byte, as for 'heddle fix'. What was found is kept by kernel, source, "
                    "device and size:\n"
                    "'heddle run --tuned' runs the program so, and heddle::tuned() of "
                    "<heddle/tuned.h> tells it to a\n"
                    "program of yours. docs/tune.md has the story of one kernel.\n" +
                    std::string(nvccHelp);
  command.examples = {"heddle tune mine.cu -- --size 1000",
                      "heddle tune mine.cu --kernel step --set TILE=8,16,32 --svg search.svg",
                      "heddle tune show", "heddle run mine.cu --tuned -- --size 1000"};
  command.positional = programFlag(options->run.program.files);
  command.flags = tuneFlags(*options);
  append(command.flags, engineFlags(options->run));
  append(command.flags, sourceFlags("optimise the host code: 0 to 3 (default 2)"));
  append(command.flags, programFlags(options->run));
  command.flags = withOutputFlags(std::move(command.flags), common);
  command.takeForeign = [options](std::span<const std::string> arguments) {
    return frontend::takeCompilerFlag(arguments, options->run.program.flags);
  };
  command.takeRest = [options](std::vector<std::string> rest) {
    options->run.arguments = std::move(rest);
  };
  command.run = [options, &common] { return driver::tuneProgram(*options, common.output()); };
  command.children = {
      tunedCommand(common, "show", "what was found, and when", driver::showTuned),
      tunedCommand(common, "export", "the same as a header for programs, or as JSON",
                   driver::exportTuned),
      tunedCommand(common, "forget", "remove a kernel, or everything", driver::forgetTuned)};
  return command;
}

Command profileCommand(CommonOptions& common) {
  auto options = std::make_shared<driver::ProfileOptions>();
  Command command;
  command.name = "profile";
  command.summary = "run one kernel, without a host program, and say which lines lose lanes";
  command.details =
      "What 'heddle run' does, for a kernel whose arguments you give. An argument is TYPE:VALUE, "
      "or\n"
      "TYPE[N]: and a content: zeros, iota, random:SEED:LOW:HIGH or file:PATH. Types are i8 to "
      "i64, u8\n"
      "to u64, f32 and f64.\n" +
      std::string(nvccHelp);
  command.examples = {
      "heddle profile examples/01-divergence/photon.cu --kernel transport --grid 64 --block 128 "
      "--arg 'u32[8192]:random:1:1:4294967295' --arg 'f32[8192]:zeros' --arg f32:0.4"};
  command.positional =
      completing(required(textFlag("FILE", "FILE", "a .cu file, or device code as .ptx, .ll or .bc",
                                   options->file)),
                 Completes::Files);
  command.flags = {
      required(textFlag("--kernel", "NAME", "the kernel to run", options->kernel)),
      extentFlag("--grid", "blocks of the grid (default 1)", options->grid),
      extentFlag("--block", "threads of a block (default 1)", options->block),
      integerFlag("--shared", "bytes of dynamic shared memory (default 0)", options->dynamicShared),
      argumentFlag(options->arguments),
      dumpFlag(options->dumps),
      recordFlag(options->recordedWarps),
      formatFlag("print the profile for another tool (see 'heddle help export')", options->format)};
  append(command.flags, engineFlags(*options));
  append(command.flags, sourceFlags("optimise the device code: 0 to 3 (default 2)"));
  append(command.flags, {jobsFlag(common)});
  command.flags = withOutputFlags(std::move(command.flags), common);
  command.takeForeign = [options](std::span<const std::string> arguments) {
    return frontend::takeCompilerFlag(arguments, options->flags);
  };
  command.run = [options, &common] {
    options->workers = common.jobs;
    return driver::runProfile(*options, common.output());
  };
  return command;
}

Command checkCommand(CommonOptions& common) {
  auto options = std::make_shared<driver::CheckOptions>();
  Command command;
  command.name = "check";
  command.summary = "say where kernels part the lanes of a warp, without running them";
  command.details =
      "Warns in a compiler's form of branches that depend on the thread's number within its warp, "
      "of\n"
      "barriers that not all threads reach, and of tree reductions in shared memory with spread\n"
      "threads, bank conflicts or an unsynchronised tail. A bounds guard as in 'if (i < n)' is "
      "fine. "
      "A\n"
      "comment '// heddle: ignore' silences its line. The status is 1 where there are warnings, "
      "notes\n"
      "do not count. docs/check.md explains each kind.\n" +
      std::string(nvccHelp);
  command.examples = {"heddle check examples/01-divergence/photon.cu",
                      "heddle check mine.cu -I include --disable heddle-reduction-tail",
                      "heddle check mine.ptx"};
  command.positional = filesFlag("the .cu or .ptx files to look at", options->files);
  command.flags = {
      switchFlag("--data", "also branches that depend on what threads have read", options->data),
      disableFlag(options->disabled),
      switchFlag("--werror", "notes count as warnings", options->notesCount),
      switchFlag("--no-cache", "compile anew, and keep nothing", options->useCache, false)};
  append(command.flags, sourceFlags("accepted; the code is looked at as it is written"));
  command.flags = withOutputFlags(std::move(command.flags), common);
  command.takeForeign = [options](std::span<const std::string> arguments) {
    return frontend::takeCompilerFlag(arguments, options->flags);
  };
  command.run = [options, &common] { return driver::runCheck(*options, common.output()); };
  return command;
}

Command includeCommand() {
  Command command;
  command.name = "include";
  command.summary = "print the folder of the device library, for nvcc -I";
  command.details = "What 'heddle fix' writes may include <heddle/...>. These headers need nothing "
                    "else of Heddle.";
  command.examples = {"nvcc -I \"$(heddle include)\" mine.cu -o mine"};
  command.run = [] { return driver::printIncludeFolder(); };
  return command;
}

Command cacheCommand(CommonOptions& common) {
  Command clear;
  clear.name = "clear";
  clear.summary = "remove everything kept";
  clear.flags = withOutputFlags({}, common);
  clear.run = [&common] { return driver::clearCache(common.output()); };
  Command command;
  command.name = "cache";
  command.summary = "what compilations are kept, and where";
  command.details =
      "Compiled files are kept by content in $XDG_CACHE_HOME/heddle, or ~/.cache/heddle, up to\n"
      "1 GiB; those not used for longest go first.";
  command.examples = {"heddle cache", "heddle cache clear"};
  command.flags = withOutputFlags({}, common);
  command.children = {clear};
  command.run = [&common] { return driver::showCache(common.output()); };
  return command;
}

} // namespace heddle::tool
