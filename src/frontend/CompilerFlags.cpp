// SPDX-License-Identifier: Apache-2.0
//
// One table of spellings. A value may follow a flag joined ("-Idir"), after '=' ("-std=c++17") or
// as the next argument ("-Xcompiler -Wall"); the table says which.
#include "frontend/CompilerFlags.h"

#include "support/Parse.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace heddle::frontend {
namespace {

enum class Takes {
  Nothing,
  Value,  ///< after '=' or as the next argument
  Joined, ///< right behind the name, or as the next argument
};

using Apply = Expected<void> (*)(CompilerFlags& flags, std::string_view value);

Expected<void> ignore(CompilerFlags&, std::string_view) {
  return {};
}

Expected<void> setStandard(CompilerFlags& flags, std::string_view value) {
  flags.standard = value;
  return {};
}

Expected<void> setLevel(CompilerFlags& flags, std::string_view value) {
  static constexpr std::array<std::string_view, 7> levels = {"0", "1", "2", "3", "s", "z", "fast"};
  if (std::ranges::find(levels, value) == levels.end())
    return fail(ErrorKind::BadInput, "-O{}: expected -O0, -O1, -O2, -O3, -Os, -Oz or -Ofast",
                value);
  flags.level = value;
  return {};
}

Expected<void> setLanguage(CompilerFlags& flags, std::string_view value) {
  flags.language = value == "cuda" ? "cu" : value;
  if (flags.language != "cu" && flags.language != "c++" && flags.language != "c")
    return fail(ErrorKind::BadInput, "-x {}: expected cu, c++ or c", value);
  return {};
}

Expected<void> setRelocatable(CompilerFlags& flags, std::string_view value) {
  if (value != "true" && value != "false")
    return fail(ErrorKind::BadInput, "-rdc={}: expected true or false", value);
  if (value == "true")
    flags.makeRelocatable();
  return {};
}

Expected<void> addHostFlag(CompilerFlags& flags, std::string_view flag) {
  if (flag.starts_with("-Wl,") || flag == "-rdynamic" || flag == "-s") {
    flags.link.emplace_back(flag);
    return {};
  }
  flags.host.emplace_back(flag);
  if (flag.starts_with("-fopenmp") || flag == "-pthread")
    flags.link.emplace_back(flag);
  return {};
}

/// nvcc takes several at once: -Xcompiler -Wall,-fopenmp, or "-Wall -fopenmp".
Expected<void> addHostFlags(CompilerFlags& flags, std::string_view value) {
  for (const std::string_view part : splitText(value, ','))
    for (const std::string_view word : splitText(part, ' '))
      if (!word.empty())
        HEDDLE_CHECK(addHostFlag(flags, word));
  return {};
}

Expected<void> addLinkerFlags(CompilerFlags& flags, std::string_view value) {
  flags.link.push_back(fmt::format("-Wl,{}", value));
  return {};
}

/// Libraries of a toolkit are left out: some the program gets from us, and without the others a
/// message names the functions of theirs that it calls.
Expected<void> addLibrary(CompilerFlags& flags, std::string_view value) {
  if (!isToolkitLibrary(value))
    flags.link.push_back(fmt::format("-l{}", value));
  return {};
}

Expected<void> setContraction(CompilerFlags& flags, std::string_view value) {
  if (value == "false")
    flags.device.emplace_back("-ffp-contract=off");
  return {};
}

template <const char* prefix> Expected<void> addCommon(CompilerFlags& flags, std::string_view v) {
  flags.common.emplace_back(prefix);
  flags.common.emplace_back(v);
  return {};
}
template <const char* prefix> Expected<void> addLink(CompilerFlags& flags, std::string_view v) {
  flags.link.push_back(std::string(prefix) + std::string(v));
  return {};
}
template <const char* flag> Expected<void> addHost(CompilerFlags& flags, std::string_view) {
  return addHostFlag(flags, flag);
}

constexpr char include[] = "-I", define[] = "-D", undefine[] = "-U", first[] = "-include",
               system[] = "-isystem", quoted[] = "-iquote", folder[] = "-L", debug[] = "-g",
               openmp[] = "-fopenmp", threads[] = "-pthread", quiet[] = "-w",
               noExceptions[] = "-fno-exceptions", exported[] = "-rdynamic", stripped[] = "-s",
               profiled[] = "-pg";

struct Spelling {
  std::string_view name;
  Takes takes;
  Apply apply;
};

/// Whole names before the ones a value may be joined to: "-lineinfo" is not "-l ineinfo".
constexpr Spelling spellings[] = {
    {"-std", Takes::Value, setStandard},
    {"--std", Takes::Value, setStandard},
    {"-isystem", Takes::Value, addCommon<system>},
    {"-iquote", Takes::Value, addCommon<quoted>},
    {"-include", Takes::Value, addCommon<first>},
    {"--include-path", Takes::Value, addCommon<include>},
    {"--define-macro", Takes::Value, addCommon<define>},
    {"-Xcompiler", Takes::Value, addHostFlags},
    {"--compiler-options", Takes::Value, addHostFlags},
    {"-Xlinker", Takes::Value, addLinkerFlags},
    {"--linker-options", Takes::Value, addLinkerFlags},
    {"--library", Takes::Value, addLibrary},
    {"--library-path", Takes::Value, addLink<folder>},
    {"--system-include", Takes::Value, addCommon<system>},
    {"--pre-include", Takes::Value, addCommon<first>},
    {"--undefine-macro", Takes::Value, addCommon<undefine>},
    {"--optimize", Takes::Value, setLevel},
    {"--debug", Takes::Nothing, addHost<debug>},
    {"--disable-warnings", Takes::Nothing, addHost<quiet>},
    {"-noeh", Takes::Nothing, addHost<noExceptions>},
    {"--no-exceptions", Takes::Nothing, addHost<noExceptions>},
    {"-rdynamic", Takes::Nothing, addHost<exported>},
    {"-s", Takes::Nothing, addHost<stripped>},
    {"-pg", Takes::Nothing, addHost<profiled>},
    {"-x", Takes::Value, setLanguage},
    {"-g", Takes::Nothing, addHost<debug>},
    {"-w", Takes::Nothing, addHost<quiet>},
    {"-fopenmp", Takes::Nothing, addHost<openmp>},
    {"-pthread", Takes::Nothing, addHost<threads>},
    {"-fmad", Takes::Value, setContraction},
    {"--fmad", Takes::Value, setContraction},
    // What says how nvcc makes machine code; there is none here.
    {"-arch", Takes::Value, ignore},
    {"--gpu-architecture", Takes::Value, ignore},
    {"-code", Takes::Value, ignore},
    {"--gpu-code", Takes::Value, ignore},
    {"-gencode", Takes::Value, ignore},
    {"--generate-code", Takes::Value, ignore},
    {"-maxrregcount", Takes::Value, ignore},
    {"--maxrregcount", Takes::Value, ignore},
    {"-Xptxas", Takes::Value, ignore},
    {"--ptxas-options", Takes::Value, ignore},
    {"-Xcudafe", Takes::Value, ignore},
    {"-Xnvlink", Takes::Value, ignore},
    {"-diag-suppress", Takes::Value, ignore},
    {"--diag-suppress", Takes::Value, ignore},
    {"-ccbin", Takes::Value, ignore},
    {"--compiler-bindir", Takes::Value, ignore},
    {"-cudart", Takes::Value, ignore},
    {"--cudart", Takes::Value, ignore},
    {"-default-stream", Takes::Value, ignore},
    {"--default-stream", Takes::Value, ignore},
    {"-rdc", Takes::Value, setRelocatable},
    {"--relocatable-device-code", Takes::Value, setRelocatable},
    {"--cudafe-options", Takes::Value, ignore},
    {"--nvlink-options", Takes::Value, ignore},
    {"-Xfatbin", Takes::Value, ignore},
    {"--fatbin-options", Takes::Value, ignore},
    {"-cudadevrt", Takes::Value, ignore},
    {"--cudadevrt", Takes::Value, ignore},
    {"-split-compile", Takes::Value, ignore},
    {"--split-compile", Takes::Value, ignore},
    {"--diag-error", Takes::Value, ignore},
    {"-diag-error", Takes::Value, ignore},
    {"--diag-warn", Takes::Value, ignore},
    {"-diag-warn", Takes::Value, ignore},
    {"--machine", Takes::Value, ignore},
    {"-res-usage", Takes::Nothing, ignore},
    {"--resource-usage", Takes::Nothing, ignore},
    {"-src-in-ptx", Takes::Nothing, ignore},
    {"-extra-device-vectorization", Takes::Nothing, ignore},
    {"--extra-device-vectorization", Takes::Nothing, ignore},
    {"-ewp", Takes::Nothing, ignore},
    {"-dlto", Takes::Nothing, ignore},
    {"--dlink-time-opt", Takes::Nothing, ignore},
    {"-allow-unsupported-compiler", Takes::Nothing, ignore},
    {"--allow-unsupported-compiler", Takes::Nothing, ignore},
    {"-ftz", Takes::Value, ignore},
    {"-prec-div", Takes::Value, ignore},
    {"-prec-sqrt", Takes::Value, ignore},
    {"-use_fast_math", Takes::Nothing, ignore},
    {"--use_fast_math", Takes::Nothing, ignore},
    {"-lineinfo", Takes::Nothing, ignore},
    {"--generate-line-info", Takes::Nothing, ignore},
    {"-G", Takes::Nothing, ignore},
    {"--device-debug", Takes::Nothing, ignore},
    {"-m64", Takes::Nothing, ignore},
    {"-expt-relaxed-constexpr", Takes::Nothing, ignore},
    {"--expt-relaxed-constexpr", Takes::Nothing, ignore},
    {"-extended-lambda", Takes::Nothing, ignore},
    {"--extended-lambda", Takes::Nothing, ignore},
    {"-expt-extended-lambda", Takes::Nothing, ignore},
    {"--expt-extended-lambda", Takes::Nothing, ignore},
    {"-restrict", Takes::Nothing, ignore},
    {"--restrict", Takes::Nothing, ignore},
    {"-Wno-deprecated-gpu-targets", Takes::Nothing, ignore},
    {"-I", Takes::Joined, addCommon<include>},
    {"-D", Takes::Joined, addCommon<define>},
    {"-U", Takes::Joined, addCommon<undefine>},
    {"-O", Takes::Joined, setLevel},
    {"-L", Takes::Joined, addLink<folder>},
    {"-l", Takes::Joined, addLibrary},
};

struct Match {
  bool found = false;
  std::optional<std::string_view> value; ///< where it stands in the same argument
};

Match match(const Spelling& spelling, std::string_view argument) {
  if (argument == spelling.name)
    return {true, {}};
  if (!argument.starts_with(spelling.name) || spelling.takes == Takes::Nothing)
    return {};
  std::string_view rest = argument.substr(spelling.name.size());
  if (spelling.takes == Takes::Value) {
    if (!rest.starts_with('='))
      return {};
    rest.remove_prefix(1);
  }
  return {true, rest};
}

} // namespace

