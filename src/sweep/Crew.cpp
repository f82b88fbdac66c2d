// SPDX-License-Identifier: Apache-2.0
#include "sweep/Crew.h"

#include <algorithm>
#include <thread>

namespace heddle::sweep {

Crew::Crew(Ranks* ranks, std::chrono::seconds silence) : ranks_(ranks), silence_(silence) {
  for (int rank = 1; ranks != nullptr && rank < ranks->size(); ++rank)
    members_[rank];
}

void Crew::send(int rank, const WorkerMessage& message) {
  ranks_->send(rank, encode(message));
}

void Crew::sendTask(int rank, Task task) {
  send(rank, {.kind = "task", .task = task});
  members_[rank].tasks.emplace(task.id, std::move(task));
}

void Crew::takeMessages(const std::function<void(int, WorkerMessage)>& hear) {
  while (ranks_ != nullptr) {
    const auto received = ranks_->receive();
    if (!received)
      return;
    CrewMember& member = members_[received->from];
    member.heard.note();
    member.dead = false; // it was only slow
    auto message = decode(received->text);
    if (message && message->kind == "bye")
      member.gone = true;
    else if (message)
      hear(received->from, std::move(*message));
  }
}

std::vector<int> Crew::newlyDead() {
  std::vector<int> dead;
  for (auto& [rank, member] : members_)
    if (!member.dead && member.heard.silence() > silence_) {
      member.dead = true;
      dead.push_back(rank);
    }
  return dead;
}

void Crew::beat() {
  for (const auto& [rank, member] : members_)
    if (!member.dead)
      send(rank, {.kind = "beat"});
}

void Crew::dismiss() {
  if (ranks_ == nullptr)
    return;
  for (const auto& [rank, member] : members_)
    send(rank, {.kind = "end"});
  const auto isMissed = [](const auto& entry) { return !entry.second.gone && !entry.second.dead; };
  const Pace pace;
  while (std::ranges::any_of(members_, isMissed)) {
    takeMessages([](int, const WorkerMessage&) {});
    const auto dead = newlyDead();
    if (dead.empty())
      std::this_thread::sleep_for(pace.interval());
  }
  const bool complete =
      std::ranges::none_of(members_, [](const auto& entry) { return entry.second.dead; });
  for (const auto& [rank, member] : members_)
    send(rank, {.kind = "leave", .complete = complete});
  if (complete)
    ranks_->finish();
}

} // namespace heddle::sweep
