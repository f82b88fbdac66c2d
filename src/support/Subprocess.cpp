// SPDX-License-Identifier: Apache-2.0
#include "support/Subprocess.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace heddle {

Expected<SubprocessResult> runSubprocess(const std::vector<std::string>& arguments) {
  std::array<int, 2> pipe{};
  if (pipe2(pipe.data(), O_CLOEXEC) != 0)
    return fail(ErrorKind::Io, "cannot run {}: {}", arguments.front(), std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], STDERR_FILENO);
  std::vector<char*> words;
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str())); // posix_spawn does not change them
  words.push_back(nullptr);
  pid_t child = 0;
  const int status = posix_spawnp(&child, words.front(), &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe[1]);
  if (status != 0) {
    close(pipe[0]);
    return fail(ErrorKind::Io, "cannot run {}: {}", arguments.front(), std::strerror(status));
  }
  SubprocessResult result;
  std::array<char, 4096> buffer;
  for (ssize_t got = 0; (got = read(pipe[0], buffer.data(), buffer.size())) > 0;)
    result.output.append(buffer.data(), std::size_t(got));
  close(pipe[0]);
  int ended = 0;
  waitpid(child, &ended, 0);
  result.exitCode = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
  return result;
}

} // namespace heddle
