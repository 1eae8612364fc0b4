"""Hosts and links: network namespaces with one Ethernet interface (eth0) each, for the duration of a test."""
import os
import shutil
import subprocess
import time

CLIENT = "10.78.0.1"
SERVER = "10.78.0.2"


def why_not():
    """Returns why namespaces cannot be created here, or None if they can."""
    if os.geteuid() != 0:
        return "network namespaces take root"
    for tool in ["ip", "ethtool"]:
        if shutil.which(tool) is None:
            return f"{tool} is missing"
    name = f"weir-try-{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True)
    if made.returncode != 0:
        return made.stderr.strip() or "network namespaces cannot be made"
    subprocess.run(["ip", "netns", "delete", name], check=False)
    return None


class Host:
    """A network namespace. Its processes end with it."""

    count = 0

    def __init__(self):
        Host.count += 1
        self.name = f"weir-{os.getpid()}-{Host.count}"
        self.processes = []
        subprocess.run(["ip", "netns", "add", self.name], check=True)
        self.run("ip", "link", "set", "lo", "up")

    def command(self, *words):
        return ["ip", "netns", "exec", self.name, *map(str, words)]

    def run(self, *words, **options):
        return subprocess.run(
            self.command(*words), check=options.pop("check", True), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=options.pop("timeout", 60), **options)

    def start(self, *words, **options):
        process = subprocess.Popen(self.command(*words), **options)
        self.processes.append(process)
        return process

    def wait_for_port(self, port, transport="t"):
        for _ in range(100):
            listing = self.run("ss", f"-Hln{transport}", f"sport = :{port}").stdout
            if listing.strip():
                return
            time.sleep(0.1)
        raise TimeoutError(f"nothing listens on port {port}")

    def close(self):
        for process in self.processes:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe:
                    pipe.close()
        listing = subprocess.run(["ip", "netns", "pids", self.name], capture_output=True, text=True).stdout
        for process in listing.split():
            try:
                os.kill(int(process), 9)
            except ProcessLookupError:
                pass
        subprocess.run(["ip", "netns", "delete", self.name], check=False)


class Wire:
    """Two hosts, client and server, on a link without offloading, so that frames are as on a wire."""

    def __init__(self):
        self.client, self.server = Host(), Host()
        self.link("eth0", "eth0")
        for host, address in ((self.client, CLIENT), (self.server, SERVER)):
            host.run("ip", "address", "add", address + "/24", "dev", "eth0")

    def link(self, at_client, at_server):
        """Adds another link."""
        subprocess.run(
            ["ip", "link", "add", at_client, "netns", self.client.name, "type", "veth",
             "peer", "name", at_server, "netns", self.server.name], check=True)
        for host, name in ((self.client, at_client), (self.server, at_server)):
            features = [word for feature in ("tx", "rx", "tso", "gso", "gro", "sg") for word in (feature, "off")]
            host.run("ethtool", "-K", name, *features, check=False)
            host.run("ip", "link", "set", name, "up")

    def close(self):
        self.client.close()
        self.server.close()
