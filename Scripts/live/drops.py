"""Packets dropped by the kernel are counted, and what they make uncertain is not reported as a fault."""
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


class Drops(unittest.TestCase):
    def test_drops_leave_verdicts_open(self):
        wire = Wire()
        self.addCleanup(wire.close)
        with tempfile.TemporaryDirectory() as work:
            path = pathlib.Path(work) / "drops.pcapng"
            sniff = Sniffer(
                wire.client, "-i", "eth0", "--filter", "udp port 5004", "--buffer-size", "64KiB", "--format", "ndjson",
                "--write", path, "--decode-as", "udp/5004=rtp")
            flood = wire.client.start(sys.executable, PEERS / "flood.py", SERVER, 5004, 60_000)
            time.sleep(0.2)
            # While weir is stopped, the kernel's buffer overflows.
            sniff.process.send_signal(signal.SIGSTOP)
            time.sleep(0.3)
            sniff.process.send_signal(signal.SIGCONT)
            flood.wait()
            self.assertEqual(sniff.stop(), 0)
            live = sniff.records
            summary = live[-1]
            self.assertGreater(summary["droppedPackets"], 100)
            self.assertGreaterEqual(summary["packets"] + summary["droppedPackets"], 60_000)
            loss = [record for record in live
                    if record["record"] == "finding" and record["rule"] == "RTP-SEQ-LOSS"]
            self.assertEqual({record["verdict"] for record in loss}, {"inconclusive"})
            streams = [record for record in live if record["record"] == "stream"]
            self.assertGreater(streams[0]["lost"], 100)
            self.assertEqual(live[1:], sniffer.records(path, "--decode-as", "udp/5004=rtp", "--filter", "udp")[1:],
                             "the file says what was dropped where")
