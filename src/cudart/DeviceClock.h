// SPDX-License-Identifier: Apache-2.0
//
// The time on the modelled GPU: what kernels take and copies inside the device take by the timing
// model, and other copies by their size. Nothing overlaps. Events read it, so that a program that
// measures itself measures the modelled GPU, and the same every time. A fixed clock knows nothing
// of the work: it goes on by one step whenever somebody looks, so that a program and its faster
// twin read the same.
#pragma once

#include <cstddef>

namespace heddle::cudart {

class DeviceClock {
public:
  explicit DeviceClock(bool fixed = false) : fixed_(fixed) {}

  double read() {
    seconds_ += fixed_ ? fixedStep : 0;
    return seconds_;
  }
  void pass(double seconds) { seconds_ += fixed_ ? 0 : seconds; }

  /// Between host and device.
  void passTransfer(std::size_t bytes) { pass(startSeconds + double(bytes) / busBytesPerSecond); }

private:
  static constexpr double startSeconds = 2e-6;
  static constexpr double busBytesPerSecond = 12e9; ///< PCI Express 3.0 with 16 lanes, as measured

  static constexpr double fixedStep = 1e-3;

  bool fixed_;
  double seconds_ = 0;
};

} // namespace heddle::cudart
