"""Exchanges with TURN servers and connectivity checks as public bug reports describe them."""

import binascii
import dataclasses
import hashlib
import hmac
import struct

import dialogue

COOKIE = 0x2112A442
CLIENT, SERVER, RELAY = ("10.77.0.1", 46_341), ("10.77.0.2", 3_478), ("10.77.0.2", 52_615)
START = 1_795_000_000.0
KEY = hashlib.md5(b"test:weir.example:test-secret").digest()
ALLOCATE, REFRESH, PERMIT, BIND, BINDING = 3, 4, 8, 9, 1
REASONS = {
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden IP", 437: "Mismatched allocation: wrong transaction ID",
    487: "Role Conflict",
}


def attribute(kind, value):
    return struct.pack("!HH", kind, len(value)) + value + bytes(-len(value) % 4)


def mapped(kind, end):
    octets = int.from_bytes(dialogue.octets(end[0]), "big") ^ COOKIE
    return attribute(kind, struct.pack("!BBHI", 0, 1, end[1] ^ COOKIE >> 16, octets))


def message(kind, number, attributes=(), key=None):
    """A STUN message, signed if there is a key."""
    body = b"".join(attributes)
    identity = hashlib.sha256(str(number).encode()).digest()[:12]

    def head(length):
        return struct.pack("!HHI", kind, length, COOKIE) + identity
    if key:
        body += attribute(8, hmac.new(key, head(len(body) + 24) + body, hashlib.sha1).digest())
    checked = head(len(body) + 8) + body
    return checked + attribute(0x8028, struct.pack("!I", binascii.crc32(checked) & 0xFFFFFFFF ^ 0x5354554E))


