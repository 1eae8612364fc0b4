"""Forwards SRT between a caller and a listener with a delay in each direction, and drops data packets of the caller.

Packets to drop are selected by a seeded generator. Each is a line of JSON in the log; the last line counts the data
packets of the caller, those dropped, and how many of either are retransmissions.
"""

import argparse
import heapq
import json
import random
import select
import signal
import socket
import struct
import sys
import time


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int, help="port that the caller calls")
    parser.add_argument("listener", type=int, help="port of the listener on 127.0.0.1")
    parser.add_argument("--delay", type=float, default=0.05, help="seconds in each direction")
    parser.add_argument("--drop", type=float, default=0.02)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", required=True)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    chance = random.Random(options.seed)
    front = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    front.bind(("0.0.0.0", options.port))
    back = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listener = ("127.0.0.1", options.listener)
    caller = None
    waiting = []
    counts = {"data": 0, "dropped": 0, "retransmissions": 0, "retransmissionsDropped": 0}
    order = 0
    with open(options.log, "w", encoding="utf-8") as log:
        print("relaying", flush=True)
        try:
            while True:
                patience = max(0, waiting[0][0] - time.monotonic()) if waiting else 1
                for ready in select.select([front, back], [], [], patience)[0]:
                    packet, sender = ready.recvfrom(2048)
                    if ready is front:
                        caller = sender
                        if len(packet) >= 16 and packet[0] < 0x80:
                            again = packet[4] >> 2 & 1
                            counts["data"] += 1
                            counts["retransmissions"] += again
                            if chance.random() < options.drop:
                                counts["dropped"] += 1
                                counts["retransmissionsDropped"] += again
                                number = struct.unpack_from(">I", packet)[0]
                                log.write(json.dumps({"dropped": number, "retransmission": bool(again)}) + "\n")
                                continue
                    order += 1
                    heapq.heappush(waiting, (time.monotonic() + options.delay, order, ready is front, packet))
                while waiting and waiting[0][0] <= time.monotonic():
                    _, _, forward, packet = heapq.heappop(waiting)
                    if forward:
                        back.sendto(packet, listener)
                    elif caller:
                        front.sendto(packet, caller)
        finally:
            log.write(json.dumps(counts) + "\n")


main()
