// SPDX-License-Identifier: Apache-2.0
#include "sweep/Worker.h"

#include "sweep/Pace.h"
#include "sweep/PointSlots.h"
#include "sweep/WorkerMessages.h"

#include <deque>

namespace heddle::sweep {
namespace {

class Worker {
public:
  Worker(Ranks& ranks, PointSettings settings, const WorkerOptions& options)
      : ranks_(ranks), settings_(std::move(settings)), options_(options),
        slots_(options.slots, settings_) {}

  Expected<void> run() {
    say({.kind = "hello",
         .version = settings_.version,
         .host = hostName(),
         .slots = options_.slots});
    for (takeMessages(); !left_; takeMessages()) {
      slots_.clear();
      startPoints();
      for (PointResult& result : slots_.takeResults()) {
        pace_.note();
        say({.kind = "result", .result = std::move(result)});
      }
      if (beat_.isDue())
        say({.kind = "beat"});
      if (heard_.silence() > options_.silence)
        return fail(ErrorKind::Io, "rank {}: rank 0 has not been heard of for {} s", ranks_.rank(),
                    options_.silence.count());
      slots_.wait(pace_.interval());
    }
    return {};
  }

private:
  void say(const WorkerMessage& message) { ranks_.send(0, encode(message)); }

  void takeMessages() {
    while (!left_) {
      const auto received = ranks_.receive();
      if (!received)
        return;
      heard_.note();
      if (auto message = decode(received->text))
        obey(std::move(*message));
    }
  }

  void obey(WorkerMessage message) {
    if (message.kind == "beat")
      return;
    pace_.note();
    if (message.kind == "welcome")
      settings_.outputs = std::move(message.outputs);
    else if (message.kind == "task")
      tasks_.push_back(std::move(message.task));
    else if (message.kind == "end") {
      tasks_.clear();
      slots_.endAll();
      say({.kind = "bye"});
    } else if (message.kind == "leave") {
      left_ = true;
      if (message.complete)
        ranks_.finish();
    }
  }

  void startPoints() {
    while (!tasks_.empty() && slots_.hasRoom()) {
      slots_.start(tasks_.front());
      tasks_.pop_front();
    }
  }

  Ranks& ranks_;
  PointSettings settings_;
  WorkerOptions options_;
  PointSlots slots_;
  std::deque<Task> tasks_;
  Pace pace_;
  Heard heard_;
  Beat beat_;
  bool left_ = false;
};

} // namespace

Expected<void> runWorker(Ranks& ranks, PointSettings settings, const WorkerOptions& options) {
  return Worker(ranks, std::move(settings), options).run();
}

} // namespace heddle::sweep
