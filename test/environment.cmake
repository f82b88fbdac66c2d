# SPDX-License-Identifier: Apache-2.0
# ctest reads this before it runs tests: what they expect was made with clang's device code, whether there is an nvcc or not.
# Tests of nvcc's say so themselves: those of test/toolkit, which play it.
set(ENV{HEDDLE_DEVICE_CODE} clang)
