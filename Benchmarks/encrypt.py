"""Encrypts the captures of the generator, with keys beside them: its TCP connections become TLS, its RTP becomes SRTP.

    encrypt.py tls|srtp CAPTURE ENCRYPTED KEYS
"""

import array
import ctypes
import ctypes.util
import hmac
import pathlib
import ssl
import struct
import subprocess
import sys
import tempfile

ETHERNET, IPV4, TCP, UDP = 14, 20, 20, 8
SEGMENT = 1460
SYN, ACK, PUSH = 0x02, 0x10, 0x08
# The ports of the same protocols in TLS, for which the server's name or the port is evidence.
PORTS = {1935: 443, 554: 322}
NAMES = {443: "rtmp.weir.example", 322: "camera.weir.example"}


def frames(path):
    """Yields header and octets of each frame."""
    octets = path.read_bytes()
    offset = 24
    while offset < len(octets):
        header = octets[offset:offset + 16]
        length = int.from_bytes(header[8:12], "little")
        yield header, octets[offset + 16:offset + 16 + length]
        offset += 16 + length


def total(octets):
    """The sum of RFC 1071."""
    words = array.array("H", octets + b"\0" if len(octets) & 1 else octets)
    value = sum(words)
    while value >> 16:
        value = (value & 0xFFFF) + (value >> 16)
    return value


def checksum(octets):
    return struct.pack("=H", ~total(octets) & 0xFFFF)


def write(file, header, frame):
    length = struct.pack("<II", len(frame), len(frame))
    file.write(header[:8] + length + frame)


def datagram(ethernet, ip, transport, protocol, place):
    """A frame with the lengths and checksums of its contents; `place` is that of the transport's checksum."""
    ip = ip[:2] + struct.pack("!H", IPV4 + len(transport)) + ip[4:10] + b"\0\0" + ip[12:]
    ip = ip[:10] + checksum(ip) + ip[12:]
    pseudo = ip[12:20] + struct.pack("!BBH", 0, protocol, len(transport))
    transport = transport[:place] + b"\0\0" + transport[place + 2:]
    transport = transport[:place] + checksum(pseudo + transport) + transport[place + 2:]
    return ethernet + ip + transport


class Security:
    """A server's certificate, and the contexts of both sides, whose secrets are written to the key log."""

    def __init__(self, folder, key_log):
        certificate, key = folder / "cert.pem", folder / "key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=weir",
                        "-keyout", key, "-out", certificate], check=True, stderr=subprocess.DEVNULL)
        self.client, self.server = [], []
        # TLS 1.2 and 1.3 in turn, with AES-GCM of 128 and 256 bits.
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            server.load_cert_chain(certificate, key)
            server.minimum_version = server.maximum_version = version
            server.keylog_filename = str(key_log)
            if version == ssl.TLSVersion.TLSv1_2:
                server.set_ciphers("ECDHE-RSA-AES128-GCM-SHA256")
            client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            client.check_hostname = False
            client.verify_mode = ssl.CERT_NONE
            self.client.append(client)
            self.server.append(server)


class End:
    """One end of a connection."""

    def __init__(self):
        self.number = 0  # its next sequence number in the encrypted connection
        self.expected = None  # the same in the clear
        self.early = {}  # segments in the clear behind a hole
        self.pending = b""
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = None


