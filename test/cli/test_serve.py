# SPDX-License-Identifier: Apache-2.0
"""heddle serve: who may ask, what runs, and that what never ends is ended."""

import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest

from heddle_run import HEDDLE, SOURCE, run

ENDLESS = """
__global__ void forever(volatile int* x) { while (*x == 0) { } }
int main() { int* x; cudaMalloc(&x, 4); cudaMemset(x, 0, 4); forever<<<1, 32>>>(x); return cudaDeviceSynchronize(); }
"""
HOST_ENDLESS = "int main() { volatile int x = 0; while (x == 0) { } }\n"


class Serve(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        shutil.copytree(SOURCE / "examples", cls.path / "examples", ignore=shutil.ignore_patterns("photon", "xray", "transport"))
        cls.process, cls.port, cls.token = cls.start("--limit", "60")  # a busy machine is slow, not wrong

    @classmethod
    def start(cls, *arguments):
        process = subprocess.Popen([HEDDLE, "serve", str(cls.path), "--port", "0", *arguments],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = process.stdout.readline()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]{32})\n", line)
        assert found, (line, process.stderr.read() if not line else "")
        return process, int(found.group(1)), found.group(2)

    @classmethod
    def tearDownClass(cls):
        cls.process.send_signal(signal.SIGINT)
        cls.process.communicate(timeout=30)
        cls.folder.cleanup()

    def ask(self, method, path, body=None, token=True, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"Content-Type": "application/json"}
        if token:
            sent["X-Heddle-Token"] = self.token if token is True else token
        sent.update(headers)
        connection.request(method, path, json.dumps(body) if body is not None else None, sent)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer, text

    def post(self, path, **body):
        answer, text = self.ask("POST", path, body)
        self.assertEqual(answer.status, 200, text)
        return json.loads(text)

    def test_only_its_own_page_may_ask(self):
        for refused in (
            self.ask("POST", "/api/files", {}, token=False),
            self.ask("POST", "/api/files", {}, token="0" * 32),
            self.ask("POST", "/api/files", {}, token=self.token[:-1]),
            self.ask("POST", "/api/files", {}, Origin="http://evil.example"),
            self.ask("POST", "/api/files", {}, Origin="null"),
            self.ask("POST", "/api/files", {}, Host="evil.example"),
            self.ask("POST", "/api/files", {}, Host=f"evil.example:{self.port}"),
            self.ask("GET", "/api/files"),
            self.ask("OPTIONS", "/api/files", token=False, Origin="http://evil.example"),
            self.ask("GET", "/", Host="evil.example"),
        ):
            self.assertEqual(refused[0].status, 403, refused[1])
            self.assertIsNone(refused[0].getheader("Access-Control-Allow-Origin"))
        own = self.ask("POST", "/api/files", {}, Origin=f"http://127.0.0.1:{self.port}")
        self.assertEqual(own[0].status, 200)

    def test_it_listens_on_this_machine_only(self):
        tables = "".join(pathlib.Path(f"/proc/net/{name}").read_text() for name in ("tcp", "tcp6") if os.path.exists(f"/proc/net/{name}"))
        places = re.findall(rf": ([0-9A-F]+):{self.port:04X} 0+:0000 0A", tables)
        self.assertEqual(places, ["0100007F"])

    def test_the_page_has_its_policy(self):
        answer, page = self.ask("GET", "/", token=False)
        self.assertEqual(answer.status, 200)
        policy = answer.getheader("Content-Security-Policy")
        for words in ("default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'", "script-src 'sha256-"):
            self.assertIn(words, policy)
        self.assertNotIn("unsafe", policy)
        self.assertFalse(self.token in page)
        self.assertEqual(answer.getheader("X-Content-Type-Options"), "nosniff")

    def test_only_files_of_the_folder_are_read(self):
        (self.path / "secret.txt").write_text("x")
        for file in ("../../etc/passwd", "/etc/passwd", "secret.txt", "examples/../secret.txt", ""):
            for path in ("/api/open", "/api/run"):
                answer, text = self.ask("POST", path, {"file": file, "text": "int main() {}"})
                self.assertEqual(answer.status, 404, text)

    def test_what_is_no_request_is_refused(self):
        for body in ("{", "[]", '"x"', "{\"file\": 3}"):
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
            connection.request("POST", "/api/run", body, {"X-Heddle-Token": self.token})
            self.assertEqual(connection.getresponse().status, 404)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("POST", "/api/run", headers={"X-Heddle-Token": self.token, "Content-Length": "999999999"})
        self.assertEqual(connection.getresponse().status, 400)

    def test_every_lesson_opens(self):
        lessons = [file for file in self.post("/api/files")["files"] if re.match(r"examples/\d", file)]
        self.assertGreaterEqual(len(lessons), 9)
        for file in lessons:
            text = self.post("/api/open", file=file)["text"]
            self.assertEqual(text, (SOURCE / file).read_text())
            if file[9:11] not in ("01", "05", "09"):
                continue  # the others take seconds
            answer = self.post("/api/run", file=file, text=text)
            self.assertEqual((answer["status"], answer["overtaken"]), (0, False), (file, answer["printed"]))
            self.assertTrue(answer["report"]["runs"][0]["profile"]["kernels"], file)

    def test_an_edit_shows_and_the_file_stays(self):
        file = "examples/01-divergence/photon.cu"
        text = self.post("/api/open", file=file)["text"]
        edited = text.replace("bounce < 4", "bounce < 9")
        self.assertNotEqual(edited, text)
        before = self.post("/api/run", file=file, text=text)
        after = self.post("/api/run", file=file, text=edited)
        count = [each["report"]["runs"][0]["profile"]["kernels"][0]["warpInstructions"] for each in (before, after)]
        self.assertGreater(count[1], count[0])
        self.assertEqual(before["report"]["runs"][0]["command"], f"heddle fix {self.path / file}")
        self.assertEqual(after["report"]["runs"][0]["command"], "")
        self.assertEqual((self.path / file).read_text(), text)
        advised = self.post("/api/advise", number=after["number"])
        self.assertTrue(advised["report"]["runs"][0]["advice"])
        self.assertEqual(self.ask("POST", "/api/advise", {"number": before["number"]})[0].status, 404)

    def test_an_error_of_the_compiler_is_shown(self):
        answer = self.post("/api/run", file="examples/01-divergence/photon.cu", text="__global__ void k() { nonsense; }\nint main() {}\n")
        self.assertIsNone(answer["report"])
        self.assertIn("photon.cu:1:23", answer["printed"])
        self.assertNotIn("/tmp", answer["printed"])

    def test_what_never_ends_is_ended(self):
        process, self.port, self.token = self.start("--limit", "1")
        try:
            for text in (ENDLESS, HOST_ENDLESS):
                start = time.monotonic()
                answer = self.post("/api/run", file="examples/01-divergence/photon.cu", text=text)
                self.assertLess(time.monotonic() - start, 20)
                self.assertNotEqual(answer["status"], 0)
                self.assertTrue(answer["ranTooLong"] or text == ENDLESS, "the engine may see that nobody writes, before the limit")
            self.assertIn("it ran for more than 1 s and was ended; 'heddle serve --limit 6'", answer["printed"])
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)
            del self.port, self.token  # those of the class are back

    def test_a_newer_run_takes_the_place_of_an_older(self):
        file, answers = "examples/01-divergence/photon.cu", []
        older = threading.Thread(target=lambda: answers.append(self.post("/api/run", file=file, text=HOST_ENDLESS)))
        older.start()
        time.sleep(0.7)
        newer = self.post("/api/run", file=file, text="int main() {}\n")
        older.join()
        self.assertTrue(answers[0]["overtaken"])
        self.assertFalse(newer["overtaken"])

    def test_a_signal_ends_it_and_leaves_nothing(self):
        with tempfile.TemporaryDirectory() as place:
            process = subprocess.Popen([HEDDLE, "serve", str(self.path), "--port", "0"], stdout=subprocess.PIPE, text=True,
                                       env={**os.environ, "TMPDIR": place})
            process.stdout.readline()
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=30), 130)
            process.stdout.close()
            self.assertEqual(os.listdir(place), [])

    def test_refusals(self):
        for arguments, words in ((("nowhere",), "there is no folder nowhere"), ((str(SOURCE / "docs"),), "there is no .cu file in"),
                                 (("--port", "-1"), "--port -1: expected 0 to"), (("--limit", "0"), "--limit 0: expected at least 1")):
            done = run("serve", *arguments, cwd=self.path)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
