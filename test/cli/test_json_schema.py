# SPDX-License-Identifier: Apache-2.0
"""Every JSON document heddle prints or reads follows its schema in docs/schema."""

import json
import tempfile
import unittest

import jsonschema

from heddle_run import SOURCE, run

FOLDER = tempfile.TemporaryDirectory()  # gone with the test
PROFILES = SOURCE / "test" / "transcripts" / "data" / "profiles"
DOCUMENTS = {
    "occupancy": [
        ("occupancy", "--device", "g80", "--threads", "192", "--registers", "20", "--shared", "68"),
        ("occupancy", "--device", "cc9.0", "--threads", "1024", "--registers", "128"),
        ("occupancy", "--threads", "256", "--registers", "40", "--grid", "500", "--barriers", "2"),
        ("occupancy", "--kernel", str(SOURCE / "test" / "transcripts" / "data" / "ptx" / "tile.ptx")),
    ],
    "devices": [("devices",)],
    "profile": [
        ("profile", str(SOURCE / "examples/01-divergence/photon.cu"), "--kernel", "transport", "--grid", "4",
         "--block", "100", "--arg", "u32[400]:random:1:1:4294967295", "--arg", "f32[400]:zeros",
         "--arg", "f32:0.4"),
        ("run", str(SOURCE / "examples/01-divergence/photon.cu")),
    ],
    "diff": [("diff", str(PROFILES / "before.json"), str(PROFILES / "after.json")),
             ("diff", str(PROFILES / "predicated.json"), str(PROFILES / "jumping.json"))],
    "check": [
        ("check", str(SOURCE / "examples/01-divergence/photon.cu")),
        ("check", str(SOURCE / "test/programs/features/early-return.cu"), "--disable", "heddle-divergent-branch"),
    ],
    "fix": [("fix", str(SOURCE / "examples/09-thread-id/parity.cu"), "--only", "align-to-warp")],
    "tune": [("tune", str(SOURCE / "examples/09-thread-id/parity.cu"), "--no-store")],
    "tuned": [("tune", "show", "--store", "/nowhere/tuned.db")],
    "cache": [("cache",)],
    "rewrites": [("rewrites",)],
    "device-report": [("devices", "g80"), ("devices", "rtx5090")],
    "studies": [("study", "list", "--studies", str(SOURCE / "test/studies"))],
    "study-report": [("study", "tiny", "--quick", "--studies", str(SOURCE / "test/studies"))],
    "sweep-report": [("sweep", str(SOURCE / "test/cli/data/sweep.json"), "--database", f"{FOLDER.name}/s.db"),
                     ("sweep", "show", f"{FOLDER.name}/s.db")],
    "split": [("split", "--time", "1,1", "--occupancy", "1,.67"), ("split", "--p", "0.1")],
    "schedule-best": [("schedule", "best", "--p", "0.18")],
    "schedule-table": [("schedule", "table")],
    "schedule-simulate": [
        ("schedule", "simulate", "--p", "0.1", "--warps", "20", "--iterations", "50", "--headroom"),
        ("schedule", "simulate", "--policy", "fixed", "--word", "AB", "--p", "0.5", "--warps", "1"),
    ],
    "schedule-sweep": [("schedule", "simulate", "--all", "--iterations", "10", "--warps", "5")],
    "schedule-payoff": [
        ("schedule", "payoff", "--p", "0.1", "--path", "1,1", "--loop", "1", "--warps", "10"),
        ("schedule", "payoff", "--p", "0.01", "--path", "9,9", "--loop", "1", "--warps", "10"),
    ],
}


def schema(kind):
    return json.loads((SOURCE / "docs" / "schema" / f"{kind}.schema.json").read_text())


class JsonSchema(unittest.TestCase):
    def test_every_schema_is_one_and_is_used(self):
        kinds = {path.name.split(".")[0] for path in (SOURCE / "docs" / "schema").iterdir()}
        self.assertEqual(kinds, set(DOCUMENTS) | {"device", "report", "study", "sweep", "touches"})
        for kind in kinds:
            jsonschema.Draft202012Validator.check_schema(schema(kind))

    def test_documents_follow_their_schema_and_name_it(self):
        for kind, commands in DOCUMENTS.items():
            for command in commands:
                with self.subTest(command=command):
                    done = run(*command, "--json")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    document = json.loads(done.stdout)
                    self.assertEqual(document["schema"], f"heddle.{kind}/1")
                    jsonschema.validate(document, schema(kind))

    def test_a_fix_that_changes_nothing_follows_the_schema_too(self):
        done = run("fix", str(SOURCE / "examples/09-thread-id/parity.cu"), "--only", "schedule-iterations", "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        document = json.loads(done.stdout)
        jsonschema.validate(document, schema("fix"))
        self.assertEqual([(each["id"], each["predictedSpeedup"]) for each in document["candidates"]], [("no-loop", None)])
        self.assertIsNone(document["after"])

    def test_schemas_are_strict(self):
        document = json.loads(run(*DOCUMENTS["occupancy"][0], "--json").stdout)
        document["surprise"] = 1
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.validate(document, schema("occupancy"))
        del document["surprise"], document["occupancy"]
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.validate(document, schema("occupancy"))

    def test_device_files_follow_theirs(self):
        files = sorted((SOURCE / "devices").glob("*.json"))
        self.assertGreaterEqual(len(files), 16)
        for path in files:
            with self.subTest(file=path.name):
                jsonschema.validate(json.loads(path.read_text()), schema("device"))

    def test_stored_profiles_follow_theirs(self):
        files = sorted(PROFILES.glob("*.json"))
        self.assertGreaterEqual(len(files), 5)
        for path in files:
            with self.subTest(file=path.name):
                jsonschema.validate(json.loads(path.read_text()), schema("profile"))

    def test_declarations_of_studies_follow_theirs(self):
        files = sorted((SOURCE / "test" / "studies").glob("*/study.json")) + sorted((SOURCE / "studies").glob("*/study.json"))
        self.assertGreaterEqual(len(files), 1)
        for path in files:
            with self.subTest(file=str(path)):
                jsonschema.validate(json.loads(path.read_text()), schema("study"))

    def test_sweeps_follow_theirs(self):
        files = [SOURCE / "test" / "cli" / "data" / "sweep.json", *SOURCE.glob("examples/sweeps/*.json"), *SOURCE.glob("bench/sweep/*.json")]
        self.assertGreaterEqual(len(files), 3)
        for path in files:
            with self.subTest(file=str(path)):
                jsonschema.validate(json.loads(path.read_text()), schema("sweep"))

    def test_the_fields_others_rely_on(self):
        document = json.loads(run(*DOCUMENTS["occupancy"][0], "--json").stdout)
        expected = {"activeBlocks": 2, "activeWarps": 12, "activeThreads": 384, "occupancy": 0.5,
                    "limiter": "registers", "registersPerBlock": 3840, "sharedPerBlock": 512}
        self.assertEqual(expected, {key: document[key] for key in expected})
        kernel = json.loads(run(*DOCUMENTS["profile"][0], "--json").stdout)["kernels"][0]
        lost = sum(owner["slots"] for owner in kernel["lost"])
        self.assertEqual(kernel["threadInstructions"] + lost, 32 * kernel["warpInstructions"])
        self.assertEqual(kernel["averageActiveThreads"], 32 * kernel["efficiency"])
        document = json.loads(run(*DOCUMENTS["schedule-simulate"][0], "--json").stdout)
        for key in ("mean", "sd"):
            self.assertIsInstance(document["efficiency"][key], float)
        self.assertGreater(document["steps"]["mean"], 1)


unittest.main()
