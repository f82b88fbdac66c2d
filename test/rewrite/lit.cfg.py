# SPDX-License-Identifier: Apache-2.0
"""A rewrite is a .cu in and a FileChecked diff, or a refusal, out. Parameters: heddle, the program; binary, a folder."""

import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
from status_counts import StatusCounts

config.name = "rewrite"
config.test_format = StatusCounts()
config.suffixes = [".cu"]
heddle = lit_config.params["heddle"]
config.substitutions.append(("%heddle", heddle))
config.substitutions.append(("%refused", f"{os.path.dirname(__file__)}/refused {heddle}"))
config.substitutions.append(("%same_results", f"{os.path.dirname(__file__)}/same_results {heddle}"))
config.test_exec_root = lit_config.params["binary"]
# A diff that shows the test's own CHECK lines would match them, whatever else it holds.
config.environment["FILECHECK_OPTS"] = "--implicit-check-not=CHECK:"
config.environment["NO_COLOR"] = "1"
config.environment["HEDDLE_NVCC"] = "0"  # the same with and without a CUDA toolkit
for name in ("HOME", "XDG_CACHE_HOME"):  # heddle's cache, which lit would hide
    if name in os.environ:
        config.environment[name] = os.environ[name]
