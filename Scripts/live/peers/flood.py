"""Sends an RTP stream as fast as one process can.

    flood.py ADDRESS PORT PACKETS [GAP]    GAP: seconds to wait after every 100 packets
"""
import socket
import struct
import sys
import time

address, port, packets = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
gap = float(sys.argv[4]) if len(sys.argv) > 4 else 0
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sender.bind(("", 30000))
payload = bytes(range(160))
for number in range(packets):
    header = struct.pack("!BBHII", 0x80, 0, number & 0xFFFF, number * 160 & 0xFFFFFFFF, 0x0BADCAFE)
    sender.sendto(header + payload, (address, port))
    if gap and number % 100 == 99:
        time.sleep(gap)
