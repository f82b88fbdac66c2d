// SPDX-License-Identifier: Apache-2.0
//
// The command that takes the place of a compiler.
#include "Commands.h"

#include "driver/CcCommand.h"

#include <memory>

namespace heddle::tool {
namespace {

/// For help and completions: all arguments go to frontend::readNvccCommandLine.
Flag nvccFlag(std::string name, std::string value, std::string help,
              Completes completes = Completes::Nothing) {
  return {.name = std::move(name),
          .value = std::move(value),
          .help = std::move(help),
          .set = [](std::string_view) { return Expected<void>(); },
          .repeatable = true,
          .completes = completes};
}

std::vector<Flag> ccFlags() {
  return {nvccFlag("-c", "", "an object of each source; -dc too"),
          nvccFlag("-o", "FILE", "what to write", Completes::Files),
          nvccFlag("-shared", "", "a shared library"),
          nvccFlag("-lib", "", "a static library"),
          nvccFlag("-dlink", "", "an empty object: device code is linked when a program starts"),
          nvccFlag("-rdc", "true|false", "host code may name device variables of other files"),
          nvccFlag("-E", "", "the source after its includes"),
          nvccFlag("-M", "", "a rule for make; with -MD beside the object, -MF in a file"),
          nvccFlag("-I", "DIR", "search headers here", Completes::Folders),
          nvccFlag("-D", "NAME[=VALUE]", "define a macro"),
          nvccFlag("-std", "STANDARD", "the C++ standard (default c++17)"),
          nvccFlag("-O", "LEVEL", "optimise the host code: 0 to 3 (default 2)"),
          nvccFlag("-x", "cu|c++|c", "the language of files with other names"),
          nvccFlag("-l", "LIBRARY", "link with a library"),
          nvccFlag("-L", "DIR", "search libraries here", Completes::Folders),
          nvccFlag("-Xcompiler", "FLAGS", "flags for the host code, separated by commas"),
          nvccFlag("-Xlinker", "FLAGS", "flags for the linker, separated by commas"),
          nvccFlag("-v", "", "print what is done")};
}

} // namespace

Command ccCommand(CommonOptions& common) {
  auto options = std::make_shared<driver::CcOptions>();
  Command command;
  command.name = "cc";
  command.summary = "compile with nvcc's command line, for makefiles";
  command.details =
      "Takes what nvcc takes, response files (@FILE, -optf FILE) included, and makes objects, "
      "libraries\n"
      "and programs that run on the engine, with no toolkit and no GPU. 'heddle-cc' is the same "
      "as one\n"
      "word. 'heddle run PROGRAM' runs what it made and reports; started by themselves, programs "
      "leave\n"
      "their profile where HEDDLE_PROFILE says, with %p for the process, and are told about by "
      "the\n"
      "other variables of docs/make.md. Flags that say how to make machine code (-arch, -gencode, "
      "-Xptxas,\n"
      "-use_fast_math, -lineinfo, -G and the like) are accepted and change nothing.";
  command.examples = {"make NVCC=\"heddle cc\"", "heddle cc -O3 -arch=sm_90 main.cu -o main",
                      "heddle cc -dc part.cu -o part.o"};
  command.positional = Flag{.name = "FILE",
                            .value = "FILE",
                            .help = "sources, objects and libraries",
                            .set = [](std::string_view) { return Expected<void>(); },
                            .repeatable = true,
                            .completes = Completes::Files};
  command.flags = ccFlags();
  command.takeForeign = [options](std::span<const std::string> arguments) -> Expected<std::size_t> {
    if (arguments.front() == "-h" || arguments.front() == "--help")
      return 0;
    options->arguments.push_back(arguments.front());
    return 1;
  };
  command.run = [options, &common] { return driver::compileLikeNvcc(*options, common.output()); };
  return command;
}

} // namespace heddle::tool