class Connection:
    """A TCP connection, written again with TLS."""

    def __init__(self, file, contexts, name):
        self.file = file
        self.ends = [End(), End()]
        client, server = self.ends
        client.tls = contexts[0].wrap_bio(client.incoming, client.outgoing, server_hostname=name)
        server.tls = contexts[1].wrap_bio(server.incoming, server.outgoing, server_side=True)
        self.is_open = self.is_in_handshake = False
        self.segments = 0
        self.places = [None, None]  # the headers of a frame of each direction

    def take(self, side, header, frame, ports):
        ip, tcp = frame[ETHERNET:ETHERNET + IPV4], frame[ETHERNET + IPV4:]
        sequence, flags, offset = int.from_bytes(tcp[4:8]), tcp[13], (tcp[12] >> 4) * 4
        payload = tcp[offset:]
        end = self.ends[side]
        self.places[side] = (frame[:ETHERNET], ip, ports)
        if flags & SYN:
            end.number, end.expected = sequence + 1 & 0xFFFFFFFF, sequence + 1 & 0xFFFFFFFF
            acknowledged = self.ends[1 - side].number if flags & ACK else 0
            self.segment(side, header, tcp[13], b"", sequence, acknowledged)
            return
        if payload and end.expected is not None:
            end.early[sequence] = payload
        if not self.is_open and payload:
            self.handshake(header)
        moved = False
        while (ready := end.early.pop(end.expected, None)) is not None:
            end.tls.write(ready)
            end.expected = end.expected + len(ready) & 0xFFFFFFFF
            moved = True
        if payload:
            # Repeated segments are behind the expected number.
            end.early = {number: held for number, held in end.early.items() if number - end.expected & 0x80000000 == 0}
        if moved:
            self.flush(side, header, isWhole=False)
        if not payload:
            self.flush(side, header)
            self.segment(side, header, flags, b"")
            if flags & 0x01:
                end.number = end.number + 1 & 0xFFFFFFFF

    def handshake(self, header):
        self.is_open = self.is_in_handshake = True
        waiting = [True, True]
        while any(waiting):
            for side, end in enumerate(self.ends):
                if waiting[side]:
                    try:
                        end.tls.do_handshake()
                        waiting[side] = False
                    except ssl.SSLWantReadError:
                        pass
                self.flush(side, header)
        self.is_in_handshake = False

    def flush(self, side, header, isWhole=True):
        """Sends what was encrypted, in full segments; the rest, too, if nothing follows."""
        end = self.ends[side]
        octets = end.outgoing.read()
        if self.is_in_handshake:
            self.ends[1 - side].incoming.write(octets)
        end.pending += octets
        while len(end.pending) >= SEGMENT or end.pending and isWhole:
            self.segment(side, header, ACK | PUSH, end.pending[:SEGMENT])
            end.pending = end.pending[SEGMENT:]

    def segment(self, side, header, flags, payload, number=None, acknowledged=None):
        end = self.ends[side]
        ethernet, ip, ports = self.places[side] or self.turned(side)
        number = end.number if number is None else number
        acknowledged = self.ends[1 - side].number if acknowledged is None else acknowledged
        tcp = ports + struct.pack("!IIBBHHH", number, acknowledged, 5 << 4, flags, 0xFFFF, 0, 0) + payload
        write(self.file, header, datagram(ethernet, ip, tcp, 6, 16))
        self.segments += 1
        if not flags & SYN:
            end.number = end.number + len(payload) & 0xFFFFFFFF

    def turned(self, side):
        ethernet, ip, ports = self.places[1 - side]
        return (ethernet[6:12] + ethernet[:6] + ethernet[12:], ip[:12] + ip[16:20] + ip[12:16], ports[2:] + ports[:2])


def encrypt_connections(source, target, key_log):
    """Writes a capture whose TCP connections are those of the source in TLS, in order, and the key log of their servers.
    Returns the number of packets."""
    key_log.unlink(missing_ok=True)
    connections, others = {}, 0
    with tempfile.TemporaryDirectory() as folder, open(target, "wb") as file:
        security = Security(pathlib.Path(folder), key_log)
        file.write(source.read_bytes()[:24])
        for header, frame in frames(source):
            if frame[ETHERNET + 9] != 6:
                others += 1
                write(file, header, frame)
                continue
            client, server = struct.unpack_from("!HH", frame, ETHERNET + IPV4)
            side = 0 if server in PORTS else 1
            port = server if side == 0 else client
            addresses = frame[ETHERNET + 12:ETHERNET + 20]
            key = (addresses, client, server) if side == 0 else (addresses[4:] + addresses[:4], server, client)
            known = connections.get(key)
            if known is None:
                contexts = [contexts[len(connections) % 2] for contexts in (security.client, security.server)]
                known = connections[key] = Connection(file, contexts, NAMES[PORTS[port]])
            ports = (client, PORTS[port]) if side == 0 else (PORTS[port], server)
            known.take(side, header, frame, struct.pack("!HH", *ports))
    return others + sum(connection.segments for connection in connections.values())


