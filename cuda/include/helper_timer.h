// SPDX-License-Identifier: Apache-2.0
//
// Stop watches in the manner of NVIDIA's samples, in milliseconds. For programs that include
// helper_timer.h and do not bring their own.
#ifndef COMMON_HELPER_TIMER_H_
#define COMMON_HELPER_TIMER_H_

#include <chrono>
#include <stddef.h>

class StopWatchInterface {
public:
  virtual ~StopWatchInterface() {}
  virtual void start() {
    begin_ = std::chrono::steady_clock::now();
    isRunning_ = true;
  }
  virtual void stop() {
    const float last = sinceStart();
    total_ += last;
    ++sessions_;
    isRunning_ = false;
  }
  virtual void reset() {
    total_ = 0;
    sessions_ = 0;
    begin_ = std::chrono::steady_clock::now();
  }
  virtual float getTime() { return total_ + (isRunning_ ? sinceStart() : 0); }
  virtual float getAverageTime() { return sessions_ > 0 ? total_ / sessions_ : 0; }

private:
  float sinceStart() const {
    return std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - begin_)
        .count();
  }
  std::chrono::steady_clock::time_point begin_;
  float total_ = 0;
  int sessions_ = 0;
  bool isRunning_ = false;
};

inline bool sdkCreateTimer(StopWatchInterface** timer) {
  *timer = new StopWatchInterface;
  return true;
}
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
  delete *timer;
  *timer = NULL;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) {
  if (*timer != NULL)
    (*timer)->start();
  return true;
}
inline bool sdkStopTimer(StopWatchInterface** timer) {
  if (*timer != NULL)
    (*timer)->stop();
  return true;
}
inline bool sdkResetTimer(StopWatchInterface** timer) {
  if (*timer != NULL)
    (*timer)->reset();
  return true;
}
inline float sdkGetTimerValue(StopWatchInterface** timer) {
  return *timer != NULL ? (*timer)->getTime() : 0.0f;
}
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) {
  return *timer != NULL ? (*timer)->getAverageTime() : 0.0f;
}

#endif
