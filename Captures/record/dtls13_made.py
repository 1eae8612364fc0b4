"""Makes calls with DTLS 1.3, whose secrets are known: dtls13_made.py FOLDER.

No program here speaks DTLS 1.3 and writes its secrets: Chromium does the first only, OpenSSL and GnuTLS neither. The
records are thus made according to RFC 9147 with Python's own cryptography: traffic secrets that are given, as in a key
log, protect the handshake messages, the data channel and a key update; the exporter secret protects the media. For each
NAME there are NAME.pcap, NAME.keylog, and NAME.sent, the RTP packets in the clear, each in hexadecimal digits.
"""

import hashlib
import hmac
import pathlib
import struct
import sys

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
from cryptography.hazmat.primitives.serialization import Encoding
import datetime

PREFIX = b"dtls13"
PROFILE = 0x0001  # SRTP_AES128_CM_HMAC_SHA1_80
SUITES = {"gcm": (0x1302, "sha384", 32), "chacha20": (0x1303, "sha256", 32)}
EPOCH = 1_795_737_600


def made(name, octets):
    """Octets that are the same in each run."""
    return hashlib.shake_256(b"weir dtls13 " + name.encode()).digest(octets)


def expand(hash_name, secret, label, context, octets):
    label = PREFIX + label
    info = struct.pack(">HB", octets, len(label)) + label + bytes([len(context)]) + context
    output, block, number = b"", b"", 1
    while len(output) < octets:
        block = hmac.new(secret, block + info + bytes([number]), hash_name).digest()
        output += block
        number += 1
    return output[:octets]


class Keys:
    """The keys of one epoch of one side."""

    def __init__(self, suite, secret):
        self.suite, self.secret, self.sequence = suite, secret, 0
        _, self.hash, octets = SUITES[suite]
        self.key = expand(self.hash, secret, b"key", b"", octets)
        self.iv = expand(self.hash, secret, b"iv", b"", 12)
        self.numbers = expand(self.hash, secret, b"sn", b"", octets)

    def updated(self):
        return Keys(self.suite, expand(self.hash, self.secret, b"traffic upd", b"", len(self.secret)))

    def record(self, epoch, kind, content, short=False, with_length=True, padding=0):
        sequence = self.sequence
        self.sequence += 1
        number = struct.pack(">B", sequence & 0xFF) if short else struct.pack(">H", sequence & 0xFFFF)
        inner = content + bytes([kind]) + bytes(padding)
        flags = 0x20 | (0 if short else 0x08) | (0x04 if with_length else 0) | epoch & 3
        length = struct.pack(">H", len(inner) + 16) if with_length else b""
        nonce = bytes(a ^ b for a, b in zip(self.iv, bytes(4) + struct.pack(">Q", sequence)))
        aead = ChaCha20Poly1305 if self.suite == "chacha20" else AESGCM
        sealed = aead(self.key).encrypt(nonce, inner, bytes([flags]) + number + length)
        if self.suite == "chacha20":
            cipher = Cipher(algorithms.ChaCha20(self.numbers, sealed[:16]), mode=None)
            mask = cipher.encryptor().update(bytes(16))
        else:
            mask = Cipher(algorithms.AES(self.numbers), modes.ECB()).encryptor().update(sealed[:16])
        number = bytes(a ^ b for a, b in zip(number, mask))
        return bytes([flags]) + number + length + sealed


def plain(kind, sequence, content):
    return struct.pack(">BHHHIH", kind, 0xFEFD, 0, 0, sequence, len(content)) + content


def handshake(kind, number, body, start=0, end=None):
    part = body[start:end]
    return (bytes([kind]) + len(body).to_bytes(3, "big") + struct.pack(">H", number) + start.to_bytes(3, "big")
            + len(part).to_bytes(3, "big") + part)


def extension(kind, body):
    return struct.pack(">HH", kind, len(body)) + body


def certificate(name):
    key = ed25519.Ed25519PrivateKey.from_private_bytes(made(name, 32))
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    start = datetime.datetime(2026, 11, 1)
    der = (x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
           .serial_number(7).not_valid_before(start).not_valid_after(start + datetime.timedelta(days=30))
           .sign(key, None).public_bytes(Encoding.DER))
    entry = len(der).to_bytes(3, "big") + der + bytes(2)
    return bytes(1) + len(entry).to_bytes(3, "big") + entry


def crc32c(octets):
    crc = 0xFFFFFFFF
    for octet in octets:
        crc ^= octet
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def sctp(number, stream, protocol, message):
    chunk = struct.pack(">BBHIHHI", 0, 3, 16 + len(message), number, stream, 0, protocol) + message
    chunk += bytes(-len(chunk) % 4)
    head = struct.pack(">HHI", 5000, 5000, 0x1234)
    checksum = struct.pack("<I", crc32c(head + bytes(4) + chunk))
    return head + checksum + chunk


def open_channel(label, protocol):
    return struct.pack(">BBHIHH", 3, 0, 0, 0, len(label), len(protocol)) + label + protocol


def aes_ctr(key, start, octets):
    return Cipher(algorithms.AES(key), modes.CTR(start)).encryptor().update(octets)


class SRTP:
    """AES in counter mode with HMAC-SHA1 (RFC 3711)."""

    def __init__(self, key, salt):
        def derive(label, octets):
            start = bytearray(salt + bytes(2))
            start[7] ^= label
            return aes_ctr(key, bytes(start), bytes(octets))

        self.key, self.authentication, self.salt = derive(0, 16), derive(1, 20), derive(2, 14)

    def protect(self, packet):
        sequence, ssrc = struct.unpack(">2xH4xI", packet[:12])
        start = (int.from_bytes(self.salt, "big") << 16) ^ (ssrc << 64) ^ (sequence << 16)
        sealed = packet[:12] + aes_ctr(self.key, start.to_bytes(16, "big"), packet[12:])
        return sealed + hmac.new(self.authentication, sealed + bytes(4), "sha1").digest()[:10]


