"""Rebuilds the packets of the signaling client in an article about WebRTC on iOS.

The article (iOS 基于WebRTC的音视频通信 总结篇, 2020) contains the client's code: a TCP socket to port 6868, JSON with type,
source, destination and params; descriptions as an object under sdp, candidates under icecandidate. Its behavior is
kept, including its faults:

- Login, heartbeat and the call start together, when the socket is connected: until the server has answered, both ids
  are 0, and the first description and candidates are sent to destination 0.
- Each remote description is answered, regardless of its type: even an answer.
- Candidates are sent as they are gathered, but never their end.
- The socket is closed without a message.

The members have the order of the article's types. The article does not show the framing: here each message has a length
of four octets, most significant first. Slashes are escaped, as by Foundation. Descriptions are those of libwebrtc in 2020,
reduced to few codecs; keys, names and ids are made up. The server and the other peer's messages follow the article's text.
There is no media.

Usage: rebuild_article_signaling.py OUTPUT.pcap
"""

import json
import struct
import sys

from scapy.all import IP, TCP, Ether, Raw, wrpcap

CLIENT, SERVER = "192.168.1.23", "192.168.1.10"
MACS = {CLIENT: "02:00:c0:a8:01:17", SERVER: "02:00:c0:a8:01:0a"}
PORTS = {CLIENT: 53412, SERVER: 6868}
BEGIN = 1587396223  # 2020-04-20 23:23:43 +0800
OWN, OTHER = 1001, 1002


def description(session, version, ufrag, pwd, fingerprint, setup, tracks):
    """Returns a peer's description: Opus, VP8 with retransmissions, and a data channel, bundled."""
    transport = [
        f"a=ice-ufrag:{ufrag}",
        f"a=ice-pwd:{pwd}",
        "a=ice-options:trickle renomination",
        f"a=fingerprint:sha-256 {fingerprint}",
        f"a=setup:{setup}",
    ]
    audio = [
        "m=audio 9 UDP/TLS/RTP/SAVPF 111 0 8",
        "c=IN IP4 0.0.0.0",
        "a=rtcp:9 IN IP4 0.0.0.0",
        *transport,
        "a=mid:0",
        "a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level",
        "a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid",
        "a=sendrecv",
        f"a=msid:stream audio{tracks}",
        "a=rtcp-mux",
        "a=rtpmap:111 opus/48000/2",
        "a=rtcp-fb:111 transport-cc",
        "a=fmtp:111 minptime=10;useinbandfec=1",
        "a=rtpmap:0 PCMU/8000",
        "a=rtpmap:8 PCMA/8000",
        f"a=ssrc:{tracks}10 cname:{session[:8]}",
    ]
    video = [
        "m=video 9 UDP/TLS/RTP/SAVPF 96 97",
        "c=IN IP4 0.0.0.0",
        "a=rtcp:9 IN IP4 0.0.0.0",
        *transport,
        "a=mid:1",
        "a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid",
        "a=extmap:3 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time",
        "a=sendrecv",
        f"a=msid:stream video{tracks}",
        "a=rtcp-mux",
        "a=rtcp-rsize",
        "a=rtpmap:96 VP8/90000",
        "a=rtcp-fb:96 nack",
        "a=rtcp-fb:96 nack pli",
        "a=rtpmap:97 rtx/90000",
        "a=fmtp:97 apt=96",
        f"a=ssrc-group:FID {tracks}20 {tracks}21",
        f"a=ssrc:{tracks}20 cname:{session[:8]}",
        f"a=ssrc:{tracks}21 cname:{session[:8]}",
    ]
    data = [
        "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
        "c=IN IP4 0.0.0.0",
        *transport,
        "a=mid:2",
        "a=sctp-port:5000",
        "a=max-message-size:262144",
    ]
    head = [
        "v=0",
        f"o=- {session} {version} IN IP4 127.0.0.1",
        "s=-",
        "t=0 0",
        "a=group:BUNDLE 0 1 2",
        "a=msid-semantic: WMS stream",
    ]
    return "\r\n".join(head + audio + video + data) + "\r\n"


def fingerprint(seed):
    return ":".join(f"{(seed * 37 + index * 101) & 255:02X}" for index in range(32))


OWN_SIDE = ("4611731400430051336", "zR5h", "ICEPWDofTHEclientMADEup1", fingerprint(3), "71")
OTHER_SIDE = ("8204112937740063812", "k0Qd", "ICEPWDofTHEotherMADEup02", fingerprint(8), "82")


def described(side, version, kind):
    session, ufrag, pwd, print_, tracks = side
    setup = "actpass" if kind == "offer" else "active"
    return {"sdp": description(session, version, ufrag, pwd, print_, setup, tracks), "type": kind}


