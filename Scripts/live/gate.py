"""`weir live --check` as a gate: stop conditions, reports, and a baseline that fits another recording."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

from . import sniffer
from .hosts import SERVER, Wire
from .sessions import NGINX, PYTHON, RECORD, has_gstreamer, has_rtmp
from .sniffer import Sniffer


class Gate(unittest.TestCase):
    def setUp(self):
        self.wire = Wire()
        self.addCleanup(self.wire.close)
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.work = pathlib.Path(directory.name)

    def serve_rtmp(self):
        if not has_rtmp():
            self.skipTest("ffmpeg or nginx with its RTMP module is missing")
        (self.work / "nginx.conf").write_text(NGINX.format(work=self.work))
        log = open(self.work / "nginx.log", "w")
        self.addCleanup(log.close)
        self.wire.server.start("nginx", "-p", self.work, "-c", self.work / "nginx.conf", stdout=log, stderr=log)
        self.wire.server.wait_for_port(1935)

    def publish(self, seconds, name):
        return self.wire.client.start(
            "ffmpeg", "-nostdin", "-v", "error", "-re", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=10",
            "-re", "-f", "lavfi", "-i", "sine=sample_rate=22050", "-c:v", "libx264", "-preset", "veryfast", "-g", "10",
            "-b:v", "40k", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "16k", "-t", str(seconds), "-f", "flv",
            f"rtmp://{SERVER}/live/{name}", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def sniff(self, *options):
        return Sniffer(self.wire.client, "-i", "eth0", *options)

    def check(self, *options):
        run = subprocess.run([sniffer.WEIR, "check", "--quiet", *map(str, options)], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr

    def same(self, first, second):
        """Whether another recording of the same session has the same findings."""
        known = self.work / "known.json"
        code, before = self.check(first, "--write-baseline", known)
        self.assertEqual(code, 0, before)
        entries = json.loads(known.read_text())["findings"]
        self.assertGreater(len(entries), 0)
        code, said = self.check(second, "--fail-on", "note", "--baseline", known)
        self.assertEqual(code, 0, f"{said}\n\nThe first recording:\n{before}")
        self.assertIn("0 findings are new (not in the baseline)", said)
        code, said = self.check(second, "--fail-on", "note")
        self.assertEqual(code, 1, said)

    def test_rtmp_recorded_twice(self):
        self.serve_rtmp()
        files = []
        for name in ("first", "second"):
            files.append(self.work / f"{name}.pcapng")
            sniff = self.sniff("--write", files[-1], "--until", "session closed")
            self.publish(4, name)
            self.assertEqual(sniff.wait(), 0, sniff.errors)
        self.same(*files)

    def test_rtsp_recorded_twice(self):
        if not has_gstreamer():
            self.skipTest("GStreamer with its RTSP server and Python bindings is missing")
        log = open(self.work / "server.log", "w")
        self.addCleanup(log.close)
        self.wire.server.start(PYTHON, RECORD / "gst_server.py", stdout=log, stderr=log)
        self.wire.server.wait_for_port(554)
        files = []
        for name in ("first", "second"):
            files.append(self.work / f"{name}.pcapng")
            sniff = self.sniff("--write", files[-1], "--until", "session closed")
            # Nothing is listening for the media, which is an error in both.
            self.wire.client.run(sys.executable, RECORD / "deaf_client.py", SERVER, "554", "live", "3")
            self.assertEqual(sniff.wait(), 0, sniff.errors)
        self.same(*files)

    def test_until_published(self):
        self.serve_rtmp()
        junit, sarif = self.work / "weir.xml", self.work / "weir.sarif"
        sniff = self.sniff(
            "--check", "--until", "published for 2s", "--report", f"junit={junit}", "--report", f"sarif={sarif}",
            "--write", self.work / "live.pcapng")
        publisher = self.publish(20, "long")
        self.assertEqual(sniff.wait(), 0, sniff.errors)
        self.assertIsNone(publisher.poll(), "it ended before the publisher did")
        suite = xml.parse(junit).getroot().find("testsuite")
        self.assertEqual(suite.get("failures"), "0")
        self.assertGreater(int(suite.get("tests")), 100)
        uri = json.loads(sarif.read_text())["runs"][0]["artifacts"][0]["location"]["uri"]
        self.assertTrue(uri.endswith("live.pcapng"), uri)

    def test_profile_fails(self):
        self.serve_rtmp()
        profile = self.work / "weir.yml"
        profile.write_text("require:\n  video:\n    size: 1920x1080\n")
        sniff = self.sniff("--check", "--profile", profile, "--until", "session closed")
        self.publish(3, "small")
        self.assertEqual(sniff.wait(), 1, sniff.errors)
        self.assertIn("REQUIRE-VIDEO-SIZE", "".join(line for _, line in sniff.lines))
