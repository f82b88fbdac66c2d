// SPDX-License-Identifier: Apache-2.0
//
// The processes of an MPI job, as far as a sweep needs them: short messages without an answer. What
// talks MPI is a library of its own, src/sweep/mpi, that is loaded only inside a job: heddle
// itself starts as quickly, and runs where there is no MPI, as without it.
#pragma once

#include "support/Error.h"

#include <memory>
#include <optional>
#include <string>

namespace heddle::sweep {

struct Message {
  int from = 0;
  std::string text;
};

class Ranks {
public:
  virtual ~Ranks() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Returns at once, also where the other one does not listen.
  virtual void send(int to, std::string text) = 0;

  /// The next message, if one has come.
  virtual std::optional<Message> receive() = 0;

  /// Ends MPI, together with all ranks. Not called where one of them has died: nobody would return.
  virtual void finish() = 0;
};

/// Whether somebody started us as one of several processes.
bool isInJob();

/// Joins the job.
Expected<std::unique_ptr<Ranks>> joinJob();

/// What the library exports; the text says what went wrong.
using MakeRanks = Ranks* (*)(std::string& error);
inline constexpr const char* makeRanksName = "heddleMakeRanks";

} // namespace heddle::sweep
