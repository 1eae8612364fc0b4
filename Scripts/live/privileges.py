"""Capture permissions, the user that weir runs as, and the owner of its files."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from . import sniffer
from .hosts import SERVER, Wire
from .sessions import PEERS
from .sniffer import Sniffer

USER, GROUP = 61_234, 61_235
NOBODY = ("setpriv", f"--reuid={USER}", f"--regid={GROUP}", "--clear-groups")


class Privileges(unittest.TestCase):
    def setUp(self):
        if shutil.which("setpriv") is None:
            self.skipTest("setpriv is missing")
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.work = pathlib.Path(directory.name)
        os.chown(self.work, USER, GROUP)
        if subprocess.run([*NOBODY, sniffer.WEIR, "--version"], capture_output=True).returncode != 0:
            self.skipTest(f"{sniffer.WEIR} does not run as another user: its place, or its libraries', is private")
        self.wire = Wire()
        self.addCleanup(self.wire.close)

    def identity(self, sniff):
        """User and group ids and capabilities, from the kernel."""
        status = pathlib.Path(f"/proc/{sniff.process.pid}/status").read_text()
        fields = dict(line.split(":", 1) for line in status.splitlines())
        capabilities = {name: int(fields[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")}
        return [set(map(int, fields[name].split())) for name in ("Uid", "Gid", "Groups")], capabilities

    def talk(self):
        self.wire.client.run(sys.executable, PEERS / "flood.py", SERVER, 5004, 100)

    def check(self, sniff, files, user=USER, group=GROUP, groups=({GROUP},)):
        (users, group_numbers, supplementary), capabilities = self.identity(sniff)
        self.assertEqual((users, group_numbers), ({user}, {group}))
        self.assertIn(supplementary, groups)
        self.assertEqual(set(capabilities.values()), {0})
        self.talk()
        self.assertEqual(sniff.stop(), 0, sniff.errors)
        for file in files:
            self.assertEqual((file.stat().st_uid, file.stat().st_gid), (user, group))
        return sniff

    def test_under_sudo(self):
        path, report = self.work / "sudo.pcapng", self.work / "report.ndjson"
        sniff = Sniffer(
            self.wire.client, "-i", "eth0", "--write", path, "--output", report, "--format", "ndjson",
            environment={"SUDO_UID": str(USER), "SUDO_GID": str(GROUP)})
        self.check(sniff, [path, report])
        self.assertGreaterEqual(sniffer.records(path)[-1]["packets"], 100)

    def test_another_user(self):
        import pwd
        try:
            nobody = pwd.getpwnam("nobody")
        except KeyError:
            self.skipTest("there is no user nobody")
        sniff = Sniffer(
            self.wire.client, "-i", "eth0", "--user", "nobody", "--verbose",
            environment={"SUDO_UID": str(USER), "SUDO_GID": str(GROUP)})
        self.check(sniff, [], nobody.pw_uid, nobody.pw_gid, [{nobody.pw_gid}, set()])
        self.assertIn(f"runs as user {nobody.pw_uid}", sniff.errors)

    def start(self, *options, environment=None):
        """Runs as root, without options of the harness."""
        return Sniffer(self.wire.client, "-i", "eth0", *options, prefix=["env"], environment=environment)

    def test_root_without_sudo_becomes_nobody(self):
        import pwd
        try:
            nobody = pwd.getpwnam("nobody")
        except KeyError:
            self.skipTest("there is no user nobody")
        for environment in ({"SUDO_UID": ""}, {"SUDO_UID": "0", "SUDO_GID": "0"}, {"SUDO_UID": "-1", "SUDO_GID": "x"}):
            sniff = self.start(environment=environment)
            self.check(sniff, [], nobody.pw_uid, nobody.pw_gid, [{nobody.pw_gid}, set()])
            self.assertIn(f"runs as nobody (user {nobody.pw_uid})", sniff.errors)
            self.assertIn("--stay-root", sniff.errors)

    def test_root_without_sudo_opens_the_file_first(self):
        """As in a container: nobody could not create the file, and gets no access to it but this one."""
        import pwd
        try:
            nobody = pwd.getpwnam("nobody")
        except KeyError:
            self.skipTest("there is no user nobody")
        os.chown(self.work, 0, 0)
        os.chmod(self.work, 0o700)
        path, link = self.work / "container.pcapng", self.work / "link.pcapng"
        link.symlink_to(path)
        self.assertEqual(self.start("--write", link, environment={"SUDO_UID": ""}).wait(), 2)
        self.assertFalse(path.exists())
        sniff = self.start("--write", path, environment={"SUDO_UID": ""})
        self.check(sniff, [], nobody.pw_uid, nobody.pw_gid, [{nobody.pw_gid}, set()])
        self.assertEqual((path.stat().st_uid, path.stat().st_mode & 0o777), (0, 0o600))
        self.assertGreaterEqual(sniffer.records(path)[-1]["packets"], 100)

    def test_root_stays_root_only_when_asked(self):
        path = self.work / "root.pcapng"
        os.chown(self.work, 0, 0)
        sniff = self.start("--write", path, "--rotate", "1MB", environment={"SUDO_UID": ""})
        self.assertEqual(sniff.wait(), 2)
        self.assertIn("files are opened as nobody", sniff.errors)
        self.assertIn(f"cannot write {self.work}", sniff.errors)
        sniff = self.start("--write", path, "--stay-root", environment={"SUDO_UID": str(USER), "SUDO_GID": str(GROUP)})
        (users, _, _), capabilities = self.identity(sniff)
        self.assertEqual(users, {0})
        self.assertNotEqual(capabilities["CapEff"], 0)
        self.assertEqual(sniff.stop(), 0)
        self.assertIn("stays root", sniff.errors)
        self.assertEqual(path.stat().st_uid, 0)
        for options in (["--user", "root"], ["--user", "nobody", "--stay-root"]):
            self.assertEqual(self.start(*options).wait(), 64, options)

    def test_files_are_the_writers_alone(self):
        """Also in a world-writable folder."""
        os.chmod(self.work, 0o1777)
        self.wire.client.run("sysctl", "-q", "fs.protected_symlinks=0", check=False)
        victim = self.work / "victim"
        victim.write_text("precious")
        link, path = self.work / "link.pcapng", self.work / "here.pcapng"
        link.symlink_to(victim)
        for options in ([], ["--force"]):
            sniff = self.start("--stay-root", "--write", link, *options)
            self.assertEqual(sniff.wait(), 2)
            self.assertIn("symbolic link", sniff.errors)
        self.assertEqual(victim.read_text(), "precious")
        sniff = self.start("--stay-root", "--write", victim)
        self.assertEqual(sniff.wait(), 2)
        self.assertIn("--force", sniff.errors)
        self.assertEqual(victim.read_text(), "precious")
        # Another user's file, which is open in that user's process.
        path.touch(0o666)
        os.chown(path, USER, GROUP)
        with open(path) as spy:
            sniff = self.start("--stay-root", "--write", path, "--force")
            self.talk()
            self.assertEqual(sniff.stop(), 0, sniff.errors)
            self.assertEqual(spy.read(), "")
        self.assertEqual((path.stat().st_uid, path.stat().st_mode & 0o777), (0, 0o600))
        self.assertGreaterEqual(sniffer.records(path)[-1]["packets"], 100)

    def test_files_are_opened_without_privileges(self):
        """Under sudo, weir does not write where the user has no permission."""
        os.chown(self.work, 0, 0)
        sniff = Sniffer(
            self.wire.client, "-i", "eth0", "--write", self.work / "private.pcapng",
            environment={"SUDO_UID": str(USER), "SUDO_GID": str(GROUP)})
        self.assertEqual(sniff.wait(), 2)
        self.assertIn("Permission denied", sniff.errors)
        self.assertEqual(list(self.work.iterdir()), [])

    def test_capabilities_are_enough(self):
        path = self.work / "capability.pcapng"
        sniff = Sniffer(
            self.wire.client, "-i", "eth0", "--write", path,
            prefix=[*NOBODY, "--inh-caps=+net_raw", "--ambient-caps=+net_raw"])
        self.check(sniff, [path], groups=[set()])

    def test_without_permission(self):
        sniff = Sniffer(self.wire.client, "-i", "eth0", prefix=NOBODY)
        self.assertEqual(sniff.wait(), 77)
        self.assertIn("eth0: no permission to capture", sniff.errors)
        self.assertIn(f"sudo setcap cap_net_raw=ep {sniffer.WEIR}", sniff.errors)
        listing = self.wire.client.run(*NOBODY, sniffer.WEIR, "interfaces").stdout.decode()
        self.assertRegex(listing, r"eth0 .* no permission")

    def test_the_command_that_is_named_grants_it(self):
        """Uses a copy, so that the program under test is unchanged."""
        if shutil.which("setcap") is None:
            self.skipTest("setcap is missing")
        copy = self.work / "weir"
        shutil.copy(sniffer.WEIR, copy)
        if subprocess.run(["setcap", "cap_net_raw=ep", copy]).returncode != 0:
            self.skipTest("this file system has no capabilities")
        listing = self.wire.client.run(*NOBODY, copy, "interfaces").stdout.decode()
        self.assertRegex(listing, r"eth0 .* yes ")
