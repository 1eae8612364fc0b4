"""The common data model of both analyzers' output.

An endpoint is a string: `192.0.2.1:554`, or `[2001:db8::1]:554`. Frame numbers are 1-based positions in the file.
A value that an analyzer does not provide is None.
"""
import collections
import dataclasses


def endpoint(address, port):
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def port_of(text):
    return int(text.rpartition(":")[2])


@dataclasses.dataclass(frozen=True)
class RTSPMessage:
    frame: int
    source: str
    destination: str
    what: str                   # a method, or a status code as text
    cseq: str | None = None     # text, because both sides must agree on `007` as well
    uri: str | None = None
    session: str | None = None  # without parameters
    content_length: int | None = None

    def __str__(self):
        return f"#{self.frame} {self.source} > {self.destination} {self.what} CSeq {self.cseq or '-'}"


@dataclasses.dataclass(frozen=True)
class MediaLine:
    """One m= line; `index` counts them within the frame, across descriptions."""
    frame: int
    source: str
    destination: str
    index: int
    type: str
    port: int | None
    protocol: str
    formats: tuple
    carrier: str = ""           # the carrying protocol, by tshark's name

    def __str__(self):
        under = f" under {self.carrier}" if self.carrier else ""
        formats = " ".join(self.formats)
        return (f"#{self.frame} {self.source} > {self.destination} "
                f"m={self.type} {self.port} {self.protocol} {formats}{under}")


@dataclasses.dataclass(frozen=True)
class RTCPPacket:
    frame: int
    source: str
    destination: str
    type: int                   # RFC 3550 packet type, 200 for a sender report

    def __str__(self):
        return f"#{self.frame} {self.source} > {self.destination} type {self.type}"


@dataclasses.dataclass(frozen=True)
class RTMPMessage:
    """A message, or a part of the handshake. tshark does not provide values inherited from an earlier header; they are
    None: the message stream of all but type-0 chunks, the length of type 2 and 3."""
    frame: int | None           # None for C0, S0 and S1, which tshark reports together with what follows them
    source: str
    destination: str
    what: str | None            # `C0` to `S2`, or the type of a message, such as `20`
    chunk_stream: int | None = None
    stream: int | None = None
    timestamp: int | None = None
    length: int | None = None
    command: str | None = None
    transaction: float | None = None
    server: str = dataclasses.field(default="", compare=False)  # the server's endpoint, if known

    def __str__(self):
        if self.chunk_stream is None:
            return f"#{self.frame or '?'} {self.source} > {self.destination} {self.what}"
        return (f"#{self.frame} {self.source} > {self.destination} type {self.what} on {self.chunk_stream} "
                f"at {self.timestamp}" + (f" {self.command}" if self.command else ""))


@dataclasses.dataclass(frozen=True)
class HTTPMessage:
    frame: int
    source: str
    destination: str
    what: str                   # a method, or a status code as text
    target: str | None = None   # of a request

    def __str__(self):
        return f"#{self.frame} {self.source} > {self.destination} {self.what} {self.target or ''}".rstrip()


@dataclasses.dataclass(frozen=True)
class WebSocketMessage:
    """A reassembled message, or a control frame."""
    frame: int                  # of its last fragment
    source: str
    destination: str
    opcode: int                 # of its first fragment
    length: int                 # octets of the payloads, as sent
    fragments: int
    code: int | None = None     # of a close frame

    def __str__(self):
        return (f"#{self.frame} {self.source} > {self.destination} opcode {self.opcode}, {self.length} octets in "
                f"{self.fragments}")


@dataclasses.dataclass(frozen=True)
class PeerMessage:
    """A STUN message outside relayed data, or a DTLS handshake message, in the frame that completes it."""
    frame: int
    source: str
    destination: str
    what: str                   # the STUN type in hexadecimal, such as `0x0101`, or the handshake type, such as `1`
    transaction: str | None = None
    mapped: str | None = None   # the endpoint in MAPPED-ADDRESS or XOR-MAPPED-ADDRESS

    def __str__(self):
        return f"#{self.frame} {self.source} > {self.destination} type {self.what}" + (
            f" {self.transaction}" if self.transaction else "")


@dataclasses.dataclass(frozen=True)
class SRTPacket:
    """A data packet, or a control packet by its type."""
    frame: int
    source: str
    destination: str
    what: str                   # `data`, or the number of the control type
    timestamp: int
    socket: int                 # of the receiver
    sequence: int | None = None         # of data, or the first one in a handshake
    message: int | None = None
    acknowledgement: int | None = None  # of ACK and ACKACK
    rtt: int | None = None              # in microseconds
    version: int | None = None          # of a handshake
    latency: tuple | None = None        # of the receiver and of the sender, in milliseconds

    def __str__(self):
        return f"#{self.frame} {self.source} > {self.destination} type {self.what} at {self.timestamp}"


@dataclasses.dataclass(frozen=True)
class RTPStream:
    """One SSRC in one direction of one flow and channel.

    `seen` counts every packet in the capture, including duplicates. `lost` is the number of sequence
    numbers that never arrived; `balance` is expected minus seen, which `tshark -z rtp,streams` calls lost. It is None for
    interleaved streams, where those statistics go wrong.
    """
    source: str
    destination: str
    ssrc: str
    channel: int | None
    seen: int
    first: tuple                # candidates for the first sequence number: by arrival, by order
    last: tuple
    expected: int
    lost: int
    balance: int | None
    repeats: int = 0            # weir: capture duplicates; tshark: same sequence and same IP id
    transport: str = dataclasses.field(default="udp", compare=False)    # `udp`, `interleaved`, or `tcp` as RFC 4571 has it

    def __str__(self):
        channel = "" if self.channel is None else f" channel {self.channel}"
        return f"{self.source} > {self.destination} {self.ssrc}{channel}"


@dataclasses.dataclass
class Findings:
    """The output of one analyzer for one capture."""
    rtsp: list = dataclasses.field(default_factory=list)
    sdp: list = dataclasses.field(default_factory=list)
    rtp: list = dataclasses.field(default_factory=list)
    rtcp: list = dataclasses.field(default_factory=list)
    rtmp: list = dataclasses.field(default_factory=list)
    http: list = dataclasses.field(default_factory=list)
    websocket: list = dataclasses.field(default_factory=list)
    stun: list = dataclasses.field(default_factory=list)
    dtls: list = dataclasses.field(default_factory=list)
    srt: list = dataclasses.field(default_factory=list)
    decrypted: set = dataclasses.field(default_factory=set)     # flows with messages out of TLS
    complaint: str = ""         # the reason if the capture was read partially

    def counts(self, protocol):
        """Returns the number of messages or packets per flow; a flow is an unordered pair of endpoints."""
        counts = collections.Counter()
        for item in getattr(self, protocol):
            counts[frozenset((item.source, item.destination))] += getattr(item, "seen", 1)
        return counts
