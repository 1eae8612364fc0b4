"""Tests of the command with files that cannot be written or read, or too many open files."""
import json
import os
import pathlib
import resource
import signal
import struct
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILDS = [ROOT / ".build" / kind / "weir" for kind in ("release", "debug")]
# WEIR names the program to test, as in CI.
WEIR = os.environ.get("WEIR") or max(
    (build for build in BUILDS if build.exists()), key=lambda build: build.stat().st_mtime, default=None)


def rtp_capture(streams, packets):
    """A capture of complete RTP streams without signaling (PCMU)."""
    records = [struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 101)]
    for number in range(packets):
        for stream in range(streams):
            media = struct.pack(">BBHII", 0x80, 0, 100 + number, number * 160, 0x1000 + stream) + bytes(160)
            datagram = struct.pack(">HHHH", 5000, 6000, 8 + len(media), 0) + media
            source = bytes([10, 9, stream >> 8, stream & 255])
            packet = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(datagram), 0, 0, 64, 17, 0) + source + bytes(
                [10, 8, 0, 1]) + datagram
            records.append(struct.pack("<IIII", 1_700_000_000 + number, stream, len(packet), len(packet)) + packet)
    return b"".join(records)


@unittest.skipIf(WEIR is None, "there is no build")
class Command(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.work = pathlib.Path(directory.name)

    def weir(self, *arguments, limits=()):
        def prepare():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            for limit, value in limits:
                resource.setrlimit(limit, (value, value))

        return subprocess.run(
            [WEIR, *arguments], cwd=ROOT, capture_output=True, preexec_fn=prepare,
            env={**os.environ, "TMPDIR": str(self.work)})

    def test_full_spool(self):
        """A JSON report is unchanged if its spool file can take only part of it."""
        command = ["Captures/rtsp/rtsp-udp.pcap", "--packets", "--format", "json"]
        whole = self.weir(*command)
        for octets in (0, 70_000, 100_000):
            run = self.weir(*command, limits=[(resource.RLIMIT_FSIZE, octets)])
            self.assertEqual(run.returncode, 0)
            self.assertEqual(run.stdout, whole.stdout, octets)
        json.loads(whole.stdout)

    def test_many_streams(self):
        """Each media stream has its file, which is closed at the end of the stream."""
        capture = self.work / "many.pcap"
        capture.write_bytes(rtp_capture(streams=100, packets=8))
        run = self.weir("extract", "--all", self.work / "media", capture, limits=[(resource.RLIMIT_NOFILE, 120)])
        self.assertEqual(run.returncode, 0, run.stderr)
        manifest = json.loads((self.work / "media" / "manifest.json").read_text())
        self.assertEqual(len(manifest["streams"]), 100)
        for stream in manifest["streams"]:
            self.assertEqual((stream["missingPackets"], stream["packets"], stream["earlyPackets"]), (0, 8, 2))
            self.assertEqual((stream["frames"], stream["writtenFrames"]), (6, 6))
        self.assertIn("6 of 6 frames written; 2 packets before its detection skipped\n", run.stderr.decode())

    def test_no_capture(self):
        """If a capture cannot be opened, nothing is reported about its streams."""
        run = self.weir("extract", "-o", "-", "--stream", "1", self.work / "none.pcap")
        self.assertEqual(run.returncode, 2)
        self.assertEqual(run.stderr.decode().count("\n"), 1)
        self.assertIn("no such file", run.stderr.decode())

    def test_no_stream(self):
        """A missing stream is not a usage error."""
        run = self.weir("extract", "-o", "-", "--stream", "99", "Captures/rtsp/rtsp-udp.pcap")
        self.assertEqual(run.returncode, 2)
        self.assertTrue(run.stderr.decode().startswith("weir: there is no stream 99; the capture contains\n"), run.stderr)
        self.assertNotIn("Usage", run.stderr.decode())

    def test_unwritten_media(self):
        """Files that could not be written are not listed, and one file name for all streams is a usage error."""
        for output in ("/dev/full", self.work / "none" / "camera.h264"):
            run = self.weir("extract", "-o", output, "--stream", "1", "Captures/rtsp/rtsp-udp.pcap")
            self.assertEqual(run.returncode, 2)
            self.assertIn("was not written: cannot write its file\n", run.stderr.decode())
            self.assertNotIn("frames written", run.stderr.decode())
        run = self.weir("extract", "--all", self.work / "all", "-o", self.work / "one", "Captures/rtsp/rtsp-udp.pcap")
        self.assertEqual(run.returncode, 64)
        self.assertFalse((self.work / "all").exists())

    def test_page(self):
        """The page of a capture is that of a check with the default profile; a number of events is at least 1."""
        pages = [self.work / "one.html", self.work / "other.html"]
        capture = "Captures/rtsp/rtsp-loss-udp.pcap"
        self.assertEqual(self.weir(capture, "--format", "html", "-o", pages[0]).returncode, 0)
        self.assertEqual(self.weir("check", capture, "--report", f"html={pages[1]}").returncode, 1)
        self.assertEqual(pages[0].read_bytes(), pages[1].read_bytes())
        self.assertLess(len(self.weir(capture, "--format", "html", "--max-events", "12").stdout), pages[0].stat().st_size)
        self.assertEqual(self.weir(capture, "--format", "html", "--max-events", "0").returncode, 64)

    def test_what_is_shown(self):
        """A selection limits verdicts and counts; an impossible selection is a usage error."""
        dialogue = "Captures/rtsp/article-dialogue.pcap"
        self.assertEqual(self.weir("check", dialogue).returncode, 1)
        for part, code in ((["--from", "0", "--to", "0.005"], 0), (["--from", "0.05", "--to", "0.052"], 1),
                           (["--protocol", "rtp"], 0), (["--protocol", "sdp"], 1), (["--flow", "1"], 1),
                           (["--rule", "rtsp-session-echo"], 1), (["--rule", "RTSP-CSEQ-ECHO"], 0),
                           (["--flow", "99"], 64), (["--from", "3", "--to", "1"], 64)):
            self.assertEqual(self.weir("check", dialogue, *part).returncode, code, part)
        run = self.weir("rules", "rtsp-cseq-echo")
        self.assertTrue(run.stdout.startswith(b"RTSP-CSEQ-ECHO\n"), run.stderr)
        run = self.weir(dialogue, "--time", "absolute")
        self.assertIn("2016-08-10 05:41:02.697200     #4 → RTSP  OPTIONS", run.stdout.decode())

    def test_what_the_capture_lacks(self):
        """A description, or the meaning of a payload type, may be given on the command line."""
        capture = self.work / "one.pcap"
        capture.write_bytes(rtp_capture(streams=1, packets=8).replace(b"\x80\x00\x00", b"\x80\x60\x00"))
        plain = self.weir(capture).stdout.decode()
        self.assertIn("payload type 96", plain)
        decoded = self.weir(capture, "--decode-as", "udp/6000=rtp:96=L16/8000").stdout.decode()
        self.assertIn("audio L16 8 kHz mono", decoded)
        description = self.work / "one.sdp"
        description.write_text("v=0\no=- 0 0 IN IP4 10.8.0.1\ns=-\nc=IN IP4 10.8.0.1\nt=0 0\n"
                               "m=audio 6000 RTP/AVP 96\na=rtpmap:96 L16/8000\n")
        supplied = self.weir(capture, "--timeline", "--sdp", description).stdout.decode()
        self.assertIn("audio L16 8 kHz mono", supplied)
        self.assertIn("one.sdp (--sdp)", "".join(supplied.split("\n")).replace("  ", ""))
        self.assertNotIn("--decode-as", supplied)

    def test_plain_command_lines(self):
        """File names alone are not parsed like options, with the same result; an option's default changes nothing."""
        captures = ["Captures/rtsp/rtsp-loss-udp.pcap", "Captures/rtmp/obs-x264-aac.pcap", "none.pcap"]
        for files in ([captures[0]], captures, ["analyze", captures[0]], [""]):
            plain, parsed = self.weir(*files), self.weir(*files, "--format", "text", "--lang", "en")
            self.assertEqual((plain.returncode, plain.stdout, plain.stderr),
                             (parsed.returncode, parsed.stdout, parsed.stderr), files)
        for arguments, code in ((["check"], 64), (["--nothing"], 64), (["-", "-"], 64), (["help"], 0)):
            self.assertEqual(self.weir(*arguments).returncode, code, arguments)

    def test_what_cannot_be_said_of_ports(self):
        """Two options for the same port, and a clock rate of zero, are usage errors."""
        capture = self.work / "one.pcap"
        capture.write_bytes(rtp_capture(streams=1, packets=8))
        for options in (["udp/6000=rtp", "udp/6000=rtcp"], ["udp/6000=rtp:96=H264/0"], ["udp/6000=rtp:96=/90000"]):
            arguments = [word for option in options for word in ("--decode-as", option)]
            self.assertEqual(self.weir(capture, *arguments).returncode, 64, options)


if __name__ == "__main__":
    unittest.main()
