# SPDX-License-Identifier: Apache-2.0
"""lit's tests, with one rule more: how each command ends must count."""

import re

import lit.formats
import lit.Test


class StatusCounts(lit.formats.ShTest):
    """A test fails that has a command followed by a semicolon: its status would be dropped."""

    def execute(self, test, lit_config):
        with open(test.getSourcePath()) as file:
            dropped = [line for line in file if re.match(r"// RUN:.*;", line)]
        if dropped:
            return lit.Test.FAIL, f"write && instead of ;, and %refused where 1 is expected:\n{''.join(dropped)}"
        return super().execute(test, lit_config)
