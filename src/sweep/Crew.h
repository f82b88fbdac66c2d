// SPDX-License-Identifier: Apache-2.0
//
// The other ranks as rank 0 sees them: who is there, what each has to do, who has fallen silent.
// Without a job there is nobody, and all of this does nothing.
#pragma once

#include "sweep/Pace.h"
#include "sweep/Ranks.h"
#include "sweep/WorkerMessages.h"

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace heddle::sweep {

struct CrewMember {
  int slots = 0; ///< 0: it has not said hello, or gets no points
  std::string host{};
  std::map<std::int64_t, Task> tasks{}; ///< that it has
  Heard heard{};
  bool dead = false;
  bool gone = false; ///< it said bye
};

class Crew {
public:
  /// `ranks`: null where there is no job. A member is dead after so much silence.
  Crew(Ranks* ranks, std::chrono::seconds silence);

  bool isEmpty() const { return members_.empty(); }
  std::map<int, CrewMember>& members() { return members_; }

  void send(int rank, const WorkerMessage& message);
  void sendTask(int rank, Task task);

  /// Calls `hear` for each message that has come.
  void takeMessages(const std::function<void(int rank, WorkerMessage)>& hear);

  /// Those that are dead from now on.
  std::vector<int> newlyDead();

  void beat();

  /// Tells all that the sweep is over, and leaves the job: together, or, where one has died, each
  /// for itself. Points that still run are ended.
  void dismiss();

private:
  Ranks* ranks_;
  std::chrono::seconds silence_;
  std::map<int, CrewMember> members_; ///< by rank
};

} // namespace heddle::sweep
