// SPDX-License-Identifier: Apache-2.0
//
// Reductions of a warp, of a block and of an array: sums, minima, maxima and operators of your own.
// warp_reduce and block_reduce keep order; device_reduce needs a commutative operator. ladder.cuh
// shows the way there in five steps.
//
//   heddle::device_reduce(in, count, out, heddle::plus(), 0.0f, stream);
#pragma once

#include "block_reduce.cuh"
#include "device_reduce.cuh"
#include "ladder.cuh"
#include "operators.cuh"
#include "warp_reduce.cuh"
