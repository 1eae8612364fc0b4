"""Ends of a capture: by a signal, a verdict, or a lost interface or output."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from . import sniffer
from .hosts import SERVER, Wire
from .sessions import PEERS
from .sniffer import Sniffer


class Endings(unittest.TestCase):
    def setUp(self):
        self.wire = Wire()
        self.addCleanup(self.wire.close)
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.work = pathlib.Path(directory.name)
        self.served = self.wire.server.start(sys.executable, PEERS / "rtsp_options.py", "serve", SERVER, 9)
        self.wire.server.wait_for_port(554)

    def ask(self, count=1):
        self.wire.client.run(sys.executable, PEERS / "rtsp_options.py", "ask", SERVER, count)

    def sniff(self, *options, **more):
        return Sniffer(self.wire.client, "-i", "eth0", "--filter", "tcp", *options, **more)

    def test_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            sniff = self.sniff()
            self.ask()
            self.assertEqual(sniff.stop(number), 0)
            for word in ("OPTIONS", "200 OK", "Outcome", "Summary"):
                self.assertIn(word, sniff.text)
            self.assertIn("packets captured", sniff.errors)

    def test_the_second_signal_stops_at_once(self):
        # Nothing reads weir's response to the first signal.
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        try:
            while True:
                os.write(writing, b"x" * 4096)
        except BlockingIOError:
            pass
        os.set_blocking(writing, True)
        sniff = self.sniff(stdout=writing)
        self.ask()
        time.sleep(0.3)
        sniff.process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        self.assertIsNone(sniff.process.poll(), "the first waits for the reader")
        sniff.process.send_signal(signal.SIGINT)
        self.assertEqual(sniff.wait(2), 128 + signal.SIGINT)
        os.close(reading)
        os.close(writing)

    def test_the_interface_goes_away(self):
        path = self.work / "gone.pcapng"
        sniff = self.sniff("--write", path)
        self.ask()
        time.sleep(0.3)
        self.wire.client.run("ip", "link", "delete", "eth0")
        self.assertEqual(sniff.wait(), 2)
        self.assertIn("eth0: the interface is gone", sniff.errors)
        self.assertIn("200 OK", sniff.text)
        self.assertIn("the interface is gone", sniff.text, "in the summary, too")
        self.assertEqual(sniffer.records(path)[-1]["packets"], 10)

    def test_one_of_two_interfaces_goes_away(self):
        """The lost interface is reported, the other continues, and packets missing from then on are no peer's fault."""
        self.wire.link("eth1", "eth1")
        for host, address in ((self.wire.client, "10.79.0.1"), (self.wire.server, "10.79.0.2")):
            host.run("ip", "address", "add", address + "/24", "dev", "eth1")
        path = self.work / "one.pcapng"
        sniff = self.sniff("-i", "eth1", "--write", path, "--format", "ndjson")
        self.ask()
        time.sleep(0.3)
        self.wire.client.run("ip", "link", "delete", "eth1")
        for _ in range(50):
            if "eth1: the interface is gone; the capture continues on eth0" in sniff.errors:
                break
            time.sleep(0.1)
        else:
            self.fail(sniff.errors)
        self.assertIsNone(sniff.process.poll())
        self.ask()
        self.assertEqual(sniff.stop(), 2, "not all that was asked for is there")
        live = sniff.records
        self.assertEqual(live[-1]["packets"], 20)
        self.assertIn("interface eth1 disappeared", live[-1]["limitsReached"][0])
        live[-1].pop("droppedPackets")
        self.assertEqual(live[1:], sniffer.records(path, "--filter", "tcp")[1:], "the file says it, too")

    def test_all_interfaces_go_away(self):
        self.wire.link("eth1", "eth1")
        sniff = self.sniff("-i", "eth1")
        for name in ("eth1", "eth0"):
            time.sleep(0.5)
            self.wire.client.run("ip", "link", "delete", name)
        self.assertEqual(sniff.wait(), 2)
        self.assertIn("eth1: the interface is gone; the capture continues on eth0", sniff.errors)
        self.assertIn("eth0: the interface is gone; packets captured before are reported", sniff.errors)

    def test_an_interface_that_is_down_for_a_while(self):
        sniff = self.sniff()
        self.ask()
        time.sleep(0.3)
        self.wire.client.run("ip", "link", "set", "eth0", "down")
        time.sleep(0.5)
        self.wire.client.run("ip", "link", "set", "eth0", "up", "mtu", "1400")
        time.sleep(0.5)
        self.ask()
        self.assertEqual(sniff.stop(), 0)
        self.assertEqual(sniff.text.count("200 OK"), 2)

    def test_what_cannot_be_opened_ends_with_a_message(self):
        """Each step of opening fails once; nothing opened before is closed twice."""
        self.wire.client.run("ip", "tuntap", "add", "tun9", "mode", "tun", check=False)
        for name, filter, code, message in (
            ("lo", "wlan type mgt", 64, "filter"),
            ("any", "wlan type mgt", 64, "filter"),
            ("eth0", "ether proto 1 and wlan type mgt", 64, "filter"),
            ("eth7", "tcp", 2, "eth7"),
            ("tun9", "tcp", 2, "tun9"),
            ("", "tcp", 2, ""),
            ("e" * 300, "tcp", 2, "eee"),
        ):
            sniff = Sniffer(self.wire.client, "-i", name, "--filter", filter)
            self.assertEqual(sniff.wait(), code, (name, filter, sniff.errors))
            self.assertIn(message, sniff.errors)
            self.assertNotIn("double free", sniff.errors)

    def test_no_such_interface(self):
        sniff = Sniffer(self.wire.client, "-i", "eth7")
        self.assertEqual(sniff.wait(), 2)
        self.assertIn("eth7", sniff.errors)

    def test_wrong_command_lines(self):
        for options in (
            [], ["-i", "eth0", "-i", "eth0"], ["-i", "eth0", "--rotate", "1MB"], ["-i", "eth0", "--filter", "no such"],
            ["-i", "eth0", "--keep", "2"], ["-i", "eth0", "--write", "x", "--rotate", "100"],
            ["-i", "eth0", "--strict"], ["-i", "eth0", "--count", "0"], ["-i", "eth0", "--user", "no-such-user"],
        ):
            self.assertEqual(Sniffer(self.wire.client, *options).wait(), 64, options)

    def test_the_disk_is_full(self):
        disk = self.work / "disk"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", disk], check=True)
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        path = disk / "full.pcapng"
        sniff = Sniffer(self.wire.client, "-i", "eth0", "--filter", "udp port 5004", "--format", "ndjson", "--write", path)
        self.wire.client.run(sys.executable, PEERS / "flood.py", SERVER, 5004, 2000, 0.01)
        self.assertEqual(sniff.wait(), 2)
        self.assertIn("No space left on device", sniff.errors)
        self.assertIn("No space left on device", sniff.records[-1]["damage"]["reason"])
        kept = sniffer.records(path)[-1]
        self.assertGreater(kept["packets"], 400)
        self.assertNotIn("damage", kept, "the file ends behind a complete packet")

    def test_nobody_reads(self):
        reading, writing = os.pipe()
        path = self.work / "pipe.pcapng"
        sniff = self.sniff("--write", path, stdout=writing)
        os.close(writing)
        os.close(reading)
        self.ask()
        self.assertEqual(sniff.wait(), 2)
        self.assertIn("cannot write standard output: Broken pipe", sniff.errors)
        self.assertGreater(sniffer.records(path)[-1]["packets"], 3)

    def test_check(self):
        sniff = self.sniff("--check")
        self.ask()
        self.assertEqual(sniff.stop(), 0, "a warning is no error")
        self.assertIn("RTSP-PUBLIC", sniff.text)
        self.assertIn("Summary", sniff.text)
        self.assertRegex(sniff.text.split("Summary")[1], r"RTSP-PUBLIC[\s\S]* rules: ", "the verdict at the end")
        sniff = self.sniff("--check", "--strict", "--format", "ndjson")
        self.ask()
        self.assertEqual(sniff.stop(), 1)
        kinds = [record["record"] for record in sniff.records]
        self.assertIn("rule", kinds)
        self.assertEqual(kinds[-1], "summary")

    def test_stop_on(self):
        sniff = self.sniff("--stop-on", "warning", "--check", "--fail-on", "warning")
        self.ask(2)
        self.assertEqual(sniff.wait(), 1)
        self.assertIn("RTSP-PUBLIC", sniff.text)
        self.assertIn("Summary", sniff.text)
