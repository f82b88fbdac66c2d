// SPDX-License-Identifier: Apache-2.0
//
//   1. The commands that compile: from compile_commands.json, or from the program.
//   2. The command that links it: from the program, CMake's link.txt, or ninja. Without one, all
//      files make the program, but for those with a main() of their own.
//   3. What the link takes and a command has compiled is a source of the program; so is what a
//      library of the project holds. All else is linked as it is.
#include "driver/ProjectProgram.h"

#include "driver/IncludedFiles.h"
#include "driver/SourceTexts.h"
#include "frontend/BuildCommands.h"
#include "frontend/NvccCommandLine.h"
#include "frontend/ProgramBuilder.h"
#include "support/Files.h"
#include "support/Subprocess.h"
#include "support/TemporaryFolder.h"

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <system_error>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;
using frontend::BuildCommand;
using frontend::CompilerFlags;
using frontend::NvccCommandLine;
using frontend::ProgramSpec;
using Words = std::vector<std::string>;

fs::path resolved(const fs::path& folder, const fs::path& file) {
  return (folder / file).lexically_normal();
}

/// Folders and files of flags by names that are good here.
void resolveFlags(CompilerFlags& flags, const fs::path& folder) {
  for (std::size_t i = 0; i + 1 < flags.common.size(); i += 2) { // each is a name and a value
    const std::string& name = flags.common[i];
    const fs::path place = resolved(folder, flags.common[i + 1]);
    std::error_code error;
    if (name == "-I" || name == "-isystem" || name == "-iquote" ||
        (name == "-include" && fs::exists(place, error)))
      flags.common[i + 1] = shownName(place);
  }
  for (std::string& flag : flags.link)
    if (flag.starts_with("-L"))
      flag = "-L" + resolved(folder, flag.substr(2)).string();
}

/// What says to clang how to compile CUDA, which heddle knows.
bool isClangs(const std::string& word) {
  return word.starts_with("--cuda-") || word.starts_with("--offload-arch=") ||
         word.starts_with("--no-cuda-");
}

/// A compiler's words as nvcc's, with whole names.
Expected<NvccCommandLine> readCommand(const BuildCommand& command) {
  Words words = {"-forward-unknown-to-host-compiler"};
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    const std::string& word = command.arguments[i];
    if (isClangs(word))
      continue;
    const bool isFile = i > 0 && command.arguments[i - 1] == "--options-file";
    if (isFile || (word.starts_with('@') && word.size() > 1))
      words.push_back((isFile ? "" : "@") +
                      resolved(command.folder, word.substr(isFile ? 0 : 1)).string());
    else
      words.push_back(word);
  }
  HEDDLE_TRY(NvccCommandLine line, frontend::readNvccCommandLine(words));
  resolveFlags(line.flags, command.folder);
  return line;
}

/// A file that a command compiled.
struct Unit {
  std::string file;
  fs::path output;
  CompilerFlags flags;
};

Expected<std::vector<Unit>> readUnits(const std::vector<BuildCommand>& commands) {
  std::vector<Unit> units;
  for (const BuildCommand& command : commands) {
    auto line = readCommand(command);
    if (!line)
      return tl::unexpected(
          within("the command that compiles " + command.file, std::move(line).error()));
    const std::string& output = command.output.empty() ? line->output : command.output;
    Unit unit{shownName(resolved(command.folder, command.file)), resolved(command.folder, output),
              std::move(line->flags)};
    unit.flags.link.clear();
    if (frontend::isSource(unit.file, unit.flags)) // not Fortran, say
      units.push_back(std::move(unit));
  }
  return units;
}

ProgramSpec programOf(const std::vector<Unit>& units, const std::string& executable) {
  ProgramSpec program;
  program.executable = executable;
  for (const Unit& unit : units)
    if (program.own.emplace(unit.file, unit.flags).second)
      program.files.push_back(unit.file);
  return program;
}

/// "parts" of "libparts.a" and "libparts.so.1"; empty: it is no library.
std::string libraryName(const fs::path& file) {
  static const std::regex library(R"((?:lib)?(.+)\.(?:a|so(?:\.[0-9.]+)?))");
  std::smatch found;
  const std::string name = file.filename().string();
  return std::regex_match(name, found, library) ? found[1].str() : "";
}

