"""Documentation/findings.md has a reason for each error and warning in the reports, and for no other."""
import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROW = re.compile(r"(?m)^\| (\S+) \| ([A-Z0-9-]+) \| (error|warning) \| (.+) \|$")


class Findings(unittest.TestCase):
    def test_every_alarm_has_its_reason(self):
        found = set()
        for path in (ROOT / "Reports").glob("**/*.json"):
            if path.name.endswith(".check.json"):
                continue
            for capture in json.loads(path.read_text(encoding="utf-8"))["captures"]:
                name = str(path.relative_to(ROOT / "Reports"))[:-len(".json")]
                found |= {(name, finding["rule"], finding["severity"]) for finding in capture["findings"]
                          if finding["verdict"] == "fail" and finding["severity"] != "note"}
        rows = ROW.findall((ROOT / "Documentation" / "findings.md").read_text(encoding="utf-8"))
        told = {(capture, rule, severity) for capture, rule, severity, _ in rows}
        self.assertEqual(len(told), len(rows), "a row stands twice")
        self.assertEqual(sorted(found - told), [], "without a reason")
        self.assertEqual(sorted(told - found), [], "not found any more")
        self.assertGreater(len(rows), 0)


if __name__ == "__main__":
    unittest.main()
