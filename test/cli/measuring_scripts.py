# SPDX-License-Identifier: Apache-2.0
"""A tree with scripts/measure in it, and nothing to measure."""

import shutil

from heddle_run import SOURCE


def put_scripts(root):
    (root / "scripts/measuring").mkdir(parents=True)
    shutil.copy(SOURCE / "scripts/measure", root / "scripts")
    for path in (SOURCE / "scripts/measuring").glob("*.py"):
        shutil.copy(path, root / "scripts/measuring")
