// SPDX-License-Identifier: Apache-2.0
//
// Other programs as children: started, and waited for later, so that several can run at once.
#pragma once

#include "support/Error.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace heddle {

struct SubprocessOptions {
  std::string program;        ///< what to run, looked up in PATH; empty: the first argument
  std::string inputFile;      ///< standard input; empty: ours
  std::string outputFile;     ///< takes standard output and error; empty: ours
  std::string errorFile;      ///< takes standard error alone; then outputFile only the output
  bool outputToError = false; ///< standard output goes where standard error goes
  std::optional<int> input;   ///< a descriptor of ours the child has as `inputDescriptor`
  bool ownGroup = true;       ///< not for one that talks with the terminal
  bool sameAddresses = false; ///< its code, stack and heap lie where they lay before
  std::vector<std::pair<std::string, std::string>> environment; ///< over ours
};

struct SubprocessEnd {
  int exitCode = 0; ///< 128 + signal when a signal ended it
  int signal = 0;   ///< 0: it ended by itself
};

class Subprocess {
public:
  static constexpr int inputDescriptor = 3;

  /// `arguments` begins with the program's name. No shell is involved. Where signals are caught
  /// (support/StopSignals.h) the child leads a group of its own, and a signal that ends us ends it.
  static Expected<Subprocess> start(const std::vector<std::string>& arguments,
                                    const SubprocessOptions& options = {});

  Subprocess(Subprocess&& other) noexcept
      : child_(std::exchange(other.child_, 0)), watch_(std::exchange(other.watch_, -1)),
        leadsGroup_(other.leadsGroup_) {}
  Subprocess& operator=(Subprocess&&) = delete;
  ~Subprocess(); ///< waits if nobody has

  SubprocessEnd wait();

  /// Whether wait() would return at once.
  bool hasEnded() const;

  /// Ends it, and the group that it leads, at once. wait() then says so.
  void kill() const;

  /// Waits until one of several has ended, or for so long. Negative: for ever.
  static void waitForAny(const std::vector<const Subprocess*>& children,
                         std::chrono::microseconds limit);

  pid_t id() const { return child_; }

private:
  Subprocess(pid_t child, bool leadsGroup);

  pid_t child_;
  int watch_ = -1; ///< a descriptor that can be read once the child has ended; -1: none
  bool leadsGroup_ = false;
};

/// A pipe whose ends no child inherits by itself.
class Pipe {
public:
  static Expected<Pipe> make();

  Pipe(Pipe&& other) noexcept
      : read_(std::exchange(other.read_, -1)), write_(std::exchange(other.write_, -1)) {}
  Pipe& operator=(Pipe&&) = delete;
  ~Pipe();

  int readEnd() const { return read_; }
  void closeRead();

  /// Writes and closes. A reader that has gone is fine.
  void finish(std::string_view text);

private:
  Pipe(int readEnd, int writeEnd) : read_(readEnd), write_(writeEnd) {}

  int read_;
  int write_;
};

} // namespace heddle
