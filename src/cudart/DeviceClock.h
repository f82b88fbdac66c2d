// SPDX-License-Identifier: Apache-2.0
//
// The time on the modelled GPU: what kernels take and copies inside the device take by the timing
// model, and other copies by their size. Nothing overlaps. Events read it, so that a program that
// measures itself measures the modelled GPU, and the same every time.
#pragma once

#include <cstddef>

namespace heddle::cudart {

class DeviceClock {
public:
  double now() const { return seconds_; }
  void pass(double seconds) { seconds_ += seconds; }

  /// Between host and device.
  void passTransfer(std::size_t bytes) { pass(startSeconds + double(bytes) / busBytesPerSecond); }

private:
  static constexpr double startSeconds = 2e-6;
  static constexpr double busBytesPerSecond = 12e9; ///< PCI Express 3.0 with 16 lanes, as measured

  double seconds_ = 0;
};

} // namespace heddle::cudart
