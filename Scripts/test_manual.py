"""Tests of Scripts/manual: `python3 -m unittest discover -s Scripts`."""
import importlib.machinery
import importlib.util
import pathlib
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent / "manual"
LOADER = importlib.machinery.SourceFileLoader("manual", str(SCRIPT))
manual = importlib.util.module_from_spec(importlib.util.spec_from_loader("manual", LOADER))
LOADER.exec_module(manual)

COMMAND = {
    "commandName": "check",
    "abstract": "Checks captures. Exit code 1 is failure.",
    "discussion": "First line\nand second.\n\nExamples:\n  weir check a.pcap\n  .hidden",
    "arguments": [
        {"kind": "positional", "valueName": "file", "isOptional": False, "isRepeating": True, "shouldDisplay": True,
         "abstract": "Captures."},
        {"kind": "option", "valueName": "number", "isOptional": True, "isRepeating": False, "shouldDisplay": True,
         "names": [{"kind": "short", "name": "j"}, {"kind": "long", "name": "jobs"}],
         "preferredName": {"kind": "long", "name": "jobs"}, "abstract": "How many.", "defaultValue": "2"},
        {"kind": "flag", "isOptional": True, "isRepeating": False, "shouldDisplay": False,
         "names": [{"kind": "long", "name": "secret"}], "preferredName": {"kind": "long", "name": "secret"}},
    ],
}


class PageTests(unittest.TestCase):
    def setUp(self):
        self.title, self.page = manual.page(COMMAND, ["weir"], ["weir", "weir-check"], "May 1, 2026")
        self.lines = self.page.splitlines()

    def test_name(self):
        self.assertEqual(self.title, "weir-check")
        self.assertIn(".Dt WEIR-CHECK 1", self.lines)
        self.assertIn(".Xr weir 1", self.lines)

    def test_options_come_before_operands(self):
        synopsis = self.lines[self.lines.index(".Nm weir check") + 1:]
        self.assertEqual(synopsis[:2], [".Op Fl \\-jobs Ar number", ".Ar file ..."])

    def test_each_option_with_its_default(self):
        place = self.lines.index(".It Fl j , Fl \\-jobs Ar number")
        self.assertEqual(self.lines[place + 1:place + 3], ["How many.", "(default: 2)"])
        self.assertNotIn("secret", self.page)

    def test_sentences_and_examples(self):
        self.assertIn("Checks captures.\nExit code 1 is failure.", self.page)
        self.assertIn("First line and second.", self.lines)
        place = self.lines.index(".Bd -literal -offset indent")
        self.assertEqual(self.lines[place + 1:place + 4], ["weir check a.pcap", "\\&.hidden", ".Ed"])


class EscapingTests(unittest.TestCase):
    def test_macros_and_dashes(self):
        self.assertEqual(manual.escaped(".Sh a-b\\c\n'x"), "\\&.Sh a\\-b\\ec\n\\&'x")


if __name__ == "__main__":
    unittest.main()
