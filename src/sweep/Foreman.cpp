// SPDX-License-Identifier: Apache-2.0
#include "sweep/Foreman.h"

#include "database/Fault.h"
#include "sweep/Pace.h"
#include "sweep/PointSlots.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace heddle::sweep {
namespace {

constexpr int mostDeaths = 3; ///< of ranks that ran one point
constexpr std::chrono::microseconds tick{500'000};

class Foreman {
public:
  Foreman(PointTable& table, const std::vector<Task>& tasks, Crew& crew,
          const PointSettings& settings, const ForemanOptions& options)
      : table_(table), crew_(crew), settings_(settings), options_(options),
        waiting_(tasks.begin(), tasks.end()), wanted_(tasks.size()),
        slots_(options.slots, settings) {}

  Expected<ForemanReport> run() {
    const Heard begin;
    while (isAtWork()) {
      crew_.takeMessages(
          [this](int rank, WorkerMessage message) { hear(rank, std::move(message)); });
      for (const int rank : crew_.newlyDead())
        giveOutAgain(rank);
      slots_.clear();
      giveOut();
      for (PointResult& result : slots_.takeResults()) // while the next points run
        take(std::move(result));
      HEDDLE_CHECK(write());
      beat();
      if (isAtWork())
        slots_.wait(crew_.isEmpty() ? tick : pace_.interval());
    }
    HEDDLE_CHECK(table_.makeDurable());
    report_.ended = ended_.size();
    report_.seconds = std::chrono::duration<double>(begin.silence()).count();
    return std::move(report_);
  }

private:
  bool isAtWork() const { return ended_.size() < wanted_ || !unwritten_.empty(); }

  /// Our own slots come first: what they do needs no message.
  void giveOut() {
    while (!waiting_.empty() && slots_.hasRoom())
      slots_.start(next());
    for (auto& [rank, member] : crew_.members())
      while (!waiting_.empty() && !member.dead && int(member.tasks.size()) < member.slots)
        crew_.sendTask(rank, next());
  }

  Task next() {
    Task task = std::move(waiting_.front());
    waiting_.pop_front();
    return task;
  }

  void hear(int rank, WorkerMessage message) {
    if (message.kind == "hello")
      greet(rank, message);
    else if (message.kind == "result") {
      crew_.members()[rank].tasks.erase(message.result.id);
      take(std::move(message.result));
    }
  }

  void greet(int rank, const WorkerMessage& hello) {
    pace_.note();
    CrewMember& member = crew_.members()[rank];
    member.host = hello.host;
    if (hello.version == settings_.version) {
      member.slots = hello.slots;
      crew_.send(rank, {.kind = "welcome", .outputs = settings_.outputs});
    } else
      report_.problems.push_back(
          fmt::format("rank {} on {} is heddle {}, and rank 0 is {}: it got no points", rank,
                      hello.host, hello.version, settings_.version));
  }

  /// The first result of a point counts: a rank that was taken for dead may bring another.
  void take(PointResult result) {
    pace_.note();
    if (!ended_.insert(result.id).second)
      return;
    std::erase_if(waiting_, [&](const Task& task) { return task.id == result.id; });
    report_.failed += result.done ? 0 : 1;
    unwritten_.push_back(std::move(result));
    tell();
  }

  void tell() const {
    if (options_.progress)
      options_.progress(ended_.size(), report_.failed);
  }

  Expected<void> write() {
    for (; !unwritten_.empty(); unwritten_.pop_front()) {
      const Expected<void> written = table_.record(unwritten_.front());
      const bool mayWait = lastWrite_.silence() < options_.lockPatience;
      if (!written && database::isLocked(written.error()) && mayWait)
        return {};
      HEDDLE_CHECK(written);
      isDurable_ = false;
    }
    lastWrite_.note();
    if (isDurable_ || !durable_.isDue())
      return {};
    isDurable_ = true;
    return table_.makeDurable();
  }

  void giveOutAgain(int rank) {
    CrewMember& member = crew_.members()[rank];
    report_.problems.push_back(
        fmt::format("rank {}{} died{}", rank, member.host.empty() ? "" : " on " + member.host,
                    member.tasks.empty() ? "" : ": its points were given out again"));
    for (auto& [id, task] : std::exchange(member.tasks, {})) {
      if (ended_.contains(id))
        continue;
      if (++deaths_[id] < mostDeaths)
        waiting_.push_front(task);
      else
        take(failedToStart(task, settings_,
                           fmt::format("{} ranks died while they ran it", mostDeaths)));
    }
  }

  void beat() {
    if (!beat_.isDue())
      return;
    tell();
    crew_.beat();
  }

  PointTable& table_;
  Crew& crew_;
  const PointSettings& settings_;
  const ForemanOptions& options_;
  std::deque<Task> waiting_;
  std::size_t wanted_;
  PointSlots slots_; ///< ends what runs when we return
  std::set<std::int64_t> ended_;
  std::deque<PointResult> unwritten_;
  std::map<std::int64_t, int> deaths_; ///< by point
  bool isDurable_ = true;
  Pace pace_;
  Heard lastWrite_; ///< when nothing was left to be written
  Beat beat_{std::chrono::milliseconds(500)};
  Beat durable_{std::chrono::seconds(5)};
  ForemanReport report_;
};

} // namespace

Expected<ForemanReport> runPoints(PointTable& table, const std::vector<Task>& tasks, Crew& crew,
                                  const PointSettings& settings, const ForemanOptions& options) {
  return Foreman(table, tasks, crew, settings, options).run();
}

} // namespace heddle::sweep
