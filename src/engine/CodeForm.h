// SPDX-License-Identifier: Apache-2.0
//
// How a kernel becomes machine code.
#pragma once

namespace heddle::engine {

enum class CodeForm {
  /// Each block over 32-lane vectors, and as plain code for few lanes; optimised.
  Full,
  /// Each block as plain code for one lane after the other wherever it has such a form, and not
  /// optimised. It compiles some 15 times faster, for tests. Only for kernels where no thread reads
  /// what another of its warp writes without a barrier between them: a lane runs the whole block
  /// before the next one does.
  LaneByLane,
};

} // namespace heddle::engine
