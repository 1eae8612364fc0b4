"""Terminal output: the timeline scrolls above a status line that is redrawn."""
import fcntl
import os
import pty
import re
import signal
import struct
import sys
import termios
import threading
import time
import unittest

from . import sniffer
from .hosts import SERVER, Wire
from .sessions import PEERS

FOOTER = re.compile(r"^\d+ s  \d+ packets?")


class Screen:
    """The terminal features that weir uses: carriage return, line feed, "erase to the end of the line", and colors."""

    def __init__(self, columns):
        self.columns = columns
        self.rows = [""]
        self.column = 0
        self.wrapped = 0
        self.unknown = []
        self.colors = set()

    def feed(self, text):
        for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|[^\x1b]|\x1b", text):
            if part == "\r":
                self.column = 0
            elif part == "\n":
                self.rows.append("")
                self.column = 0
            elif part == "\x1b[K":
                self.rows[-1] = self.rows[-1][:self.column]
            elif part.startswith("\x1b"):
                (self.colors.add if part.endswith("m") else self.unknown.append)(part)
            else:
                if self.column >= self.columns:
                    self.rows.append("")
                    self.column = 0
                    self.wrapped += 1
                row = self.rows[-1].ljust(self.column)
                self.rows[-1] = row[:self.column] + part + row[self.column + 1:]
                self.column += 1


class Terminal:
    """`weir live` in a pseudo-terminal, as started by a shell, so that it receives the terminal's keys."""

    def __init__(self, host, *options, columns=100, environment=None):
        self.screen = Screen(columns)
        self.raw = ""
        self.changes = []  # each content of the last row
        pid, self.master = pty.fork()
        if pid == 0:
            variables = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "", **(environment or {})}
            words = host.command(sniffer.WEIR, "live", "-i", "eth0", *options)
            os.execvpe(words[0], words, {name: value for name, value in variables.items() if value})
        self.pid = pid
        self.resize(columns)
        self.lock = threading.Lock()
        self.thread = threading.Thread(target=self.read)
        self.thread.start()
        self.wait_for("listening on")

    def read(self):
        while True:
            try:
                octets = os.read(self.master, 65536)
            except OSError:
                return
            if not octets:
                return
            with self.lock:
                text = octets.decode("utf-8", "replace")
                self.raw += text
                self.screen.feed(text)
                self.changes.append(self.screen.rows[-1])

    def resize(self, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self.screen.columns = columns

    def press(self, key):
        """Presses a key after reading all output: on Ctrl-C the terminal discards pending output."""
        time.sleep(0.3)
        os.write(self.master, key)

    def wait_for(self, text, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if text in self.raw:
                return
            time.sleep(0.02)
        raise TimeoutError(f"{text} did not appear in {self.raw!r}")

    def last_row(self):
        with self.lock:
            return self.screen.rows[-1]

    def wait_for_footer(self, *texts, seconds=5):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            row = self.last_row()
            if FOOTER.match(row) and all(text in row for text in texts):
                return row
            time.sleep(0.02)
        raise TimeoutError(f"no last line with {texts}: {self.raw[-500:]!r}")

    def end(self):
        """Waits for the end; returns the exit code."""
        _, status = os.waitpid(self.pid, 0)
        self.thread.join(5)
        os.close(self.master)
        return os.waitstatus_to_exitcode(status)


class AtATerminal(unittest.TestCase):
    def setUp(self):
        self.wire = Wire()
        self.addCleanup(self.wire.close)
        self.wire.server.start(sys.executable, PEERS / "rtsp_options.py", "serve", SERVER, 9)
        self.wire.server.wait_for_port(554)

    def ask(self, count=3):
        self.wire.client.run(sys.executable, PEERS / "rtsp_options.py", "ask", SERVER, count)

    def open(self, *options, **more):
        return Terminal(self.wire.client, "--filter", "tcp", *options, **more)

    def rows(self, terminal):
        """Returns the final screen, which must not contain the status line."""
        rows = terminal.screen.rows
        self.assertEqual([row for row in rows if re.search(r"\d+ s  \d+ packets?|flows? open", row)], [])
        self.assertEqual(terminal.screen.unknown, [])
        return "\n".join(rows)

    def test_the_last_line(self):
        terminal = self.open()
        row = terminal.wait_for_footer("0 packets", "0 dropped")
        self.assertIn("0 sessions  0 streams  0 flows open", row)
        self.ask()
        row = terminal.wait_for_footer("3 sessions ", "3 flows open")
        self.assertIn("/s, ", row)
        terminal.press(b"\x03")
        self.assertEqual(terminal.end(), 0)
        text = self.rows(terminal)
        for word in ("OPTIONS", "200 OK", "Outcome", "Summary", "packets captured"):
            self.assertIn(word, text)
        self.assertTrue(terminal.screen.colors)

    def test_narrow_and_resized(self):
        terminal = self.open("--user", "nobody", columns=40)
        terminal.wait_for_footer("0 packets")
        terminal.resize(24)
        time.sleep(1)
        self.assertLess(len(terminal.wait_for_footer("0 packets")), 24)
        terminal.resize(132)
        terminal.wait_for_footer("flows open  0 dropped")
        self.assertEqual(terminal.screen.wrapped, 0, "the last line fits")
        self.ask(1)
        terminal.press(b"\x03")
        self.assertEqual(terminal.end(), 0)
        self.rows(terminal)

    def test_text_runs_through(self):
        terminal = self.open("--no-notes", "--packets")
        self.ask(9)
        terminal.wait_for_footer("9 sessions ")
        terminal.press(b"\x03")
        self.assertEqual(terminal.end(), 0)
        text = self.rows(terminal)
        self.assertEqual(len(re.findall(r"→ RTSP +OPTIONS", text)), 9)
        self.assertEqual(len(re.findall(r"← RTSP +200", text)), 9)

    def test_without_colour_or_without_the_line(self):
        terminal = self.open(environment={"NO_COLOR": "1"})
        terminal.wait_for_footer("0 packets")
        self.ask(1)
        terminal.press(b"\x03")
        self.assertEqual(terminal.end(), 0)
        self.rows(terminal)
        self.assertEqual(terminal.screen.colors, set())
        for options, environment in ((["--quiet", "--color", "never"], {}), ([], {"TERM": "dumb"})):
            if "--quiet" in options:
                terminal = Quiet(self.wire.client, "--filter", "tcp", *options)
            else:
                terminal = self.open(*options, environment=environment)
            time.sleep(1)
            self.ask(1)
            time.sleep(0.3)
            terminal.press(b"\x03")
            self.assertEqual(terminal.end(), 0)
            self.assertNotIn("\x1b", terminal.raw)
            self.assertNotIn("flows open", terminal.raw)
            self.assertIn("200 OK", terminal.raw)

    def test_stopped_and_continued(self):
        terminal = self.open()
        terminal.wait_for_footer("0 packets")
        os.kill(terminal.pid, signal.SIGSTOP)
        _, status = os.waitpid(terminal.pid, os.WUNTRACED)
        self.assertTrue(os.WIFSTOPPED(status))
        self.ask(2)
        os.kill(terminal.pid, signal.SIGCONT)
        terminal.wait_for_footer("2 sessions ")
        terminal.press(b"\x03")
        self.assertEqual(terminal.end(), 0)
        text = self.rows(terminal)
        self.assertEqual(len(re.findall(r"← RTSP +200", text)), 2, "the kernel kept them meanwhile")


class Quiet(Terminal):
    """A run that does not print when it starts capturing."""

    def wait_for(self, text, seconds=20):
        time.sleep(1)
