"""Measures the memory of `weir live` under a long flood. See README.md."""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Scripts"))
from live import hosts  # noqa: E402

TOOLS = HERE / "bin"
OCTETS_A_MINUTE = 20_400_000  # of the generator's kind `churn`
WARM_UP = 11 * 60  # the longest time-out is ten minutes


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, epilog="Needs root. Exit: 0 memory is flat, 1 it grows or a "
                                     "packet was dropped, 2 something failed.")
    parser.add_argument("--weir", required=True, metavar="PATH", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--minutes", type=float, default=30, help="duration (%(default)s)")
    parser.add_argument("--percent", type=int, default=100, help="of the generator's rates (%(default)s)")
    parser.add_argument("--every", type=float, default=60, help="seconds between two rows (%(default)s)")
    parser.add_argument("--warm-up", type=float, default=WARM_UP, help="seconds excluded from the result (%(default)s)")
    return parser.parse_args()


def status(process, field):
    """Returns a memory figure of a process in kB, from the kernel."""
    text = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(rf"^{field}:\s+(\d+)", text, re.M).group(1))


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def build():
    TOOLS.mkdir(exist_ok=True)
    common = [os.environ.get("CC", "cc"), "-std=c11", "-D_DEFAULT_SOURCE", "-Wall", "-Wextra", "-Werror", "-O2"]
    subprocess.run([*common, "-o", TOOLS / "generate", HERE / "generate.c", *sorted((HERE / "generate").glob("*.c"))],
                   check=True)
    subprocess.run([*common, "-o", TOOLS / "timed", HERE / "timed.c"], check=True)
    subprocess.run([*common, "-o", TOOLS / "send", HERE / "live" / "send.c", "-lpcap"], check=True)


def main():
    options = arguments()
    if reason := hosts.why_not():
        print("soak:", reason, file=sys.stderr)
        return 2
    build()
    wire = hosts.Wire()
    with tempfile.TemporaryDirectory() as work:
        try:
            return soak(options, wire, pathlib.Path(work))
        finally:
            wire.close()


def soak(options, wire, work):
    for host in (wire.client, wire.server):
        host.run("sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1")
    report = open(work / "report", "w+b")
    weir = wire.client.start(
        options.weir, "live", "-i", "eth0", "--check", "--no-notes", "--filter", "ip", stdout=report,
        stderr=subprocess.PIPE, text=True)
    weir.stderr.readline()  # it is capturing
    # The pipe blocks the generator until the sender reads more.
    os.mkfifo(work / "churn.pcap")
    size = round(OCTETS_A_MINUTE * options.minutes * options.percent / 100)
    generator = subprocess.Popen([TOOLS / "generate", "churn", str(size), work / "churn.pcap", "--count",
                                  str(options.percent)], stderr=subprocess.DEVNULL)
    sender = wire.server.start(TOOLS / "send", "eth0", work / "churn.pcap", stdout=subprocess.PIPE, text=True)
    start = time.monotonic()
    rows = []
    print(f"{'seconds':>8} {'resident MB':>12} {'peak MB':>8} {'processor %':>12}", flush=True)
    used = 0.0
    while sender.poll() is None:
        time.sleep(options.every)
        if weir.poll() is not None:
            print("soak: weir ended:", weir.stderr.read(), file=sys.stderr)
            return 2
        seconds = time.monotonic() - start
        resident, peak = (status(weir.pid, field) / 1024 for field in ("VmRSS", "VmHWM"))
        before, used = used, processor_seconds(weir.pid)
        rows.append((seconds, resident))
        print(f"{seconds:8.0f} {resident:12.1f} {peak:8.1f} {(used - before) / options.every * 100:12.1f}", flush=True)
        # The report is not used and must not fill the disk.
        report.truncate(0)
    sent = json.loads(sender.stdout.read())
    generator.wait()
    weir.terminate()
    messages = weir.stderr.read()
    weir.wait()
    print(f"sent {sent['sent']} packets, {sent['rate']:.0f} a second\n{messages.strip()}")
    counted = [resident for seconds, resident in rows if seconds >= options.warm_up]
    dropped = re.search(r"(\d+) dropped by the kernel", messages)
    if dropped is None or int(dropped.group(1)) > 0:
        print("soak: FAILED: packets were dropped, or nothing was captured")
        return 1
    if len(counted) < 6:
        print("soak: no packet was dropped; too short to say whether memory grows")
        return 0
    half = len(counted) // 2
    first, second = max(counted[:half]), max(counted[half:])
    is_flat = second <= first * 1.05 + 2
    print(f"soak: {'PASSED' if is_flat else 'FAILED'}: at most {first:.1f} MB in the first half after warming up, "
          f"{second:.1f} MB in the second; no packet was dropped")
    return 0 if is_flat else 1


if __name__ == "__main__":
    sys.exit(main())
