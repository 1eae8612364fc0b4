"""An RTSP client that sets up media over UDP without a socket to receive it: deaf_client.py HOST PORT PATH SECONDS."""

import socket
import sys
import time

host, port, path, seconds = sys.argv[1], int(sys.argv[2]), sys.argv[3], float(sys.argv[4])
url = f"rtsp://{host}:{port}/{path}"
connection = socket.create_connection((host, port))
count = 0


def ask(method, target, *headers):
    """Sends a request and returns the response's header fields."""
    global count
    count += 1
    lines = [f"{method} {target} RTSP/1.0", f"CSeq: {count}", *headers, "", ""]
    connection.sendall("\r\n".join(lines).encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += connection.recv(65536)
    head, _, body = answer.partition(b"\r\n\r\n")
    fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
    while len(body) < int(fields.get("Content-Length", 0)):
        body += connection.recv(65536)
    return fields


ask("OPTIONS", url)
ask("DESCRIBE", url, "Accept: application/sdp")
session = ask("SETUP", url + "/stream=0", "Transport: RTP/AVP;unicast;client_port=45000-45001")["Session"].split(";")[0]
ask("PLAY", url + "/", f"Session: {session}", "Range: npt=0-")
time.sleep(seconds)
ask("TEARDOWN", url + "/", f"Session: {session}")
connection.close()
