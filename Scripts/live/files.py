"""Files of --write: formats, rotation, the ring buffer, and no loss of complete packets when weir is killed."""
import pathlib
import signal
import sys
import tempfile
import time
import unittest

from . import sniffer
from .hosts import SERVER, Wire
from .sessions import PEERS
from .sniffer import Sniffer


class Files(unittest.TestCase):
    def setUp(self):
        self.wire = Wire()
        self.addCleanup(self.wire.close)
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.work = pathlib.Path(directory.name)

    def flood(self, packets, gap=0.01):
        self.wire.client.run(sys.executable, PEERS / "flood.py", SERVER, 5004, packets, gap)

    def sniff(self, *options, name="eth0"):
        return Sniffer(self.wire.client, "-i", name, "--filter", "udp port 5004", "--format", "ndjson", *options)

    def packets(self, path):
        return sniffer.records(path)[-1]["packets"]

    def test_pcap(self):
        path = self.work / "classic.pcap"
        sniff = self.sniff("--write", path)
        self.flood(1000)
        self.assertEqual(sniff.stop(), 0)
        replayed = sniffer.records(path)
        self.assertEqual(replayed[0]["format"], "pcap")
        self.assertEqual(replayed[-1]["packets"], 1000)
        # Nanoseconds, the kernel's resolution.
        times = [record["startTime"] for record in replayed if record["record"] == "flow"]
        self.assertEqual([time for time in times if time.endswith("000Z")], [], "one in a thousand by chance")

    def test_rotation_by_size(self):
        sniff = self.sniff("--write", self.work / "ring.pcapng", "--rotate", "64kB")
        self.flood(2000)
        self.assertEqual(sniff.stop(), 0)
        files = sorted(self.work.glob("ring_*.pcapng"))
        self.assertGreater(len(files), 5)
        self.assertEqual(sum(self.packets(file) for file in files), 2000)
        self.assertTrue(all(file.stat().st_size <= 65_000 for file in files), "with the counts behind the packets")

    def test_ring(self):
        sniff = self.sniff("--write", self.work / "ring.pcapng", "--rotate", "64kB", "--keep", "3")
        self.flood(2000)
        self.assertEqual(sniff.stop(), 0)
        files = sorted(self.work.glob("*"))
        self.assertEqual(len(files), 3)
        live = sniff.records[-1]
        self.assertEqual(live["packets"], 2000)
        self.assertEqual(sniffer.records(files[-1])[-1]["endTime"], live["endTime"], "the latest files are kept")

    def test_rotation_by_time(self):
        sniff = self.sniff("--write", self.work / "ring.pcap", "--rotate", "1s")
        self.flood(2500, 0.1)
        self.assertEqual(sniff.stop(), 0)
        files = sorted(self.work.glob("ring_*.pcap"))
        self.assertIn(len(files), (3, 4))
        self.assertEqual(sum(self.packets(file) for file in files), 2500)

    def test_killed(self):
        path = self.work / "killed.pcapng"
        sniff = self.sniff("--write", path)
        self.flood(1000)
        time.sleep(0.3)
        sniff.process.send_signal(signal.SIGKILL)
        self.assertEqual(sniff.wait(), -signal.SIGKILL)
        self.assertEqual(self.packets(path), 1000)

    def test_count_and_duration(self):
        path = self.work / "count.pcapng"
        sniff = self.sniff("--write", path, "--count", "250")
        self.flood(1000)
        self.assertEqual(sniff.wait(), 0)
        self.assertEqual(sniff.records[-1]["packets"], 250)
        self.assertEqual(self.packets(path), 250)
        began = time.monotonic()
        sniff = self.sniff("--duration", "1.5s")
        self.assertEqual(sniff.wait(), 0)
        self.assertTrue(1.4 < time.monotonic() - began < 4)

    def test_snap_length(self):
        sniff = self.sniff("--snaplen", "96", "--no-promiscuous")
        self.flood(100)
        self.assertEqual(sniff.stop(), 0)
        self.assertEqual(sniff.records[0]["snapLength"], 96)
        self.assertEqual(sniff.records[-1]["truncatedPackets"], 100)

    def test_several_link_types_need_pcapng(self):
        self.wire.client.run("ip", "link", "add", "tun0", "type", "gre", "remote", SERVER, check=False)
        self.wire.client.run("ip", "tuntap", "add", "tun1", "mode", "tun", check=False)
        if self.wire.client.run("ip", "link", "set", "tun1", "up", check=False).returncode != 0:
            self.skipTest("a tunnel interface cannot be made")
        sniff = self.sniff("-i", "tun1", "--write", self.work / "two.pcap")
        self.assertEqual(sniff.wait(), 64)
        self.assertIn("pcapng", sniff.errors)