/// Adds what a link takes: units are compiled anew, the rest is linked as it is.
void addLink(const NvccCommandLine& link, const fs::path& folder, const std::vector<Unit>& units,
             std::vector<Unit>& taken, ProgramSpec& program) {
  for (const std::string& input : link.inputs) {
    const fs::path file = resolved(folder, input);
    const std::string library = libraryName(file);
    const std::string part = "CMakeFiles/" + library + ".dir/";
    const std::size_t before = taken.size();
    for (const Unit& unit : units)
      if (unit.output == file ||
          (!library.empty() && unit.output.string().find(part) != std::string::npos))
        taken.push_back(unit);
    if (taken.size() == before && !frontend::isToolkitLibrary(library) &&
        !input.ends_with("cmake_device_link.o"))
      program.objects.push_back(file.string());
  }
  program.flags = link.flags;
}

/// The file of that name in a folder or below it, nearest first.
std::optional<fs::path> findBelow(const fs::path& folder, const fs::path& name) {
  std::error_code error;
  std::optional<fs::path> found;
  const auto depth = [](const fs::path& path) { return std::distance(path.begin(), path.end()); };
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error))
    if (at->path().filename() == "CMakeFiles" && fs::exists(at->path() / name, error) &&
        (!found || depth(at->path()) < depth(*found)))
      found = at->path() / name;
  return found;
}

/// Of a line that parts commands by '&&', the one that names an output.
Expected<Words> linkWords(const std::string& line) {
  HEDDLE_TRY(const Words all, frontend::splitWords(line));
  Words words;
  for (const std::string& word : all) {
    if (word == "&&" || word == ";") {
      if (std::ranges::find(words, "-o") != words.end())
        break;
      words.clear();
      continue;
    }
    words.push_back(word);
  }
  if (!words.empty())
    words.erase(words.begin()); // the linker's name
  return words;
}

/// What ninja would do to make the program; empty: it knows of none.
std::string ninjaCommands(const fs::path& folder, const std::string& executable) {
  std::error_code error;
  const auto temporary = TemporaryFolder::make();
  if (!temporary || !fs::exists(folder / "build.ninja", error))
    return "";
  const fs::path log = temporary->path() / "commands";
  const std::string target =
      fs::absolute(executable, error).lexically_relative(fs::absolute(folder, error)).string();
  auto child = Subprocess::start({"ninja", "-C", folder.string(), "-t", "commands", target},
                                 {.outputFile = log.string()});
  if (!child || child->wait().exitCode != 0)
    return "";
  return readFile(log).value_or("");
}

/// The command that links the program; nothing where nobody wrote it down.
Expected<std::optional<BuildCommand>> findLink(const fs::path& folder,
                                               const std::string& executable) {
  std::error_code error;
  const std::string name = fs::path(executable).filename().string();
  std::string line;
  fs::path ranIn = fs::absolute(folder, error).lexically_normal();
  if (const auto file = findBelow(ranIn, fs::path(name + ".dir") / "link.txt")) {
    HEDDLE_TRY(line, readFile(*file));
    ranIn = file->parent_path().parent_path().parent_path();
  } else if (std::string commands = ninjaCommands(ranIn, executable); !commands.empty()) {
    commands.erase(commands.find_last_not_of('\n') + 1);
    line = commands.substr(commands.rfind('\n') + 1);
  }
  if (line.empty())
    return std::optional<BuildCommand>();
  HEDDLE_TRY(Words words, linkWords(line));
  return std::optional(BuildCommand{.folder = ranIn, .file = "", .arguments = std::move(words)});
}

bool hasMain(const Unit& unit) {
  static const std::regex main(R"((^|\n)[ \t]*(extern "C" )?(int|auto)\s+main\s*\()");
  const auto text = readFile(unit.file);
  return text && std::regex_search(*text, main);
}

/// All files, with one main().
Expected<std::vector<Unit>> unitsWithOneMain(std::vector<Unit> units,
                                             const std::string& executable) {
  Words mains;
  for (const Unit& unit : units)
    if (hasMain(unit))
      mains.push_back(unit.file);
  if (mains.size() < 2)
    return units;
  const auto isIts = [&](const std::string& file) {
    return fs::path(file).stem() == fs::path(executable).stem();
  };
  const auto its = std::ranges::find_if(mains, isIts);
  if (its == mains.end())
    return fail(ErrorKind::BadInput,
                "{} files of the project have a main() ({}), and nothing tells which is that of "
                "{}; name the program's files instead of --project",
                mains.size(), fmt::join(mains, ", "), executable);
  std::erase_if(units, [&](const Unit& unit) { return unit.file != *its && hasMain(unit); });
  return units;
}

Expected<std::vector<BuildCommand>> projectCommands(const fs::path& folder) {
  std::error_code error;
  const fs::path file =
      fs::is_regular_file(folder, error) ? folder : folder / "compile_commands.json";
  if (!fs::exists(file, error))
    return fail(ErrorKind::NotFound,
                "--project {}: there is no {}; CMake writes it with "
                "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON, and 'bear -- make' for a makefile",
                folder.string(), file.string());
  return frontend::readCompileCommands(file);
}

