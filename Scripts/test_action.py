"""Tests of the action: its shell scripts are linted and run as in a job, as far as possible without the service."""
import functools
import hashlib
import http.server
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRIPTS = sorted((ROOT / "Scripts" / "action").iterdir())
# WEIR names the program to test, as in CI.
WEIR = pathlib.Path(os.environ.get("WEIR", ROOT / ".build" / "release" / "weir"))
BROKEN = "Captures/rtsp/article-dialogue.pcap"
HEALTHY = "Captures/rtsp/rtsp-basic.pcap"


class Lint(unittest.TestCase):
    def test_shell(self):
        if shutil.which("shellcheck") is None:
            self.skipTest("shellcheck is missing")
        run = subprocess.run(["shellcheck", *SCRIPTS], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout)

    def test_inputs(self):
        """The action passes inputs to the shell through the environment, and uses each input."""
        text = (ROOT / "action.yml").read_text(encoding="utf-8")
        head, steps = text.split("\nruns:\n")
        names = re.findall(r"(?m)^  ([a-z-]+):$", head.split("\ninputs:\n")[1].split("\noutputs:\n")[0])
        self.assertEqual(len(names), 6)
        for name in names:
            self.assertIn("inputs." + name, steps)
        for line in re.findall(r"(?m)^ +run: (.*)$", steps):
            self.assertNotIn("${{", line)
            script = re.search(r"Scripts/action/\w+", line).group()
            self.assertTrue(os.access(ROOT / script, os.X_OK), script)
        told = set(re.findall(r"steps\.check\.outputs\.([a-z-]+)", text))
        written = (ROOT / "Scripts" / "action" / "check").read_text(encoding="utf-8")
        for name in told:
            self.assertIn(f'outputs "{name}=', written)


class Install(unittest.TestCase):
    """The package of a release, served by a local server; apt-get is a script that unpacks it."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.work = pathlib.Path(directory.name)
        for name in ("served", "tools", "system"):
            (self.work / name).mkdir()
        tool = self.work / "tools" / "apt-get"
        tool.write_text('#!/bin/bash\nfor last; do :; done\n'
                        f'case $last in *.deb) dpkg-deb -x "$last" {self.work}/system;; esac\n')
        for name in ("sudo", "swift"):
            text = 'exec "$@"' if name == "sudo" else "echo built; exit 3"
            (self.work / "tools" / name).write_text(f"#!/bin/bash\n{text}\n")
        for path in (self.work / "tools").iterdir():
            path.chmod(0o755)
        handler = functools.partial(Quiet, directory=str(self.work / "served"))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.url = f"http://127.0.0.1:{server.server_port}"

    def serve(self, architecture):
        """Makes a package whose program says its version."""
        tree = self.work / "tree"
        (tree / "DEBIAN").mkdir(parents=True)
        (tree / "usr/bin").mkdir(parents=True)
        (tree / "DEBIAN/control").write_text(
            f"Package: weir\nVersion: 9.9.9\nArchitecture: {architecture}\nMaintainer: a <a@example.org>\nDescription: a\n")
        (tree / "usr/bin/weir").write_text("#!/bin/sh\necho 9.9.9\n")
        (tree / "usr/bin/weir").chmod(0o755)
        package = self.work / "served" / f"weir_9.9.9_{architecture}.deb"
        subprocess.run(["dpkg-deb", "--root-owner-group", "--build", tree, package], check=True, capture_output=True)
        digest = hashlib.sha256(package.read_bytes()).hexdigest()
        (self.work / "served/weir.sha256").write_text(f"{digest}  {package.name}\n{digest}  weir-9.9.9.tar.zst\n")
        return package

    def install(self):
        path = f"{self.work}/tools:{self.work}/system/usr/bin:/usr/bin:/bin"
        environment = {**os.environ, "PATH": path, "WEIR_PACKAGES": self.url, "GITHUB_PATH": str(self.work / "path")}
        return subprocess.run(
            [ROOT / "Scripts/action/install"], env=environment, capture_output=True, text=True, timeout=60)

    @staticmethod
    def architecture():
        if shutil.which("dpkg-deb") is None or shutil.which("curl") is None:
            raise unittest.SkipTest("dpkg-deb or curl is missing")
        run = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True)
        return run.stdout.strip()

    def test_package(self):
        self.serve(self.architecture())
        run = self.install()
        self.assertEqual((run.returncode, run.stdout), (0, "9.9.9\n"), run.stderr)

    def test_wrong_checksum(self):
        package = self.serve(self.architecture())
        package.write_bytes(package.read_bytes() + b"x")
        run = self.install()
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("checksum", run.stderr)
        self.assertFalse((self.work / "system/usr").exists())

    def test_no_package(self):
        """Of another architecture, or no release: weir is built, which fails here in the tool's place."""
        self.architecture()
        for served in (False, True):
            if served:
                self.serve("riscv64")
            run = self.install()
            self.assertNotEqual(run.returncode, 0)
            self.assertFalse((self.work / "system/usr").exists())
            self.assertNotIn("9.9.9", run.stdout)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@unittest.skipUnless(WEIR.exists(), "there is no release build")
