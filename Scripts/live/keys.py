"""Decryption with a key log that gets its secrets during the capture."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

from .hosts import SERVER, Wire
from .privileges import GROUP, USER
from .sniffer import Sniffer

RESPONSE = b"RTSP/1.0 200 OK\r\nCSeq: 1\r\nPublic: OPTIONS, DESCRIBE\r\n\r\n"
REQUEST = b"OPTIONS rtsp://camera.weir.example/live RTSP/1.0\r\nCSeq: 1\r\n\r\n"


class Keys(unittest.TestCase):
    def setUp(self):
        if shutil.which("openssl") is None:
            self.skipTest("openssl is missing")
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.work = pathlib.Path(directory.name)
        self.wire = Wire()
        self.addCleanup(self.wire.close)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "3", "-subj", "/CN=weir", "-keyout",
             self.work / "key.pem", "-out", self.work / "cert.pem"], check=True, capture_output=True)
        # Only root may read it, and weir drops its privileges.
        self.keys = self.work / "keys.log"
        self.keys.touch(0o600)

    def peer(self, host, *options):
        return host.start(
            "openssl", *options, "-quiet", stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def say(self, peer, octets):
        peer.stdin.write(octets)
        peer.stdin.flush()

    def decrypted(self, sniff):
        return [record for record in sniff.records if record.get("decrypted") == "tls"]

    def talk(self, sniff, version, writer):
        """A request and its response, which must be reported while the connection is still open."""
        options = {name: ["-keylogfile", self.keys] if name == writer else [] for name in ("client", "server")}
        server = self.peer(
            self.wire.server, "s_server", "-accept", "322", "-cert", self.work / "cert.pem", "-key",
            self.work / "key.pem", *options["server"])
        self.wire.server.wait_for_port(322)
        client = self.peer(
            self.wire.client, "s_client", "-connect", f"{SERVER}:322", f"-tls1_{version}", *options["client"])
        time.sleep(0.5)
        self.say(client, REQUEST)
        time.sleep(0.3)
        self.say(server, RESPONSE)
        for _ in range(50):
            if len(self.decrypted(sniff)) >= 2:
                break
            time.sleep(0.1)
        events = self.decrypted(sniff)
        self.assertEqual([event["kind"] for event in events], ["request", "response"], sniff.errors)
        self.assertTrue(all(event["decryptedFrom"] == str(self.keys) for event in events))
        for process in (client, server):
            process.kill()
            process.wait()

    def sniff(self):
        return Sniffer(
            self.wire.client, "-i", "eth0", "--format", "ndjson", "--keylog", self.keys,
            environment={"SUDO_UID": str(USER), "SUDO_GID": str(GROUP)})

    def check(self, version, writer):
        sniff = self.sniff()
        limits = pathlib.Path(f"/proc/{sniff.process.pid}/limits").read_text()
        self.assertRegex(limits, r"Max core file size +0 +0 ")
        self.assertEqual(os.stat(f"/proc/{sniff.process.pid}/exe", follow_symlinks=False).st_uid, 0, "it can be dumped")
        self.talk(sniff, version, writer)
        self.assertEqual(sniff.stop(), 0, sniff.errors)
        self.assertNotIn("no secret", sniff.errors)

    def test_client_of_tls_1_3(self):
        self.check(3, "client")

    def test_server_of_tls_1_3(self):
        self.check(3, "server")

    def test_client_of_tls_1_2(self):
        self.check(2, "client")

    def test_without_secrets(self):
        sniff = self.sniff()
        self.assertEqual(sniff.stop(), 0, sniff.errors)
        self.assertIn(f"{self.keys} contains no secret", sniff.errors)
