"""An RTSP server for one player with SRTP, with the keys in a=crypto of its description (RFC 4568); ffmpeg sends the media."""

import base64
import re
import socketserver
import subprocess
import sys

FILM = sys.argv[1]
# One suite with long tags, one with short ones.
TRACKS = [
    ("video", "96 H264/90000", "AES_CM_128_HMAC_SHA1_80", ["-an", "-c:v", "copy", "-bsf:v", "h264_mp4toannexb,dump_extra"], 45000),
    ("audio", "0 PCMU/8000", "AES_CM_128_HMAC_SHA1_32", ["-vn", "-c:a", "pcm_mulaw", "-ar", "8000", "-ac", "1"], 45002),
]
KEYS = [base64.b64encode(bytes(range(start, start + 30))).decode() for start in (1, 101)]


def description(address):
    lines = ["v=0", f"o=- 1 1 IN IP4 {address}", "s=SRTP", f"c=IN IP4 {address}", "t=0 0", "a=control:*"]
    for index, (kind, mapping, suite, _, _) in enumerate(TRACKS):
        payload_type = mapping.split()[0]
        lines += [f"m={kind} 0 RTP/SAVP {payload_type}", f"a=rtpmap:{mapping}",
                  f"a=crypto:1 {suite} inline:{KEYS[index]}", f"a=control:track{index}"]
    return "\r\n".join(lines) + "\r\n"


class Player(socketserver.StreamRequestHandler):
    def handle(self):
        ports, senders = {}, []
        while request := self.request_head():
            method, uri, fields = request
            answer, body = ["Session: 20261123;timeout=60"], ""
            if method == "OPTIONS":
                answer = ["Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN"]
            elif method == "DESCRIBE":
                body = description(self.server.server_address[0])
                answer = [f"Content-Base: {uri}/", "Content-Type: application/sdp"]
            elif method == "SETUP":
                track = int(uri[-1])
                ports[track] = int(re.search(r"client_port=(\d+)", fields["transport"])[1])
                server_port = TRACKS[track][4]
                # ffmpeg requests RTP/AVP, whatever the description contains.
                answer.append(f"Transport: {fields['transport']};server_port={server_port}-{server_port + 1}")
            elif method == "PLAY":
                answer.append("Range: npt=0.000-")
            if body:
                answer.append(f"Content-Length: {len(body)}")
            self.wfile.write("\r\n".join(["RTSP/1.0 200 OK", f"CSeq: {fields['cseq']}", *answer, "", body]).encode())
            if method == "PLAY":
                senders = [self.send(track, port) for track, port in ports.items()]
            if method == "TEARDOWN":
                break
        for sender in senders:
            sender.terminate()

    def request_head(self):
        line = self.rfile.readline().decode().split()
        if len(line) < 3:
            return None
        fields = {}
        while (field := self.rfile.readline().decode().strip()):
            name, value = field.split(":", 1)
            fields[name.lower()] = value.strip()
        return line[0], line[1], fields

    def send(self, track, port):
        _, _, suite, options, own = TRACKS[track]
        return subprocess.Popen(
            ["ffmpeg", "-nostdin", "-v", "warning", "-re", "-i", FILM, *options, "-f", "rtp", "-srtp_out_suite", suite,
             "-srtp_out_params", KEYS[track],
             f"srtp://{self.client_address[0]}:{port}?localrtpport={own}&localrtcpport={own + 1}&pkt_size=1200"])


class Server(socketserver.TCPServer):
    allow_reuse_address = True


with Server((sys.argv[2], 554), Player) as server:
    server.serve_forever()
