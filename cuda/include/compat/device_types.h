// SPDX-License-Identifier: Apache-2.0
//
// How a conversion rounds, for functions that are told.
#ifndef __DEVICE_TYPES_H__
#define __DEVICE_TYPES_H__

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

#endif
