"""An RTMPT server in front of an RTMP server: rtmpt_bridge.py PORT HOST RTMP-PORT.

`open` connects to the RTMP server, `send` forwards octets to it, `send` and `idle` return the octets received since,
after one octet with the polling interval; `close` ends the connection.
"""

import http.server
import itertools
import select
import socket
import sys

sessions = {}
numbers = itertools.count(1)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "bridge/1", ""

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        _, command, *rest = self.path.split("/")
        if command == "open":
            session = f"{next(numbers):08x}"
            sessions[session] = socket.create_connection(sys.argv[2:4])
            sessions[session].setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return self.answer(200, session.encode() + b"\n")
        connection = sessions.get(rest[0]) if rest else None
        if connection is None or command not in ("send", "idle", "close"):
            return self.answer(404, b"")
        if command == "close":
            sessions.pop(rest[0]).close()
            return self.answer(200, b"\x00")
        if command == "send":
            connection.sendall(body)
        octets = b""
        while len(octets) < 65536 and select.select([connection], [], [], 0 if octets else 0.02)[0]:
            more = connection.recv(65536)
            if not more:
                break
            octets += more
        self.answer(200, (b"\x01" if octets else b"\x09") + octets)

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/x-fcs")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-cache")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


http.server.ThreadingHTTPServer(("", int(sys.argv[1])), Handler).serve_forever()