bool CompilerFlags::isCuda(const std::string& file) const {
  return language.empty() ? file.ends_with(".cu") : language == "cu";
}

bool isToolkitLibrary(std::string_view name) {
  static constexpr std::array<std::string_view, 15> names = {
      "cudart", "cudadevrt", "cuda",  "culibos", "cublas", "cublasLt", "curand",    "cufft",
      "cufftw", "cusparse",  "cudnn", "nccl",    "nvrtc",  "cusolver", "nvToolsExt"};
  if (constexpr std::string_view ending = "_static"; name.ends_with(ending))
    name.remove_suffix(ending.size());
  return std::ranges::find(names, name) != names.end() || name.starts_with("npp");
}

void CompilerFlags::makeRelocatable() {
  if (!std::exchange(relocatable, true))
    nvcc.emplace_back("-rdc=true");
}

Expected<std::size_t> takeCompilerFlag(std::span<const std::string> arguments,
                                       CompilerFlags& flags) {
  const std::string_view argument = arguments.front();
  for (const Spelling& spelling : spellings) {
    const Match matched = match(spelling, argument);
    if (!matched.found)
      continue;
    const bool follows = spelling.takes != Takes::Nothing && !matched.value;
    if (follows && (arguments.size() < 2 || arguments[1].empty() || arguments[1] == "--"))
      return fail(ErrorKind::BadInput, "{} needs a value", spelling.name);
    HEDDLE_CHECK(spelling.apply(flags, follows ? std::string_view(arguments[1])
                                               : matched.value.value_or("")));
    const std::size_t taken = follows ? 2 : 1;
    if (spelling.apply == ignore)
      flags.nvcc.insert(flags.nvcc.end(), arguments.begin(), arguments.begin() + taken);
    return taken;
  }
  // The host compiler's own: warnings, code generation, machine.
  for (const std::string_view prefix : {"-W", "-f", "-m"})
    if (argument.starts_with(prefix) && argument.size() > prefix.size()) {
      HEDDLE_CHECK(addHostFlag(flags, argument));
      return 1;
    }
  return 0;
}

} // namespace heddle::frontend
