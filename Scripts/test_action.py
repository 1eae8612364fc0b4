"""Tests of the action: its shell scripts are linted and run as in a job, as far as possible without the service."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRIPTS = sorted((ROOT / "Scripts" / "action").iterdir())
WEIR = ROOT / ".build" / "release" / "weir"
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
