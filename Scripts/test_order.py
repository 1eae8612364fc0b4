"""Tests Benchmarks/order.py."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Benchmarks"))
import order  # noqa: E402

PROFILE = """events: Ir
fn=(1) main
3 10
cfn=(2) parse
calls=2 0
5 700
+1 4
fn=(2)
0 300
fn=(3) parse'2
* 400
fn=(1)
9 1
"""


class Costs(unittest.TestCase):
    def test_own_instructions(self):
        """What a function calls is not its own, and a recursion is one function."""
        self.assertEqual(order.costs(PROFILE), {"main": 15, "parse": 700})


if __name__ == "__main__":
    unittest.main()
