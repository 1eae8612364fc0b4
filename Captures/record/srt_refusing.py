"""An SRT listener of libsrt that refuses calls by their stream id, as servers with access control do.

A stream id without the prefix of the standard syntax is a bad request (1400), a resource other than live/camera1 is not
found (1404).
"""

import ctypes
import ctypes.util
import signal
import socket
import struct
import sys
import time

BAD_REQUEST, NOT_FOUND = 1400, 1404
CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)


def library():
    for name in ("libsrt-gnutls.so.1.5", "libsrt-openssl.so.1.5", "libsrt.so.1.5", ctypes.util.find_library("srt")):
        try:
            return ctypes.CDLL(name)
        except (OSError, TypeError):
            continue
    sys.exit("libsrt is not installed")


def main():
    srt = library()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    srt.srt_startup()
    listener = srt.srt_create_socket()

    @CALLBACK
    def refuse(_, caller, version, peer, stream):
        known = (stream or b"").startswith(b"#!::")
        print(stream, flush=True)
        if known and b"r=live/camera1" in stream:
            return 0
        srt.srt_setrejectreason(caller, NOT_FOUND if known else BAD_REQUEST)
        return -1

    srt.srt_listen_callback(listener, refuse, None)
    port = int(sys.argv[1])
    address = struct.pack("=H", socket.AF_INET) + struct.pack(">H", port) + bytes(12)
    if srt.srt_bind(listener, address, len(address)) != 0 or srt.srt_listen(listener, 4) != 0:
        sys.exit("cannot listen")
    while True:
        time.sleep(0.1)


main()
