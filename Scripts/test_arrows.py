"""Tests of Scripts/arrows on small source trees."""
import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

loader = importlib.machinery.SourceFileLoader("arrows", str(pathlib.Path(__file__).with_name("arrows")))
arrows = importlib.util.module_from_spec(importlib.util.spec_from_loader("arrows", loader))
loader.exec_module(arrows)


class Arrows(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(setattr, arrows, "SOURCES", arrows.SOURCES)
        arrows.SOURCES = pathlib.Path(folder.name)

    def write(self, name, text):
        path = arrows.SOURCES / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def test_layers(self):
        self.write("WeirProtocols/RTSP/Rules/Step.swift", "final class Step {}\n")
        self.write("WeirProtocols/RTSP/Messages/One.swift", "struct One {\n    var step: Step\n}\n")
        self.write("WeirProtocols/RTSP/Messages/Two.swift",
                   "struct Two {\n    func view(of event: Event) -> AnyObject? { Step(self) }\n}\n")
        self.assertEqual(list(arrows.inner_arrows()),
                         [("WeirProtocols/RTSP/Messages/One.swift:2", "uses Step of Rules, a later layer")])

    def test_protocols(self):
        self.write("WeirProtocols/RTMP/RTMPThing.swift", "struct RTMPThing {}\n")
        self.write("WeirProtocols/RTSP/One.swift", "// RTMPThing\nlet text = \"RTMPThing // RTMPThing\"\n")
        self.write("WeirProtocols/RTSP/Two.swift", "let other: RTMPThing\n")
        self.assertEqual(list(arrows.inner_arrows()),
                         [("WeirProtocols/RTSP/Two.swift:1", "uses RTMPThing of RTMP")])

    def test_circles(self):
        self.write("WeirKit/One.swift", "struct One { var two: Two? }\n")
        self.write("WeirKit/Two.swift", "struct Two { var three: Three? }\n")
        self.write("WeirKit/Three.swift", "final class Three { var one: One? }\n")
        self.write("WeirKit/Four.swift", "struct Four { var one: One }\n")
        self.assertEqual(arrows.circles("WeirKit"), [frozenset({"One", "Two", "Three"})])


if __name__ == "__main__":
    unittest.main()
