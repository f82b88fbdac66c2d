// SPDX-License-Identifier: Apache-2.0
//
// heddle: parse, run, print. Results go to standard output, complaints to standard error.
// Exit status: 0 fine, 1 findings above an asked threshold, 2 an error; a closed pipe is fine. A
// command that runs a program ends with the program's status.
#include "CommandLine.h"
#include "Commands.h"
#include "Commit.h"
#include "Completions.h"
#include "Help.h"
#include "report/Table.h"
#include "support/Printable.h"
#include "support/StopSignals.h"
#include "support/Terminal.h"

#include <tbb/global_control.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace heddle::tool {
namespace {

constexpr int exitFine = 0;
constexpr int exitError = 2;

/// " (commit 1a2b3c4)"; empty where the build knew of none.
std::string commitText() {
  const std::string_view commit = HEDDLE_COMMIT;
  return commit.empty() ? "" : fmt::format(" (commit {})", commit);
}

int complain(std::string_view message) {
  const std::string text = fmt::format("heddle: error: {}\n", printable(message));
  std::fwrite(text.data(), 1, text.size(), stderr); // and if nobody listens, the status says it
  return exitError;
}

int print(const std::string& text) {
  errno = 0;
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written || errno == EPIPE) // the reader has seen enough
    return exitFine;
  return complain(fmt::format("cannot write the result: {}", std::strerror(errno)));
}

/// 'heddle help COMMAND ...' is 'heddle COMMAND ... --help'; see asHelpFlag.
Command helpCommand(bool& markdown) {
  Command command;
  command.name = "help";
  command.summary = "explain a command";
  command.examples = {"heddle help occupancy", "heddle help schedule best"};
  command.positional = Flag{.name = "COMMAND",
                            .value = "COMMAND",
                            .help = "the command to explain",
                            .set = [](std::string_view) { return Expected<void>(); }};
  command.flags = {switchFlag("--markdown", "print the whole reference, docs/cli.md", markdown)};
  return command;
}

/// Rewrites 'help COMMAND ...' so that one piece of code finds commands.
std::vector<std::string> asHelpFlag(std::vector<std::string> arguments) {
  const bool asked = !arguments.empty() && arguments.front() == "help";
  const bool plain = std::ranges::none_of(
      arguments, [](const std::string& argument) { return argument.starts_with("-"); });
  if (asked && plain) {
    arguments.erase(arguments.begin());
    arguments.emplace_back("--help");
  }
  return arguments;
}

Command completionsCommand(std::string& shell) {
  Command command;
  command.name = "completions";
  command.summary = "print the completion script of a shell";
  command.details =
      "bash: heddle completions bash > ~/.local/share/bash-completion/completions/heddle\n"
      "zsh:  heddle completions zsh > a folder of $fpath, as _heddle";
  command.examples = {"source <(heddle completions bash)"};
  command.positional =
      required(withChoices(textFlag("SHELL", "SHELL", "bash or zsh", shell), {"bash", "zsh"}));
  return command;
}

Expected<std::string> runCompletions(const Command& root, const std::string& shell) {
  if (shell == "bash")
    return bashCompletions(root);
  if (shell == "zsh")
    return zshCompletions(root);
  return fail(ErrorKind::BadInput, "no completions for '{}'; there are some for bash and zsh",
              shell);
}

Expected<driver::Answer> answer(const Invocation& invocation) {
  switch (invocation.wish) {
  case Wish::LongHelp:
    return driver::Answer(longHelp(*invocation.command, invocation.path));
  case Wish::ShortHelp:
    break;
  case Wish::Run:
    if (invocation.command->run)
      return invocation.command->run();
    break;
  }
  return driver::Answer(shortHelp(*invocation.command, invocation.path));
}

int runTool(std::vector<std::string> arguments) {
  CommonOptions common;
  bool markdown = false;
  std::string shell;
  Command root = makeCommands(common);
  root.children.push_back(helpCommand(markdown));
  root.children.push_back(completionsCommand(shell));
  Command& helpNode = root.children[root.children.size() - 2];
  helpNode.run = [&] {
    return driver::Answer(markdown ? markdownHelp(root) : longHelp(root, root.name));
  };
  root.children.back().run = [&] { return runCompletions(root, shell); };

  const auto invocation = parseCommandLine(root, asHelpFlag(std::move(arguments)));
  if (!invocation)
    return complain(invocation.error().message);
  if (common.version)
    return print(fmt::format("heddle {}{}\n", HEDDLE_VERSION, commitText()));
  if (common.jobs && *common.jobs < 1)
    return complain(fmt::format("--jobs: {} threads: expected at least 1", *common.jobs));
  std::unique_ptr<tbb::global_control> threads;
  if (common.jobs)
    threads = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                    std::size_t(*common.jobs));
  const auto result = answer(*invocation);
  if (!result)
    return complain(result.error().message);
  // Reports spell out what others wrote; this is for what slips through.
  const bool raw = (result->exact || common.json) && !isTerminal(stdout);
  const int printed = print(raw ? result->text : printableColored(result->text));
  if (!result->complaint.empty())
    complain(result->complaint);
  return printed == exitFine ? result->status : printed;
}

/// A descriptor that is closed would be taken by the next file we open. What takes its place can do
/// nothing: to write a result to it is an error.
void openStandardDescriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(descriptor, F_GETFD) < 0)
      open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY); // the lowest number
}

/// Our name may say which command is meant: heddle-cc, where a build system wants one word.
std::vector<std::string> argumentsOf(int count, char** texts) {
  std::vector<std::string> arguments(texts + std::min(count, 1), texts + count);
  const std::string_view name = count > 0 ? texts[0] : "";
  if (name.substr(name.rfind('/') + 1) == "heddle-cc")
    arguments.insert(arguments.begin(), "cc");
  return arguments;
}

/// A sweep's point ends with the process that runs it, however that one ends.
void endWithParent() {
  const char* const parent = std::getenv("HEDDLE_ENDS_WITH");
  if (parent == nullptr)
    return;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (std::to_string(getppid()) != parent)
    _exit(exitError);           // it has ended already
  unsetenv("HEDDLE_ENDS_WITH"); // it is not meant for whom we start
}

} // namespace
} // namespace heddle::tool

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  heddle::tool::openStandardDescriptors();
  heddle::tool::endWithParent();
  heddle::catchStopSignals();
  if (const auto columns = heddle::terminalColumns(stdout))
    heddle::report::setMostColumns(*columns);
  return heddle::tool::runTool(heddle::tool::argumentsOf(argc, argv));
}
