# SPDX-License-Identifier: Apache-2.0
"""The code of one random kernel: functions of random_flow.py, or of random_code.py, and a body that calls them."""

import random

import random_code
import random_flow

SIZE = 5  # statements of a function, about


def structured(seed):
    """The older kind: structured, with deep expressions, and calls through pointers."""
    code = random_code.RandomCode(seed)
    names = [f"f{seed}_0", f"f{seed}_1"]
    functions = "".join(code.function(f"BOTH __noinline__ int {name}") for name in names)
    code.functions, code.pointers = names, True
    return (functions + f"BOTH void body{seed}(unsigned* words, unsigned thread, unsigned) {{\n"
            "int* m = (int*)words;\nconst int t = int(thread);\n"
            "int a = m[0], b = m[1], c = t * 3, d = 1, s[4] = {t, 1, 2, 3};\n" + code.statements(2, 4) +
            "\nm[2] += a ^ b; m[3] += c ^ d; m[4] ^= s[t & 3];\n}\n")


def phases(seed, names):
    """Calls of the functions one after another, with barriers, votes and shuffles where all threads pass."""
    pick = random.Random(f"phases {seed}")
    lines = []
    for name in names:
        call = f"{{\nx = {name}(m, t, {pick.choice(['n', 'n + 1', 'u'])});\nm[{pick.randrange(8)}] ^= x;\n}}"
        call = pick.choice([call, call, f"{{\n{call}\nm[5] += OWN(m[6]);\n}}", f"if (ALWAYS()) {call}",
                            f"{call}\nWARP_BARRIER();\nm[4] = SAME(m[4]) + 1;"])
        if pick.random() < 0.3:
            lines.append(f"for (u = 0; u < {pick.choice(['2', '(n & 3) + 1'])}; ++u) {{\n{call}\nBARRIER();\n}}")
        else:
            lines.append(call + pick.choice(["", "\nBARRIER();"]))
    return "\n".join(lines)


def flowing(seed, weight):
    flow = random_flow.RandomFlow(seed, weight)
    inlined = flow.random.choice(["inline ", "inline ", "__noinline__ "])
    code, names = "", [f"f{seed}_{k}" for k in range(1 if flow.chance(0.7) else 2)]
    if flow.chance(0.25):
        code += "BOTH __noinline__ " + flow.function(f"g{seed}", 3)
        flow.calls.append(f"g{seed}(m, t, {{}})")
    if flow.chance(0.12):
        code += "BOTH __noinline__ " + flow.function(f"r{seed}", 3, recursive=True)
        flow.calls.append(f"r{seed}(m, t, {{}}, 2)")
    for name in names:
        code += f"BOTH {inlined}" + flow.function(name, SIZE * weight // len(names))
    only = len(names) == 1 and flow.chance(0.6)
    calls = f"x = f{seed}_0(m, t, n);\nm[2] ^= x;" if only else phases(seed, names)
    return code + f"BOTH void body{seed}(unsigned* m, unsigned t, unsigned n) {{\nunsigned u = 0, x = 0;\n{calls}\n}}\n"


def kernel(seed, weight=1):
    """Pointers make a kernel as large as all functions of its file that they may hold: few have them."""
    code = structured(seed) if seed % 16 == 0 and weight == 1 else flowing(seed, weight)
    return random_code.indented(code)