class Run(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.work = pathlib.Path(directory.name)

    def run_check(self, **inputs):
        environment = {
            **os.environ, "PATH": f"{WEIR.parent}:{os.environ['PATH']}", "RUNNER_TEMP": str(self.work),
            "GITHUB_STEP_SUMMARY": str(self.work / "summary"), "GITHUB_OUTPUT": str(self.work / "output"), **inputs,
        }
        run = subprocess.run(
            [ROOT / "Scripts" / "action" / "check"], cwd=ROOT, env=environment, capture_output=True, text=True)
        lines = (self.work / "output").read_text().splitlines() if (self.work / "output").exists() else []
        return run, dict(line.split("=", 1) for line in lines)

    def test_failing(self):
        run, outputs = self.run_check(WEIR_CAPTURES=f"{BROKEN}\n{HEALTHY}\n")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertEqual(outputs["exit-code"], "1")
        self.assertEqual(run.stdout.count("\n::error file=Captures/rtsp/article-dialogue.pcap,"), 3)
        self.assertIn("## ❌ Weir: failed, 3 errors", (self.work / "summary").read_text(encoding="utf-8"))
        for name in ("sarif", "junit", "markdown"):
            self.assertGreater(pathlib.Path(outputs[name]).stat().st_size, 100)

    def test_passing(self):
        run, outputs = self.run_check(
            WEIR_CAPTURES="Captures/rtsp/rtsp-bas*.pcap", WEIR_FAIL_ON="warning", WEIR_PROFILE="onvif-streaming",
            WEIR_ARGUMENTS="--skip-rule\nRTSP-AUTH-CLEAR\n")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(outputs["exit-code"], "0")

    def test_nothing_to_check(self):
        run, outputs = self.run_check(WEIR_CAPTURES="no/such/*.pcap\n::stop-commands::x")
        self.assertEqual(run.returncode, 64)
        self.assertEqual(outputs, {"exit-code": "64"})
        self.assertEqual(
            run.stdout, "::error title=Weir::No capture fits 'no/such/*.pcap%0A::stop-commands::x'.\n")

    def test_wrong_option(self):
        """Nothing is written, and no output refers to a file to upload."""
        run, outputs = self.run_check(WEIR_CAPTURES=HEALTHY, WEIR_ARGUMENTS="--no-such-option")
        self.assertEqual(run.returncode, 64)
        self.assertEqual(outputs, {"exit-code": "64"})

    def test_words_are_no_commands(self):
        strange = self.work / "a b; $(touch stolen) *.pcap"
        shutil.copy(ROOT / HEALTHY, strange)
        run, _ = self.run_check(WEIR_CAPTURES=str(strange))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertFalse((ROOT / "stolen").exists())

    def test_names(self):
        """A matched file name with a line end, and one that starts with a hyphen."""
        for name in ["one\ntwo.pcap", "-three.pcap"]:
            shutil.copy(ROOT / HEALTHY, self.work / name)
        run, outputs = self.run_check(WEIR_CAPTURES=f"{self.work}/*two.pcap\n{self.work}/-*.pcap")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("one\\x0atwo.pcap", run.stdout)

    def test_log_is_no_command(self):
        """The report is printed between the command that stops commands and the token that resumes them."""
        run, _ = self.run_check(WEIR_CAPTURES=BROKEN)
        lines = run.stdout.splitlines()
        word = lines[0].removeprefix("::stop-commands::")
        self.assertRegex(word, r"^weir-[0-9a-f]{32}$")
        end = lines.index(f"::{word}::")
        self.assertIn("RTSP-SESSION-ECHO", "".join(lines[:end]))
        self.assertTrue(lines[end + 1].startswith("::"))


if __name__ == "__main__":
    unittest.main()