/// The folder that CMake calls the project's, of a folder in its build; empty: CMake built nothing
/// there.
std::string cmakeProject(const fs::path& folder) {
  static const std::regex home("(?:^|\n)CMAKE_HOME_DIRECTORY:INTERNAL=([^\n]+)");
  for (fs::path at = folder; at.has_relative_path(); at = at.parent_path()) {
    const auto cache = readFile(at / "CMakeCache.txt");
    std::smatch found;
    if (cache && std::regex_search(*cache, found, home))
      return found[1];
  }
  return "";
}

/// Of a program that was linked in a folder; empty: nobody knows.
std::string rootOf(const ProgramSpec& program, const fs::path& folder) {
  if (std::string found = cmakeProject(folder); !found.empty())
    return found;
  const auto isThere = [&](const std::string& file) { return isBelow(file, folder); };
  return std::ranges::all_of(program.files, isThere) ? folder.string() : "";
}

/// Every file of a program is there.
Expected<ProgramSpec> checked(ProgramSpec program, const std::string& from) {
  for (const std::string& file : program.files)
    if (auto text = readFile(file); !text)
      return tl::unexpected(within(from, std::move(text).error()));
  if (std::ranges::none_of(program.files,
                           [&](const std::string& file) { return program.isCuda(file); }))
    return fail(ErrorKind::BadInput, "{}: no CUDA file is compiled for {}", from,
                program.executable);
  return program;
}

void append(CompilerFlags& to, const CompilerFlags& more) {
  for (auto member :
       {&CompilerFlags::common, &CompilerFlags::device, &CompilerFlags::host, &CompilerFlags::nvcc})
    (to.*member).insert((to.*member).end(), (more.*member).begin(), (more.*member).end());
}

} // namespace

Expected<std::optional<ProgramSpec>> programOfBinary(const std::string& executable) {
  HEDDLE_TRY(const std::string content, readFile(executable));
  const frontend::KeptCommands kept = frontend::keptCommands(content);
  if (kept.compiled.empty() || kept.linked.empty())
    return std::optional<ProgramSpec>();
  HEDDLE_TRY(const NvccCommandLine link, readCommand(kept.linked.front()));
  std::vector<BuildCommand> compiled = kept.compiled;
  std::vector<std::string> objects;
  for (const std::string& input : link.inputs) {
    if (frontend::isSource(input, link.flags))
      continue;
    const fs::path file = resolved(kept.linked.front().folder, input);
    const auto text = readFile(file);
    const auto own = text ? frontend::keptCommands(*text).compiled : std::vector<BuildCommand>();
    compiled.insert(compiled.end(), own.begin(), own.end()); // of a shared library, too
    if (own.empty())
      objects.push_back(file.string());
  }
  HEDDLE_TRY(const std::vector<Unit> units, readUnits(compiled));
  ProgramSpec program = programOf(units, executable);
  program.root = rootOf(program, kept.linked.front().folder);
  program.flags = link.flags;
  program.objects = std::move(objects);
  HEDDLE_TRY(ProgramSpec whole, checked(std::move(program), executable));
  return std::optional(std::move(whole));
}

Expected<ProgramSpec> programOfProject(const fs::path& folder, const std::string& executable,
                                       const CompilerFlags& flags) {
  // Step 1
  HEDDLE_TRY(const std::vector<BuildCommand> commands, projectCommands(folder));
  HEDDLE_TRY(std::vector<Unit> units, readUnits(commands));
  // Step 2
  std::error_code error;
  const fs::path named = fs::weakly_canonical(folder, error);
  const fs::path place = fs::is_directory(named, error) ? named : named.parent_path();
  HEDDLE_TRY(const std::optional<BuildCommand> link, findLink(place, executable));
  // Step 3
  ProgramSpec rest;
  if (link) {
    HEDDLE_TRY(const NvccCommandLine line, readCommand(*link));
    std::vector<Unit> taken;
    addLink(line, link->folder, units, taken, rest);
    units = std::move(taken);
  } else {
    HEDDLE_TRY(units, unitsWithOneMain(std::move(units), executable));
  }
  ProgramSpec program = programOf(units, executable);
  program.root = cmakeProject(place);
  if (program.root.empty())
    program.root = place;
  program.objects = std::move(rest.objects);
  program.flags = std::move(rest.flags);
  program.changeFlags([&](CompilerFlags& each) { append(each, flags); });
  program.flags.link.insert(program.flags.link.end(), flags.link.begin(), flags.link.end());
  return checked(std::move(program), "--project " + folder.string());
}

} // namespace heddle::driver