class Exchange:
    """A client and its TURN server."""

    def __init__(self):
        self.items, self.time, self.number, self.nonce = [], START, 0, b"ad353513a8bdaf30"

    def client(self, data, after=0.0):
        self.time += after
        self.items.append(dialogue.Item(self.time, "udp", CLIENT, SERVER, data))

    def server(self, data, after=0.001):
        self.time += after
        self.items.append(dialogue.Item(self.time, "udp", SERVER, CLIENT, data))

    def ask(self, method, attributes=(), signed=True, error=None, more=(), after=0.01):
        self.number += 1
        credentials = [attribute(6, b"test"), attribute(0x15, self.nonce), attribute(0x14, b"weir.example")]
        asked = list(attributes) + (credentials if signed else [])
        self.client(message(method, self.number, asked, KEY if signed else None), after)
        if error:
            reason = REASONS[error].encode()
            said = [attribute(9, bytes([0, 0, error // 100, error % 100]) + reason)]
            said += list(more) or credentials[1:] if error == 401 else []
            self.server(message(method | 0x110, self.number, said, None if error == 401 else KEY))
        else:
            self.server(message(method | 0x100, self.number, more, KEY))

    def allocate(self, error=None):
        wanted = [attribute(0x19, bytes([17, 0, 0, 0])), attribute(13, struct.pack("!I", 600))]
        self.ask(ALLOCATE, wanted, signed=False, error=401)
        self.ask(ALLOCATE, wanted, error=error, more=[
            mapped(0x16, RELAY), mapped(0x20, CLIENT), attribute(13, struct.pack("!I", 600))])

    def bind(self, peer, channel=0x4000, error=None, after=0.01):
        self.ask(BIND, [attribute(12, struct.pack("!HH", channel, 0)), mapped(0x12, peer)], error=error, after=after)

    def permit(self, peer, error=None, after=0.01):
        self.ask(PERMIT, [mapped(0x12, peer)], error=error, after=after)

    def refresh(self, seconds=600, after=0.01):
        life = attribute(13, struct.pack("!I", seconds))
        self.ask(REFRESH, [life], more=[life], after=after)

    def check(self, number, channel=0x4000, answered=True, nominates=False, after=0.0):
        """A check of the client through the channel, and its answer."""
        attributes = [
            attribute(6, b"T4MS:yPkJ"), attribute(0x24, struct.pack("!I", 0x6EFFFFFF)),
            attribute(0x802A, b"\x45\x61\x46\x7e\x12\xa5\x69\x18")] + ([attribute(0x25, b"")] if nominates else [])
        data = message(BINDING, f"check {number}", attributes, b"vXx1aX3T5m5TlOgrEADpC0")
        self.client(struct.pack("!HH", channel, len(data)) + data, after)
        if answered:
            data = message(BINDING | 0x100, f"check {number}", [mapped(0x20, RELAY)], b"vXx1aX3T5m5TlOgrEADpC0")
            self.server(struct.pack("!HH", channel, len(data)) + data, 0.002)


PEER = ("10.77.0.2", 35_478)


def forbidden_peer(folder):
    """CreatePermission for a private address is refused with 403: the server's configuration denies it."""
    exchange = Exchange()
    exchange.allocate()
    for last in (5, 6):
        exchange.permit((f"192.168.1.{last}", 50_000), error=403)
    exchange.refresh(0, after=8)
    return exchange.items


def same_port_again(folder):
    """A client restarts and uses the port of its former allocation, which still lives: 437 three times."""
    exchange = Exchange()
    for _ in range(3):
        exchange.allocate(error=437)
        exchange.time += 2
    return exchange.items


def retransmission_refused(folder):
    """The answer to Allocate is late for the client, which repeats the request: 437 instead of the answer again."""
    exchange = Exchange()
    exchange.allocate()
    exchange.number -= 1
    exchange.ask(
        ALLOCATE, [attribute(0x19, bytes([17, 0, 0, 0])), attribute(13, struct.pack("!I", 600))], error=437, after=0.5)
    return exchange.items


def channel_not_refreshed(folder):
    """The client refreshes its allocation and not the channel: after ten minutes nothing comes back."""
    exchange = Exchange()
    exchange.allocate()
    exchange.bind(PEER)
    bound = exchange.time
    exchange.check(0, nominates=True)
    for turn in range(1, 134):
        seconds = turn * 5
        if seconds % 240 == 0:
            exchange.permit(PEER, after=bound + seconds - 0.5 - exchange.time)
        if seconds % 300 == 0:
            exchange.refresh(after=bound + seconds - 0.3 - exchange.time)
        exchange.check(turn, answered=seconds <= 600, after=bound + seconds - exchange.time)
    return exchange.items


def closed_port(folder):
    """Nothing listens on the server's port: a Binding request and an Allocate are answered by ICMP."""
    exchange = Exchange()
    exchange.client(message(BINDING, 1))
    exchange.items.append(dialogue.unreachable(exchange.items[-1], exchange.time + 0.0003))
    exchange.client(message(ALLOCATE, 2, [attribute(0x19, bytes([17, 0, 0, 0]))]), after=0.05)
    exchange.items.append(dialogue.unreachable(exchange.items[-1], exchange.time + 0.0003))
    return exchange.items


def relayed():
    """A call through a channel, and the time at which the channel was bound."""
    exchange = Exchange()
    exchange.allocate()
    exchange.permit(PEER)
    exchange.bind(PEER)
    bound = exchange.time
    exchange.check(0, nominates=True)
    return exchange, bound


def permission_refused_later(folder):
    """Every refresh of the permission is refused with 400: it expires, and nothing comes back."""
    exchange, bound = relayed()
    for turn in range(1, 76):
        seconds = turn * 5
        if seconds % 120 == 0:
            exchange.permit(PEER, error=400, after=bound + seconds - 0.5 - exchange.time)
        exchange.check(turn, answered=seconds <= 300, after=bound + seconds - exchange.time)
    return exchange.items


def channel_for_a_bound_peer(folder):
    """The client binds another channel to a peer that has one: 400, and it gives up."""
    exchange = Exchange()
    exchange.allocate()
    exchange.bind(PEER)
    for channel in (0x4001, 0x4002):
        exchange.bind(PEER, channel, error=400, after=1)
    exchange.refresh(0, after=5)
    return exchange.items


def stale_nonce_with_401(folder):
    """A stale nonce is refused with 401 instead of 438: the client does not try again with the new nonce, and the
    permission expires."""
    exchange, bound = relayed()
    for turn in range(1, 66):
        seconds = turn * 5
        if seconds in (120, 240):
            fresh = attribute(0x15, b"5c0e77d1b94f%04x" % seconds)
            exchange.ask(
                PERMIT, [mapped(0x12, PEER)], error=401, more=[fresh, attribute(0x14, b"weir.example")],
                after=bound + seconds - 0.5 - exchange.time)
        exchange.check(turn, answered=seconds <= 300, after=bound + seconds - exchange.time)
    return exchange.items


CASES = {
    "turn-forbidden-peer": forbidden_peer,
    "turn-same-port-again": same_port_again,
    "turn-retransmission-refused": retransmission_refused,
    "turn-channel-not-refreshed": channel_not_refreshed,
    "turn-closed-port": closed_port,
    "turn-permission-refused-later": permission_refused_later,
    "turn-channel-for-bound-peer": channel_for_a_bound_peer,
    "turn-stale-nonce-401": stale_nonce_with_401,
}
