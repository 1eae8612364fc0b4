"""Sessions of real peers have the same report live and from the file."""
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

from . import sniffer
from .hosts import CLIENT, SERVER, Wire
from .sniffer import Sniffer

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RECORD = ROOT / "Captures" / "record"
PEERS = pathlib.Path(__file__).resolve().parent / "peers"
# GStreamer's bindings are installed for the system's Python, which may not be the first in PATH.
PYTHON = "/usr/bin/python3"

NGINX = """
load_module /usr/lib/nginx/modules/ngx_rtmp_module.so;
daemon off;
user root;
worker_processes 1;
error_log stderr warn;
pid {work}/nginx.pid;
events {{ }}
rtmp {{ server {{ listen 1935; chunk_size 4096; application live {{ live on; }} }} }}
"""


def has_gstreamer():
    script = ("import gi; gi.require_version('GstRtspServer', '1.0'); from gi.repository import Gst, GstRtspServer;"
              "Gst.init(None); assert Gst.ElementFactory.find('x264enc') and Gst.ElementFactory.find('rtspsrc')")
    return subprocess.run([PYTHON, "-c", script], capture_output=True).returncode == 0


def has_rtmp():
    return shutil.which("ffmpeg") and pathlib.Path("/usr/lib/nginx/modules/ngx_rtmp_module.so").exists()


def python_with_aiortc():
    for python in (ROOT / ".build" / "live-python" / "bin" / "python", sys.executable, PYTHON):
        if shutil.which(python) is None:
            continue
        if subprocess.run([python, "-c", "import aiortc"], capture_output=True).returncode == 0:
            return python
    return None


