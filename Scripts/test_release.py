"""Tests of Scripts/release: `python3 -m unittest discover -s Scripts`."""
import hashlib
import importlib.machinery
import importlib.util
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
from unittest import mock

SCRIPT = pathlib.Path(__file__).resolve().parent / "release"
LOADER = importlib.machinery.SourceFileLoader("release", str(SCRIPT))
release = importlib.util.module_from_spec(importlib.util.spec_from_loader("release", LOADER))
LOADER.exec_module(release)

VERSION = "1.2.3"
CHANGELOG = "# Changelog\n\n## Unreleased\n\n- later\n\n## 1.2.3 (2026-11-26)\n\n### Added\n\n- this\n\n## 1.2.2\n\n- before\n"


class Notes(unittest.TestCase):
    def test_section(self):
        self.assertEqual(release.notes(CHANGELOG, VERSION), "### Added\n\n- this\n")
        self.assertEqual(release.notes(CHANGELOG, "1.2.2"), "- before\n")
        self.assertIsNone(release.notes(CHANGELOG, "1.2"))


class Files(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = pathlib.Path(directory.name)
        for path, text in {
            "CHANGELOG.md": CHANGELOG,
            "Sources/WeirReports/Version.swift": f'public static let number = "{VERSION}"\n',
            "Packaging/weir.rb": (SCRIPT.parent.parent / "Packaging/weir.rb").read_text(encoding="utf-8"),
            ".build/packages/weir_1.2.3_amd64.deb": "package",
            ".build/packages/weir.sha256": "old",
            ".gitignore": ".build\n",
        }.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text, encoding="utf-8")
        for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "a"]):
            subprocess.run(["git", *words], cwd=self.root, check=True)

    def make(self, *options, version=VERSION):
        output = self.root / "files"
        words = ["release", version, "--url", "https://example.org/r", "--built", "--packages",
                 str(self.root / ".build/packages"), "--output", str(output), *options]
        with mock.patch.object(release, "ROOT", self.root), mock.patch("sys.argv", words), mock.patch("builtins.print"):
            return release.main(), output

    def test_unsigned(self):
        code, output = self.make()
        self.assertEqual(code, 0)
        names = sorted(path.name for path in output.iterdir())
        self.assertEqual(
            names, ["notes.md", "weir-1.2.3.tar.gz", "weir.rb", "weir.sha256", "weir_1.2.3_amd64.deb"])
        check = subprocess.run(["sha256sum", "--check", "--quiet", "weir.sha256"], cwd=output)
        self.assertEqual(check.returncode, 0)
        recipe = (output / "weir.rb").read_text(encoding="utf-8")
        self.assertIn('url "https://example.org/r/weir-1.2.3.tar.gz"', recipe)
        self.assertIn(hashlib.sha256((output / "weir-1.2.3.tar.gz").read_bytes()).hexdigest(), recipe)
        first = (output / "weir.sha256").read_bytes()
        self.assertEqual((self.make()[1] / "weir.sha256").read_bytes(), first)

    def test_refused(self):
        self.assertIn("1.2.3", self.make(version="1.2.4")[0])
        (self.root / "CHANGELOG.md").write_text("# Changelog\n", encoding="utf-8")
        self.assertIn("no section", self.make()[0])

    @unittest.skipIf(shutil.which("gpg") is None, "gpg is missing")
    def test_signed(self):
        # The path of a socket is short.
        home = tempfile.TemporaryDirectory(prefix="g", dir="/tmp")
        self.addCleanup(home.cleanup)
        with mock.patch.dict(os.environ, {"GNUPGHOME": home.name}):
            subprocess.run(["gpg", "--batch", "--quiet", "--passphrase", "", "--quick-gen-key", "weir@example.org", "ed25519"],
                           check=True, capture_output=True)
            self.addCleanup(subprocess.run, ["gpgconf", "--homedir", home.name, "--kill", "all"])
            code, output = self.make("--key", "weir@example.org")
            self.assertEqual(code, 0)
            verify = ["gpg", "--batch", "--verify", output / "weir.sha256.asc", output / "weir.sha256"]
            self.assertEqual(subprocess.run(verify, capture_output=True).returncode, 0)
            with open(output / "weir.sha256", "a", encoding="utf-8") as file:
                file.write("x")
            self.assertNotEqual(subprocess.run(verify, capture_output=True).returncode, 0)


if __name__ == "__main__":
    unittest.main()