def candidates(address, public, ports, ufrag):
    tail = f"generation 0 ufrag {ufrag} network-id 1 network-cost 10"
    lines = []
    for index, port in enumerate(ports):
        lines.append((f"candidate:1876313031 1 udp 2122260223 {address} {port} typ host {tail}", index))
    lines.append(
        (
            f"candidate:3388485749 1 udp 1686052607 {public} {ports[0]} typ srflx raddr {address} rport {ports[0]} {tail}",
            0,
        )
    )
    lines.append((f"candidate:842163049 1 tcp 1518280447 {address} 9 typ host tcptype active {tail}", 0))
    return [{"sdp": text, "sdpMLineIndex": index, "sdpMid": str(index)} for text, index in lines]


class Capture:
    def __init__(self):
        self.frames = []
        self.identification = {CLIENT: 0x0100, SERVER: 0x7A00}
        self.next = {CLIENT: 0x2B0C5511, SERVER: 0x91E0A3C4}

    def segment(self, second, source, flags, payload=b"", options=()):
        target = SERVER if source == CLIENT else CLIENT
        self.identification[source] += 1
        frame = (
            Ether(src=MACS[source], dst=MACS[target])
            / IP(src=source, dst=target, id=self.identification[source], flags="DF")
            / TCP(
                sport=PORTS[source],
                dport=PORTS[target],
                seq=self.next[source],
                ack=self.next[target] if "A" in flags else 0,
                flags=flags,
                window=65535,
                options=list(options),
            )
        )
        frame = Ether(bytes(frame / Raw(payload) if payload else frame))
        frame.time = BEGIN + second
        self.frames.append(frame)
        self.next[source] = (self.next[source] + len(payload) + ("S" in flags) + ("F" in flags)) & 0xFFFFFFFF

    def say(self, second, source, *messages):
        """Sends messages together, in as few segments as possible."""
        octets = b"".join(packed(message) for message in messages)
        for start in range(0, len(octets), 1448):
            self.segment(second, source, "PA", octets[start : start + 1448])
            second += 0.0002
        self.segment(second + 0.001, SERVER if source == CLIENT else CLIENT, "A")


def packed(message):
    text = json.dumps(message, separators=(",", ":"), ensure_ascii=False).replace("/", "\\/").encode()
    return struct.pack("!I", len(text)) + text


def message(kind, source, destination, params):
    return {"type": kind, "source": source, "destination": destination, "params": params}


def main():
    capture = Capture()
    syn = [("MSS", 1460), ("SAckOK", b"")]
    capture.segment(0.000, CLIENT, "S", options=syn)
    capture.segment(0.004, SERVER, "SA", options=syn)
    capture.segment(0.0045, CLIENT, "A")

    own = candidates("192.168.1.23", "203.0.113.9", [61022, 52871], "zR5h")
    other = candidates("192.168.1.40", "203.0.113.77", [49170, 49172], "k0Qd")

    # Connected: everything starts at once.
    capture.say(0.006, CLIENT, message("login", 0, 0, {}), message("heartbeat", 0, 0, {}))
    capture.say(0.031, CLIENT, message("icecandidate", 0, 0, {"icecandidate": own[0]}))
    capture.say(0.034, CLIENT, message("icecandidate", 0, 0, {"icecandidate": own[1]}))
    capture.say(0.052, SERVER, message("login", 0, OWN, {"peer_id": OWN, "remote_peer_id": OTHER}))
    capture.say(0.053, SERVER, message("heartbeat", 0, OWN, {}))

    # The call.
    capture.say(1.204, CLIENT, message("sdp", OWN, OTHER, {"sdp": described(OWN_SIDE, 2, "offer")}))
    capture.say(1.226, CLIENT, *[message("icecandidate", OWN, OTHER, {"icecandidate": one}) for one in own[:2]])
    capture.say(1.291, CLIENT, message("icecandidate", OWN, OTHER, {"icecandidate": own[2]}))
    capture.say(1.302, CLIENT, message("icecandidate", OWN, OTHER, {"icecandidate": own[3]}))
    capture.say(1.377, SERVER, message("sdp", OTHER, OWN, {"sdp": described(OTHER_SIDE, 2, "answer")}))
    # The quirk: an answer is answered.
    capture.say(1.391, CLIENT, message("sdp", OWN, OTHER, {"sdp": described(OWN_SIDE, 3, "answer")}))
    for index, one in enumerate(other):
        capture.say(1.402 + index * 0.011, SERVER, message("icecandidate", OTHER, OWN, {"icecandidate": one}))

    for beat in range(1, 4):
        capture.say(0.006 + 5 * beat, CLIENT, message("heartbeat", OWN, 0, {}))
        capture.say(0.051 + 5 * beat, SERVER, message("heartbeat", 0, OWN, {}))
    capture.segment(17.320, CLIENT, "FA")
    capture.segment(17.324, SERVER, "FA")
    capture.segment(17.3243, CLIENT, "A")
    wrpcap(sys.argv[1], sorted(capture.frames, key=lambda frame: float(frame.time)))


main()
