"""Tests of Documentation/diff.schema.json with the expected reports of comparisons, and with invalid ones.

    python3 -m unittest discover -s Scripts
"""
import copy
import json
import pathlib
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXPECTED = sorted((ROOT / "Tests/WeirComparisonTests/Expected").glob("*.json"))


@unittest.skipIf(jsonschema is None, "the Python package jsonschema is missing")
class DiffSchemaTests(unittest.TestCase):
    def setUp(self):
        schema = json.loads((ROOT / "Documentation/diff.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        self.validator = jsonschema.Draft202012Validator(schema)

    def test_expected_reports(self):
        self.assertGreater(len(EXPECTED), 3)
        for path in EXPECTED:
            with self.subTest(path.name):
                self.validator.validate(json.loads(path.read_text(encoding="utf-8")))

    def test_faults(self):
        for path in EXPECTED:
            document = json.loads(path.read_text(encoding="utf-8"))
            for change in (lambda d: d.pop("different"), lambda d: d.update(mode="both"), lambda d: d.update(more=1)):
                faulty = copy.deepcopy(document)
                change(faulty)
                with self.subTest(path.name):
                    self.assertFalse(self.validator.is_valid(faulty))


if __name__ == "__main__":
    unittest.main()
