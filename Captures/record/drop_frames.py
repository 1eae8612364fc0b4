"""Simulates a tap that drops packets: copies a pcap without some TCP segments with payload from the given port.

The peers received them: the acknowledgments stay. Each dropped frame is logged as a line of JSON with its
number in the whole capture, followed by a line with the counts. Usage: drop_frames.py IN.pcap OUT.pcap LOG.jsonl
PORT SEED COUNT [LENGTH] (COUNT places, each of up to LENGTH segments in a row; the first 20 frames, the RTSP
dialogue, stay).
"""

import json
import random
import sys

from scapy.all import TCP, PcapReader, PcapWriter


def main():
    source, target, log, port, seed, count = sys.argv[1:7]
    longest = int(sys.argv[7]) if len(sys.argv) > 7 else 1
    choice = random.Random(int(seed))
    frames = list(PcapReader(source))
    carrying = [
        number
        for number, frame in enumerate(frames)
        if number >= 20 and TCP in frame and frame[TCP].sport == int(port) and len(frame[TCP].payload)
    ]
    missing = set()
    for start in choice.sample(range(len(carrying) - longest - 5), int(count)):
        missing.update(carrying[start : start + choice.randint(1, longest)])
    octets = 0
    with open(log, "w") as lines, PcapWriter(target, linktype=1, sync=True) as writer:
        for number, frame in enumerate(frames):
            if number not in missing:
                writer.write(frame)
                continue
            tcp = frame[TCP]
            octets += len(tcp.payload)
            about = {"action": "missing", "frameBefore": number + 1}
            about |= {"sourcePort": tcp.sport, "destinationPort": tcp.dport}
            lines.write(json.dumps({**about, "sequence": tcp.seq, "length": len(tcp.payload)}) + "\n")
        about = {"action": "summary", "seed": int(seed), "missingSegments": len(missing), "missingBytes": octets}
        lines.write(json.dumps(about) + "\n")


main()
