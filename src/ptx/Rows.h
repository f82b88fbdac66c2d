// SPDX-License-Identifier: Apache-2.0
//
// The functions that the rows of the instruction table name, by the file they are in.
#pragma once

namespace heddle::ptx {

class FunctionLowering;
class Form;

using Lower = void(FunctionLowering&, const Form&);

// LowerInteger.cpp
Lower lowerIntegerAdd, lowerIntegerSub, lowerIntegerMul, lowerIntegerMad, lowerMul24, lowerMad24,
    lowerSad, lowerDiv, lowerRem, lowerIntegerAbs, lowerIntegerNeg, lowerIntegerMinMax, lowerDot,
    lowerApart;

// LowerVideo.cpp
Lower lowerVideo;

// LowerPairs.cpp
Lower lowerPairs, lowerPack;

// LowerCarry.cpp
Lower lowerAddCarry, lowerSubCarry, lowerMadCarry;

// LowerBits.cpp
Lower lowerLogic, lowerNot, lowerCnot, lowerLop3, lowerLop3Joined, lowerShift, lowerFunnelShift,
    lowerPopc, lowerClz, lowerBfind, lowerBrev, lowerBfe, lowerBfi, lowerPrmt, lowerFns, lowerBmsk,
    lowerSzext;

// LowerFloat.cpp
Lower lowerFloatAdd, lowerFloatSub, lowerFloatMul, lowerFma, lowerFloatDiv, lowerRcp, lowerSqrt,
    lowerApproximate, lowerFloatMinMax, lowerFloatAbs, lowerFloatNeg, lowerCopysign, lowerTestp;

// LowerCompare.cpp
Lower lowerSetp, lowerSet, lowerSelp, lowerSlct;

// LowerSmall.cpp
Lower lowerSmall, lowerSmallApproximate, lowerSmallSetp, lowerSmallSet;

// LowerConvert.cpp
Lower lowerCvt, lowerPackedCvt;

// LowerMove.cpp
Lower lowerMov, lowerCvta, lowerIsspacep, lowerCreatepolicy, lowerNothing;

// LowerMemory.cpp
Lower lowerLd, lowerSt, lowerAtom, lowerRed, lowerFence;

// LowerWarp.cpp
Lower lowerBar, lowerBarArrive, lowerBarRed, lowerWarpSync, lowerShfl, lowerVote, lowerMatch,
    lowerRedux, lowerFloatRedux, lowerActivemask, lowerNanosleep, lowerElect;

// LowerCluster.cpp
Lower lowerClusterArrive, lowerClusterWait, lowerMapa, lowerGetctarank;

// LowerMatrix.cpp
Lower lowerMma, lowerLdmatrix;

// LowerAsync.cpp
Lower lowerCpAsync, lowerCopiesArrive, lowerMbarrierInit, lowerMbarrierArrive, lowerMbarrierWait;

// LowerControl.cpp
Lower lowerBra, lowerBrx, lowerRet, lowerExit, lowerTrap;

// LowerCall.cpp
Lower lowerCall;

// LowerTexture.cpp
Lower lowerTex, lowerTld4, lowerSuld, lowerSust, lowerTextureQuery;

// LowerWmma.cpp
Lower lowerWmmaLoad, lowerWmmaStore, lowerWmmaMultiply;

} // namespace heddle::ptx