class Capture:
    ends = ((bytes([10, 77, 0, 1]), 50_001), (bytes([10, 77, 0, 2]), 50_002))

    def __init__(self):
        self.octets = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262_144, 1)
        self.milliseconds = 0

    def send(self, sender, payload, after=5):
        self.milliseconds += after
        (source, from_port), (target, to_port) = self.ends[sender], self.ends[1 - sender]
        udp = struct.pack(">HHHH", from_port, to_port, 8 + len(payload), 0) + payload
        head = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0x4000, 64, 17, 0, source, target)
        total = sum(struct.unpack(">10H", head))
        head = head[:10] + struct.pack(">H", 0xFFFF - (total % 0xFFFF)) + head[12:]
        frame = bytes(5) + bytes([2 - sender]) + bytes(5) + bytes([1 + sender]) + b"\x08\x00" + head + udp
        self.octets += struct.pack("<IIII", EPOCH + self.milliseconds // 1000, self.milliseconds % 1000 * 1000,
                                   len(frame), len(frame)) + frame


def call(folder, suite):
    number, hash_name, _ = SUITES[suite]
    octets = hashlib.new(hash_name).digest_size
    random = made(suite + " client random", 32)
    names = ["CLIENT_HANDSHAKE_TRAFFIC_SECRET", "SERVER_HANDSHAKE_TRAFFIC_SECRET", "CLIENT_TRAFFIC_SECRET_0",
             "SERVER_TRAFFIC_SECRET_0", "EXPORTER_SECRET"]
    secrets = {name: made(suite + name, octets) for name in names}
    client, server = Keys(suite, secrets[names[0]]), Keys(suite, secrets[names[1]])
    capture = Capture()

    profiles = extension(14, struct.pack(">HHHB", 4, PROFILE, 0x0007, 0))
    hello = (b"\xfe\xfd" + random + bytes(2) + struct.pack(">HH", 2, number) + b"\x01\x00")
    extensions = extension(43, b"\x02\xfe\xfc") + profiles
    capture.send(0, plain(22, 0, handshake(1, 0, hello + struct.pack(">H", len(extensions)) + extensions)))
    extensions = extension(43, b"\xfe\xfc")
    answer = (b"\xfe\xfd" + made(suite + " server random", 32) + bytes(1) + struct.pack(">HB", number, 0)
              + struct.pack(">H", len(extensions)) + extensions)
    chosen = extension(14, struct.pack(">HHB", 2, PROFILE, 0))
    own = certificate("server")
    capture.send(1, plain(22, 0, handshake(2, 0, answer))
                 + server.record(2, 22, handshake(8, 1, struct.pack(">H", len(chosen)) + chosen))
                 + server.record(2, 22, handshake(11, 2, own, 0, 100)))
    capture.send(1, server.record(2, 22, handshake(11, 2, own, 100), padding=9)
                 + server.record(2, 22, handshake(15, 3, struct.pack(">HH", 0x0807, 64) + made("verify", 64)))
                 + server.record(2, 22, handshake(20, 4, made("finished", octets)), with_length=False))
    capture.send(0, client.record(2, 22, handshake(11, 1, certificate("client")))
                 + client.record(2, 22, handshake(20, 2, made("finished of the client", octets))))
    client, server = Keys(suite, secrets[names[2]]), Keys(suite, secrets[names[3]])
    capture.send(1, server.record(3, 26, struct.pack(">HQQ", 16, 2, 1)))

    chat = sctp(100, 0, 50, open_channel(b"chat", b"lines"))
    capture.send(0, client.record(3, 23, chat))
    capture.send(1, server.record(3, 23, sctp(900, 0, 50, b"\x02")))
    # More records than a sequence number of one octet counts.
    for index in range(300):
        capture.send(1, server.record(3, 23, sctp(901 + index, 0, 51, b"line %03d" % index), short=True), after=1)
    messages = [client.record(3, 23, sctp(101 + index, 0, 51, b"hello")) for index in range(3)]
    for index in (0, 2, 1, 1):  # reordered, and one duplicate
        capture.send(0, messages[index])
    capture.send(0, client.record(3, 22, handshake(24, 3, b"\x00")))
    client = client.updated()
    for index in range(4):
        capture.send(0, client.record(4, 23, sctp(104 + index, 0, 51, b"with new keys")))

    nothing = hashlib.new(hash_name).digest()
    derived = expand(hash_name, secrets["EXPORTER_SECRET"], b"EXTRACTOR-dtls_srtp", nothing, octets)
    block = expand(hash_name, derived, b"exporter", nothing, 60)
    media = SRTP(block[:16], block[32:46])
    sent = []
    for index in range(40):
        packet = struct.pack(">BBHII", 0x80, 0x80 if index == 0 else 0, 1000 + index, 160 * index, 0xDEC0DE13)
        packet += made("audio %d" % index, 160)
        sent.append(packet.hex())
        capture.send(0, media.protect(packet), after=20)

    base = pathlib.Path(folder) / ("dtls13-" + suite)
    base.with_suffix(".pcap").write_bytes(capture.octets)
    base.with_suffix(".keylog").write_text("".join(f"{n} {random.hex()} {s.hex()}\n" for n, s in secrets.items()))
    base.with_suffix(".sent").write_text("\n".join(sent) + "\n")


for suite in SUITES:
    call(sys.argv[1], suite)