class CounterMode:
    """AES in counter mode, by libcrypto."""

    def __init__(self, key):
        self.crypto = ctypes.CDLL(ctypes.util.find_library("crypto"))
        self.crypto.EVP_CIPHER_CTX_new.restype = ctypes.c_void_p
        self.crypto.EVP_aes_128_ctr.restype = ctypes.c_void_p
        self.context = ctypes.c_void_p(self.crypto.EVP_CIPHER_CTX_new())
        cipher = ctypes.c_void_p(self.crypto.EVP_aes_128_ctr())
        self.crypto.EVP_EncryptInit_ex(self.context, cipher, None, key, bytes(16))
        self.output, self.length = ctypes.create_string_buffer(1 << 16), ctypes.c_int()

    def encrypt(self, octets, counter):
        self.crypto.EVP_EncryptInit_ex(self.context, None, None, None, counter)
        self.crypto.EVP_EncryptUpdate(self.context, self.output, ctypes.byref(self.length), octets, len(octets))
        return self.output.raw[:self.length.value]


class Protection:
    """SRTP and SRTCP with AES_CM_128_HMAC_SHA1_80 and one master key for all sources (RFC 3711)."""

    TAG = 10

    def __init__(self, secret):
        master, salt = CounterMode(secret[:16]), secret[16:]

        def derived(label, octets):
            block = bytes(7) + bytes([label]) + bytes(6)
            return master.encrypt(bytes(octets), bytes(one ^ other for one, other in zip(salt, block)) + bytes(2))

        self.keys = [(CounterMode(derived(label, 16)), derived(label + 1, 20), int.from_bytes(derived(label + 2, 14)))
                     for label in (0, 3)]
        self.highest = {}
        self.reports = 0

    def index(self, ssrc, sequence):
        """The index of a packet (RFC 3711 §3.3.1)."""
        highest = self.highest.get(ssrc, sequence)
        index = highest + ((sequence - highest + 0x8000) & 0xFFFF) - 0x8000
        self.highest[ssrc] = max(highest, index)
        return max(0, index)

    def encrypt(self, cipher, salt, ssrc, index, octets):
        return cipher.encrypt(octets, (salt << 16 ^ ssrc << 64 ^ index << 16).to_bytes(16))

    def packet(self, octets):
        cipher, key, salt = self.keys[0]
        ssrc = int.from_bytes(octets[8:12])
        index = self.index(ssrc, int.from_bytes(octets[2:4]))
        octets = octets[:12] + self.encrypt(cipher, salt, ssrc, index, octets[12:])
        return octets + hmac.digest(key, octets + (index >> 16).to_bytes(4), "sha1")[:self.TAG]

    def report(self, octets):
        cipher, key, salt = self.keys[1]
        ssrc = int.from_bytes(octets[4:8])
        self.reports += 1
        octets = octets[:8] + self.encrypt(cipher, salt, ssrc, self.reports, octets[8:])
        octets += (self.reports | 1 << 31).to_bytes(4)
        return octets + hmac.digest(key, octets, "sha1")[:self.TAG]


def encrypt_media(source, target, key_file):
    """Writes a capture whose RTP and RTCP are those of the source with SRTP, and a file with the key. Returns the number of
    packets."""
    packets = 0
    secret = bytes(range(1, 31))
    key_file.write_text(f"* AES_CM_128_HMAC_SHA1_80 {secret.hex()}\n")
    protection = Protection(secret)
    with open(target, "wb") as file:
        file.write(source.read_bytes()[:24])
        for header, frame in frames(source):
            if frame[ETHERNET + 9] == 17:
                start = ETHERNET + IPV4
                payload = frame[start + UDP:]
                payload = protection.report(payload) if 192 <= payload[1] <= 223 else protection.packet(payload)
                udp = frame[start:start + 4] + struct.pack("!HH", UDP + len(payload), 0) + payload
                frame = datagram(frame[:ETHERNET], frame[ETHERNET:start], udp, 17, 6)
            write(file, header, frame)
            packets += 1
    return packets


if __name__ == "__main__":
    packets = {"tls": encrypt_connections, "srtp": encrypt_media}[sys.argv[1]](*map(pathlib.Path, sys.argv[2:]))
    print(f"{packets} packets")