class Sessions(unittest.TestCase):
    def setUp(self):
        self.wire = Wire()
        self.addCleanup(self.wire.close)
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.work = pathlib.Path(directory.name)

    def sniff(self, talk, *options, name="live.pcapng"):
        """Captures while `talk` runs; returns the records, and the delay of each behind its packet in seconds."""
        path = self.work / name
        sniff = Sniffer(self.wire.client, "-i", "eth0", "--format", "ndjson", "--write", path, *options)
        talk()
        self.assertEqual(sniff.stop(), 0, sniff.errors)
        live, replayed = sniff.records, sniffer.records(path, *options)
        self.assertEqual(live[0]["record"], "capture")
        self.assertEqual((live[0]["file"], live[0]["format"]), ("eth0", "live"))
        # Not in a file: its name, and the drop count.
        self.assertEqual(live[-1].pop("droppedPackets"), 0)
        self.assertEqual(live[1:], replayed[1:])
        shown = sniffer.analyse(path, "--no-notes")[1]
        self.assertGreater(len(shown.splitlines()), 5)
        return live

    def kinds(self, live, protocol):
        return {record["kind"] for record in live if record["record"] == "event" and record["protocol"] == protocol}

    def outcome(self, live):
        sessions = [record for record in live if record["record"] == "session"]
        self.assertEqual(len(sessions), 1)
        return sessions[0]["outcome"]

    def rtsp(self, *steps, **options):
        if not has_gstreamer():
            self.skipTest("GStreamer with its RTSP server and Python bindings is missing")
        log = open(self.work / "server.log", "w")
        self.addCleanup(log.close)
        self.wire.server.start(PYTHON, RECORD / "gst_server.py", stdout=log, stderr=log)
        self.wire.server.wait_for_port(554)
        protocols = options.pop("protocols", "udp")

        def talk():
            self.wire.client.run(
                PYTHON, RECORD / "gst_client.py", f"rtsp://{SERVER}/live", *steps, "--protocols", protocols)
        return self.sniff(talk)

    def test_rtsp_over_udp(self):
        live = self.rtsp("play=3")
        self.assertLessEqual({"request", "response"}, self.kinds(live, "rtsp"))
        self.assertLessEqual({"start", "keyframe", "end"}, self.kinds(live, "rtp"))
        self.assertIn("senderReport", self.kinds(live, "rtcp"))
        self.assertIn("played for", self.outcome(live))

    def test_rtsp_interleaved(self):
        live = self.rtsp("play=2", "pause=1", "play=2", protocols="tcp")
        streams = [record for record in live if record["record"] == "stream"]
        self.assertEqual({stream["transport"] for stream in streams}, {"interleaved"})
        self.assertIn("played for", self.outcome(live))

    def test_rtmp(self):
        if not has_rtmp():
            self.skipTest("ffmpeg or nginx with its RTMP module is missing")
        (self.work / "nginx.conf").write_text(NGINX.format(work=self.work))
        log = open(self.work / "nginx.log", "w")
        self.addCleanup(log.close)
        self.wire.server.start("nginx", "-p", self.work, "-c", self.work / "nginx.conf", stdout=log, stderr=log)
        self.wire.server.wait_for_port(1935)

        def talk():
            self.wire.client.run(
                "ffmpeg", "-nostdin", "-v", "warning", "-re", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=10",
                "-re", "-f", "lavfi", "-i", "sine=sample_rate=22050", "-c:v", "libx264", "-preset", "veryfast", "-g", "10",
                "-b:v", "40k", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "16k", "-t", "3", "-f", "flv",
                f"rtmp://{SERVER}/live/camera")
        live = self.sniff(talk)
        self.assertLessEqual({"handshake", "message"}, self.kinds(live, "rtmp"))
        commands = {record["fields"].get("command") for record in live
                    if record["record"] == "event" and record["protocol"] == "rtmp"}
        self.assertLessEqual({"connect", "createStream", "publish", "_result", "onStatus"}, commands)

    def test_webrtc(self):
        python = python_with_aiortc()
        if python is None:
            self.skipTest("the Python package aiortc is missing")

        def talk():
            server = self.wire.server.start(python, PEERS / "webrtc.py", "answer", SERVER)
            self.wire.server.wait_for_port(8765)
            self.wire.client.run(python, PEERS / "webrtc.py", "offer", SERVER)
            server.wait(20)
        live = self.sniff(talk)
        packets = sum(record["packets"]["clientToServer"] + record["packets"]["serverToClient"]
                      for record in live if record["record"] == "flow" and record["transport"] == "udp")
        self.assertGreater(packets, 100, "media went over UDP")

    def test_answers_appear_at_once(self):
        answers = 40
        server = self.wire.server.start(sys.executable, PEERS / "rtsp_options.py", "serve", SERVER, answers)
        self.wire.server.wait_for_port(554)
        for form in ("ndjson", "text"):
            sniff = Sniffer(self.wire.client, "-i", "eth0", "--format", form, "--no-notes")
            asked = self.wire.client.run(
                sys.executable, PEERS / "rtsp_options.py", "ask", SERVER, answers // 2, text=True).stdout
            sent = [float(line) for line in asked.split()]
            time.sleep(0.3)
            shown = [moment for moment, line in sniff.lines
                     if (" ← RTSP  200" in line or '"kind":"response"' in line)]
            self.assertEqual(sniff.stop(), 0)
            self.assertEqual(len(shown), len(sent))
            delays = [(after - before) * 1000 for before, after in zip(sent, shown)]
            print(f"\n{form}: answers shown {statistics.median(delays):.1f} ms after they came"
                  f" (median of {len(delays)}; at most {max(delays):.1f})", file=sys.stderr)
            self.assertLess(statistics.median(delays), 100)
            self.assertLess(sorted(delays)[-2], 100, "all but one, which a busy machine may delay")
        server.wait(10)

    def test_the_clock_ends_what_is_over(self):
        """A closed session is reported without further packets."""
        self.wire.server.start(sys.executable, PEERS / "rtsp_options.py", "serve", SERVER, 1)
        self.wire.server.wait_for_port(554)
        path = self.work / "idle.pcapng"
        sniff = Sniffer(self.wire.client, "-i", "eth0", "--filter", "tcp", "--format", "ndjson", "--write", path)
        self.wire.client.run(sys.executable, PEERS / "rtsp_options.py", "ask", SERVER, 1)
        for _ in range(20):
            time.sleep(1)
            if any(record["record"] == "session" for record in sniff.records):
                break
        kinds = [record["record"] for record in sniff.records]
        self.assertIn("session", kinds, "within 20 s of silence")
        self.assertIn("flow", kinds)
        self.assertNotIn("summary", kinds)
        self.assertEqual(sniff.stop(), 0)
        live = sniff.records
        live[-1].pop("droppedPackets")
        replayed = sniffer.records(path, "--filter", "tcp")
        self.assertEqual(live[1:], replayed[1:])

    def test_several_interfaces(self):
        """Two links and the loopback interface: all are captured, and `any` captures the same."""
        self.wire.link("eth1", "eth1")
        for host, address in ((self.wire.client, "10.79.0.1"), (self.wire.server, "10.79.0.2")):
            host.run("ip", "address", "add", address + "/24", "dev", "eth1")
        for names, formats in ((["eth0", "eth1", "lo"], {"Ethernet"}), (["any"], {"Linux cooked v2"})):
            path = self.work / (names[0] + ".pcapng")
            options = [word for name in names for word in ("-i", name)]
            sniff = Sniffer(self.wire.client, *options, "--filter", "icmp", "--format", "ndjson", "--write", path)
            for address in (SERVER, "10.79.0.2", CLIENT):
                self.wire.client.run("ping", "-c", "2", "-i", "0.2", address)
            self.assertEqual(sniff.stop(), 0)
            live = sniff.records
            self.assertEqual(set(live[0]["linkTypes"]), formats)
            # A ping to the own address is captured twice on `any`, once in each direction.
            self.assertGreaterEqual(live[-1]["packets"], 12)
            live[-1].pop("droppedPackets")
            self.assertEqual(live[1:], sniffer.records(path, "--filter", "icmp")[1:])
