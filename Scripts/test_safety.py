"""Tests of Scripts/safety."""
import importlib.machinery
import importlib.util
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOADER = importlib.machinery.SourceFileLoader("safety", str(ROOT / "Scripts" / "safety"))
safety = importlib.util.module_from_spec(importlib.util.spec_from_loader("safety", LOADER))
LOADER.exec_module(safety)


class Safety(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = pathlib.Path(directory.name)
        shutil.copytree(ROOT / "Sources", self.root / "Sources")
        shutil.copy(ROOT / "Package.swift", self.root)
        self.file = self.root / "Sources" / "WeirEngine" / "Text" / "Text.swift"

    def faults(self):
        return safety.check(self.root)[0]

    def test_as_it_is(self):
        self.assertEqual(self.faults(), [])

    def test_unlisted(self):
        self.file.write_text(self.file.read_text(encoding="utf-8") + "\nlet x = unsafe y\n", encoding="utf-8")
        self.assertRegex("\n".join(self.faults()), r"Text\.swift: unsafe code that safety\.md does not list")

    def test_more_than_listed(self):
        listed = self.root / "Sources" / "weir" / "FileBlocks.swift"
        listed.write_text(listed.read_text(encoding="utf-8") + "\nlet x = unsafe y\n", encoding="utf-8")
        self.assertRegex("\n".join(self.faults()), r"FileBlocks\.swift: 4 lines with unsafe code, safety\.md says 3")

    def test_gone(self):
        (self.root / "Sources" / "weir" / "FileBlocks.swift").unlink()
        self.assertRegex("\n".join(self.faults()), r"FileBlocks\.swift has no unsafe code")

    def test_forbidden(self):
        for text in ["let a = try! b()", "let a = b as! C", "let a = b!.c", "final class A: @unchecked Sendable {}"]:
            self.file.write_text(text + "\n", encoding="utf-8")
            self.assertEqual(len(self.faults()), 1, text)
        for text in ['let a = "try! unsafe"', "// unsafe, b!.c", "if a != b { c() }"]:
            self.file.write_text(text + "\n", encoding="utf-8")
            self.assertEqual(self.faults(), [], text)


@unittest.skipUnless(shutil.which("readelf") and shutil.which("gcc"), "there is no compiler")
class Hardening(unittest.TestCase):
    def look(self, *flags):
        with tempfile.TemporaryDirectory() as work:
            source = pathlib.Path(work) / "a.c"
            source.write_text("int main(void) { return 0; }\n")
            program = pathlib.Path(work) / "a"
            subprocess.run(["gcc", *flags, "-o", program, source], check=True)
            run = subprocess.run(
                [ROOT / "Scripts" / "build-release", "--check", program], capture_output=True, text=True)
            return run.returncode, run.stderr

    HARD = ["-pie", "-fPIE", "-Wl,-z,relro", "-Wl,-z,now", "-Wl,-z,noexecstack"]

    def test_hard(self):
        self.assertEqual(self.look(*self.HARD), (0, ""))

    def test_soft(self):
        for flags, what in [
            (["-no-pie"], "not position-independent"), (["-Wl,-z,lazy"], "bound late"),
            (["-Wl,-z,norelro"], "no RELRO"), (["-Wl,-z,execstack"], "the stack can be executed"),
            (["-Wl,-rpath,$ORIGIN"], "looked for beside the program"),
        ]:
            code, said = self.look(*self.HARD, *flags)
            self.assertEqual(code, 1, what)
            self.assertIn(what, said)


if __name__ == "__main__":
    unittest.main()
