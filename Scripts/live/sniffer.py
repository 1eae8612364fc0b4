"""Runs `weir live`, and `weir` on the files it wrote."""
import json
import os
import pathlib
import signal
import subprocess
import threading
import time

WEIR = pathlib.Path("weir")


def why_not():
    """Returns why weir cannot capture here, or None if it can."""
    listing = subprocess.run([WEIR, "interfaces", "--format", "json"], capture_output=True, text=True)
    if listing.returncode != 0:
        return "weir interfaces: " + listing.stderr.strip()
    if not any(interface.get("mayCapture") for interface in json.loads(listing.stdout)):
        return "weir may not capture on any interface"
    return None


class Sniffer:
    """A run of `weir live` in a host. It is capturing when the constructor returns, unless it ended before."""

    def __init__(self, host, *options, prefix=(), environment=None, stdout=None):
        words = [*prefix, WEIR, "live", *options]
        if not prefix and "--user" not in options and "SUDO_UID" not in (environment or {}):
            # The files of these tests are where only root may write.
            words.append("--stay-root")
        self.lines = []
        self.messages = []
        self.listening = threading.Event()
        self.process = host.start(
            *words, stdout=stdout or subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **(environment or {})})
        self.threads = [threading.Thread(target=self.read_errors)]
        if stdout is None:
            self.threads.append(threading.Thread(target=self.read))
        for thread in self.threads:
            thread.start()
        self.listening.wait(20)

    def read(self):
        for line in self.process.stdout:
            self.lines.append((time.time(), line))

    def read_errors(self):
        for line in self.process.stderr:
            self.messages.append(line)
            if "listening on" in line:
                self.listening.set()
        self.listening.set()

    def wait(self, seconds=30):
        """Waits for the end; returns the exit code."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        for thread in self.threads:
            thread.join()
        return code

    def stop(self, number=signal.SIGINT):
        """Ends the capture with SIGINT; returns the exit code. `ip netns exec` becomes weir, so the id is weir's."""
        time.sleep(0.2)
        self.process.send_signal(number)
        return self.wait()

    @property
    def text(self):
        return "".join(line for _, line in self.lines)

    @property
    def errors(self):
        return "".join(self.messages)

    @property
    def records(self):
        return [json.loads(line) for _, line in self.lines]


def analyse(path, *options):
    """Analyzes a file; returns exit code and output."""
    result = subprocess.run([WEIR, path, *options], capture_output=True, text=True)
    return result.returncode, result.stdout


def records(path, *options):
    """Returns the records of a complete file."""
    code, output = analyse(path, "--format", "ndjson", *options)
    if code != 0:
        raise AssertionError(f"{path}: exit code {code}")
    return [json.loads(line) for line in output.splitlines()]
