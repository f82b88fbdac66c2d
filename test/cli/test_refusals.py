# SPDX-License-Identifier: Apache-2.0
"""Every refusal of heddle fix is explained in docs/fix.md; every one of a rewrite has a test, and every rewrite is tested both ways."""

import re
import unittest

from heddle_run import SOURCE

ID = r'"([a-z]+(?:-[a-z]+)*)"'
FORMS = (
    rf"\b(?:refuse|stop)\(\s*{ID}",       # refuse("id", "reason")
    rf"\brefuse\(\s*option,\s*{ID}",      # refuse(option, "id", reason)
    rf"\bwithdraw\(\s*fix,\s*{ID}",       # withdraw(fix, "id", reason)
    rf"\bRefusal\{{\s*{ID}",              # Refusal{"id", reason}
    rf"\breturn \{{\s*{ID},",             # return {"id", reason};
    rf'\bTalk\{{"\w+", {ID}',             # a row of a table
    rf"\bid = {ID}",                      # candidate.id = "id"
)


def ids(folder, pattern):
    text = "".join(path.read_text() for path in sorted((SOURCE / folder).glob(pattern)))
    return {found for form in FORMS for found in re.findall(form, text)}


def tests():
    return sorted((SOURCE / "test/rewrite").glob("*.cu"))


class Refusals(unittest.TestCase):
    def test_the_document_explains_each_and_no_other(self):
        documented = re.findall(r"^\| `([a-z-]+)`", (SOURCE / "docs/fix.md").read_text(), re.MULTILINE)
        self.assertEqual(len(documented), len(set(documented)))
        self.assertEqual(set(documented), ids("src/rewrite", "*.cpp") | ids("src/driver", "*.cpp"))

    def test_each_of_a_rewrite_is_tested(self):
        expected = {found for path in tests() for found in re.findall(r"refused: .*\[([a-z-]+)\]$", path.read_text(), re.MULTILINE)}
        known = ids("src/rewrite", "*.cpp")
        self.assertGreater(len(known), 50)
        self.assertEqual(known - expected, set())

    def test_each_rewrite_says_yes_and_no(self):
        rewrites = re.findall(r'Rewrite\{\.name = "([a-z-]+)"', (SOURCE / "src/rewrite/Rewrite.cpp").read_text())
        self.assertGreaterEqual(len(rewrites), 8)
        for rewrite in rewrites:
            names = [path.name for path in tests() if path.name.startswith(rewrite)]
            refused = [name for name in names if name.startswith(f"{rewrite}-refused")]
            with self.subTest(rewrite=rewrite):
                self.assertTrue(refused)
                self.assertGreater(len(names), len(refused))


unittest.main()
