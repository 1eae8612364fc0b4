"""Calls of WebRTC as public bug reports describe them, made from recorded ones."""

import dataclasses
import hashlib
import re
import struct

import dialogue
from reported_turn import BINDING, attribute, mapped, message

CALLER, CALLEE = ("10.77.0.1", 54_145), ("10.77.0.2", 57_347)
OFFERED, ANSWERED = b"O7WRdz7xmD4unPsEiIbRJI", b"dF7PufpQzJHmIYcL2wFOq2"
DESCRIPTIONS = 4  # opening, offer, answer


def line(octets):
    end = octets.find(b"\n")
    return end + 1 if end >= 0 else 0


def base(folder):
    return dialogue.messages(dialogue.read(folder / "webrtc/webrtc-call.pcap"), line)


def signaled(folder, change=lambda answer: answer):
    """The opening, the offer and a changed answer."""
    items = [item for item in base(folder) if item.act in ("open", "data")][:3]
    items[2] = dataclasses.replace(items[2], data=change(items[2].data))
    return items


def given_up(items, seconds):
    """The caller says bye after a while, and closes."""
    offer, answer = items[1], items[2]
    end = answer.time + seconds
    return [
        dataclasses.replace(offer, time=end, data=b'{"type": "bye"}\n'),
        dataclasses.replace(offer, act="fin", data=b"", time=end + 0.002),
        dataclasses.replace(answer, act="fin", data=b"", time=end + 0.004),
    ]


def check(time, number, is_callers, fragments, password, role=None, nominates=False):
    role = role or (0x802A if is_callers else 0x8029)
    attributes = [
        attribute(6, fragments), attribute(0x24, struct.pack("!I", 0x6E7F00FF)),
        attribute(role, b"\x13\x57\x9b\xdf\x02\x46\x8a\xce" if is_callers else b"\xfd\xb9\x75\x31\xec\xa8\x64\x20"),
    ] + ([attribute(0x25, b"")] if nominates else [])
    source, destination = (CALLER, CALLEE) if is_callers else (CALLEE, CALLER)
    return dialogue.Item(time, "udp", source, destination, message(BINDING, number, attributes, password))


def response(item, number, password, error=None):
    """The answer to a check."""
    said = [attribute(9, bytes([0, 0, error // 100, error % 100]))] if error else [mapped(0x20, item.source)]
    kind = 0x110 if error else 0x100
    data = message(BINDING | kind, number, said, None if error == 401 else password)
    return dialogue.Item(item.time + 0.001, "udp", item.destination, item.source, data)


def in_vain(items, seconds=(0.05, 0.55, 1.55, 3.55)):
    """Checks of the callee that the caller, which has no remote description, does not answer."""
    return [
        check(items[2].time + wait, f"vain {index}", False, b"wAeP:VJGV", OFFERED)
        for index, wait in enumerate(seconds)
    ]


def answer_actpass(folder):
    """The answer leaves the DTLS roles open: the caller does not accept it."""
    items = signaled(folder, lambda answer: answer.replace(b"a=setup:active", b"a=setup:actpass"))
    return items + in_vain(items) + given_up(items, 5)


def answer_without_section(folder):
    """The answer has no section for the video, and bundles it nevertheless."""
    def change(answer):
        head, _ = answer.split(b"m=video", 1)
        return head + b'"}\n'
    items = signaled(folder, change)
    return items + in_vain(items) + given_up(items, 5)


def answer_in_other_order(folder):
    """The answer has the video first, the offer the audio."""
    def change(answer):
        head, audio = answer.split(b"m=audio", 1)
        audio, video = audio.split(b"m=video", 1)
        video, _, tail = video.rpartition(b'"}')
        return head + b"m=video" + video + b"m=audio" + audio + b'"}' + tail
    items = signaled(folder, change)
    return items + in_vain(items) + given_up(items, 5)


def answer_without_multiplexing(folder):
    """The answer does not multiplex RTCP, which the caller requires."""
    items = signaled(folder, lambda answer: answer.replace(b"a=rtcp-mux\\r\\n", b""))
    return items + in_vain(items) + given_up(items, 5)


def checks_refused(folder):
    """The callee signs with the password of an earlier call: 401 each time."""
    items = signaled(folder)
    start, checks = items[2].time + 0.05, []
    for index in range(8):
        asked = check(start + index * 0.7, f"old {index}", False, b"wAeP:VJGV", b"passwordOfAnotherCall0")
        checks += [asked, response(asked, f"old {index}", OFFERED, error=401)]
    return items + checks + given_up(items, 7)


def both_controlling(folder):
    """Both agents control, and neither yields: 487 again and again."""
    items = signaled(folder)
    start, checks = items[2].time + 0.05, []
    for index in range(8):
        for is_callers, fragments, password in ((True, b"VJGV:wAeP", ANSWERED), (False, b"wAeP:VJGV", OFFERED)):
            name = f"role {index} {is_callers}"
            asked = check(start + index * 0.7 + 0.02 * is_callers, name, is_callers, fragments, password, 0x802A)
            checks += [asked, response(asked, name, password, error=487)]
    return items + checks + given_up(items, 7)


def fragment_of_former_answer(folder):
    """The callee answers twice, and the caller checks with the credentials of the first answer: no response."""
    def first(answer):
        return answer.replace(b"ice-ufrag:VJGV", b"ice-ufrag:QZmd").replace(ANSWERED, b"kSbVd83nXo2LpTqYwMeRi0")
    items = signaled(folder, first)
    second = signaled(folder)[2]
    items.append(dataclasses.replace(second, time=items[2].time + 0.02))
    start, checks = items[3].time + 0.05, []
    for index in range(8):
        checks.append(check(start + index * 0.7, f"first {index}", True, b"QZmd:wAeP", b"kSbVd83nXo2LpTqYwMeRi0"))
        asked = check(start + index * 0.7 + 0.1, f"second {index}", False, b"wAeP:VJGV", OFFERED)
        checks += [asked, response(asked, f"second {index}", OFFERED)]
    return items + checks + given_up(items, 7)


def connected(folder):
    """The descriptions and successful checks; the time after them."""
    items = [item for item in base(folder) if item.act in ("open", "data", "udp")]
    place = next(index for index, item in enumerate(items) if item.act == "udp" and item.data[0] == 22)
    return items[:place], items[place], items[place + 1]


def record(kind, sequence, body):
    return bytes([kind]) + b"\xfe\xfd" + struct.pack("!HHIH", 0, 0, sequence, len(body)) + body


def handshake(kind, number, body):
    length = len(body).to_bytes(3, "big")
    return bytes([kind]) + length + struct.pack("!H", number) + bytes(3) + length + body


def flight_too_long(folder):
    """The certificate is sent in a datagram longer than the MTU, whose fragments are lost on the way."""
    items, hello, answer = connected(folder)
    certificate = bytes((index * 151 + index // 97) & 0xFF for index in range(2_997))
    chain = (3_000).to_bytes(3, "big") + (2_997).to_bytes(3, "big") + certificate
    digest = hashlib.sha256(certificate).hexdigest().upper()
    pairs = ":".join(digest[place : place + 2] for place in range(0, 64, 2)).encode()
    offer = re.sub(rb"a=fingerprint:sha-(384|512) [0-9A-F:]+\\r\\n", b"", items[1].data)
    offer = re.sub(rb"(a=fingerprint:sha-256) [0-9A-F:]+", rb"\1 " + pairs, offer)
    items[1] = dataclasses.replace(items[1], data=offer)
    first = answer.data[: 13 + struct.unpack_from("!H", answer.data, 11)[0]]
    sequence = 1
    for wait in (0, 1, 3, 7, 15):
        octets = bytearray(hello.data)
        struct.pack_into("!I", octets, 7, wait)
        items.append(dataclasses.replace(hello, time=hello.time + wait, data=bytes(octets)))
        sent = bytearray(first)
        struct.pack_into("!I", sent, 7, sequence)
        flight = bytes(sent) + record(22, sequence + 1, handshake(11, 1, chain)) + record(
            22, sequence + 2, handshake(14, 2, b""))
        sequence += 3
        items.append(dataclasses.replace(answer, time=hello.time + wait + 0.01, data=flight))
    return consent(items, hello.time, 16) + given_up(items[:3], 20)


def first_fragments(folder):
    """The same, captured at the receiver: only the first fragment of each datagram arrives."""
    writer, items = dialogue.Writer(), []
    writer.identification = 0x6400
    for item in flight_too_long(folder):
        if item.act == "udp" and len(item.data) > dialogue.MTU:
            header = struct.pack("!HHHH", item.source[1], item.destination[1], 8 + len(item.data), 0)
            packet = writer.ip(item.source[0], item.destination[0], 17, header + item.data)
            item = dataclasses.replace(item, act="raw", data=writer.fragments(packet)[0])
        items.append(item)
    return items


def consent(items, start, seconds):
    """Checks of both sides every 2.5 s."""
    result = list(items)
    for index in range(int(seconds / 2.5)):
        for is_callers, fragments, password in ((True, b"VJGV:wAeP", ANSWERED), (False, b"wAeP:VJGV", OFFERED)):
            name = f"consent {index} {is_callers}"
            asked = check(start + 2.5 * (index + 1) + 0.3 * is_callers, name, is_callers, fragments, password)
            result += [asked, response(asked, name, password)]
    return result


def cookie_ignored(folder):
    """The server asks for a cookie, and ignores every ClientHello that contains it."""
    items, hello, answer = connected(folder)
    cookie = bytes(range(20))
    asked = record(22, 0, handshake(3, 0, b"\xfe\xff" + bytes([len(cookie)]) + cookie))
    items += [hello, dataclasses.replace(answer, data=asked, time=hello.time + 0.004)]
    body = hello.data[25:]
    place = 34 + 1 + body[34]
    body = body[:place] + bytes([len(cookie)]) + cookie + body[place + 1 :]
    for index, wait in enumerate((0.006, 1.006, 3.006, 7.006, 15.006)):
        octets = bytearray(record(22, index + 1, handshake(1, 1, body)))
        octets[1:3] = hello.data[1:3]
        items.append(dataclasses.replace(hello, time=hello.time + wait, data=bytes(octets)))
    return consent(items, hello.time, 16) + given_up(items[:3], 20)


def records(octets):
    """The records of a datagram: type, epoch, number and body."""
    place = 0
    while place < len(octets):
        epoch, length = (struct.unpack_from("!H", octets, place + offset)[0] for offset in (3, 11))
        number = int.from_bytes(octets[place + 5 : place + 11], "big")
        yield octets[place], epoch, number, octets[place + 13 : place + 13 + length]
        place += 13 + length


def later(item, wait, records_before):
    """A datagram that is retransmitted, or follows retransmissions: records without encryption have higher numbers."""
    octets, place = bytearray(item.data), 0
    for _, epoch, number, body in records(item.data):
        if epoch == 0:
            octets[place + 5 : place + 11] = (number + records_before).to_bytes(6, "big")
        place += 13 + len(body)
    return dataclasses.replace(item, time=item.time + wait, data=bytes(octets))


def answer_to_another_port(folder):
    """ServerHello goes to the port of another candidate for 1.5 s, until the fifth repetition of ClientHello."""
    all_items = [item for item in base(folder) if item.act in ("open", "data", "udp")]
    items, hello, answer = connected(folder)
    place, start = all_items.index(hello) + 2, hello.time
    other = (CALLEE[0], CALLEE[1] + 1)
    candidate = rb"a=candidate:3c1f0a9be2d84475a6710e5d92b8c4f3 1 udp 2130705919 10.77.0.2 %d typ host\r\n" % other[1]
    items[2] = dataclasses.replace(
        items[2], data=items[2].data.replace(rb"a=end-of-candidates\r\n", candidate + rb"a=end-of-candidates\r\n"))
    asked = check(items[3].time + 0.002, "other", True, b"VJGV:wAeP", ANSWERED)
    asked = dataclasses.replace(asked, destination=other)
    items += [asked, response(asked, "other", ANSWERED)]
    size, waits = len(list(records(answer.data))), (0, 0.05, 0.15, 0.35, 0.75, 1.55)
    for index, wait in enumerate(waits):
        items.append(later(hello, wait, index))
        sent = later(answer, wait, index * size)
        items.append(sent if wait == waits[-1] else dataclasses.replace(sent, destination=other))
    rest = [item for item in all_items[place:] if item.act == "udp" and item.time < start + 0.4]
    for item in rest:
        moved = dataclasses.replace(item, time=item.time + waits[-1])
        if 20 <= item.data[0] <= 63:
            moved = later(item, waits[-1], (len(waits) - 1) * (1 if item.source == CALLEE else size))
        items.append(moved)
    return items + given_up(items[:3], rest[-1].time + waits[-1] - items[2].time + 0.01)


def no_hello_after_the_conflict(folder):
    """The callee, which is to send ClientHello, controls at first and gets 487; it yields, the checks succeed, and no
    ClientHello follows."""
    items = signaled(folder)
    start = items[2].time + 0.01
    conflict = check(start, "conflict", False, b"wAeP:VJGV", OFFERED, 0x802A, nominates=True)
    yielded = check(start + 0.02, "yielded", False, b"wAeP:VJGV", OFFERED)
    chosen = check(start + 0.04, "chosen", True, b"VJGV:wAeP", ANSWERED, nominates=True)
    items += [
        conflict, response(conflict, "conflict", OFFERED, error=487), yielded, response(yielded, "yielded", OFFERED),
        chosen, response(chosen, "chosen", ANSWERED),
    ]
    return consent(items, start, 16) + given_up(items[:3], 18)


def flight_in_other_fragments(folder):
    """A datagram of the server's flight is lost; retransmitted, the certificate has other fragments, which the client
    does not assemble: it repeats ClientHello."""
    items, hello, answer = connected(folder)
    messages = {}
    for _, _, _, body in records(answer.data):
        key = (struct.unpack_from("!H", body, 4)[0], body[0])
        messages[key] = messages.get(key, b"") + body[12:]
    datagrams, number = fragmented(messages, 0, is_packed=True)
    # The second does not reach the capture, which was made at the client.
    for index, datagram in enumerate(datagrams):
        if index != 1:
            items.append(dataclasses.replace(answer, time=answer.time + index * 0.0001, data=datagram))
    items.append(hello)
    for index, wait in enumerate((1, 3, 7, 15)):
        items.append(later(hello, wait, index + 1))
        datagrams, number = fragmented(messages, number, is_packed=False)
        for place, datagram in enumerate(datagrams):
            items.append(dataclasses.replace(answer, time=answer.time + wait + place * 0.0001, data=datagram))
    return consent(items, hello.time, 16) + given_up(items[:3], 18)


def fragmented(messages, number, is_packed, limit=256):
    """Handshake messages in datagrams of up to `limit` octets, which they may share; the number of the next record."""
    datagrams, current = [], b""
    for (sequence, kind), body in messages.items():
        place = 0
        while place < max(len(body), 1):
            room = limit - len(current) - 25
            if room <= 0 or current and not is_packed:
                datagrams.append(current)
                current, room = b"", limit - 25
            part = body[place : place + room]
            fragment = bytes([kind]) + len(body).to_bytes(3, "big") + struct.pack("!H", sequence)
            fragment += place.to_bytes(3, "big") + len(part).to_bytes(3, "big") + part
            current += record(22, number, fragment)
            number, place = number + 1, place + max(len(part), 1)
    return datagrams + [current], number


def fingerprint_with_sha_1(folder):
    """The answer has a fingerprint of SHA-1 alone, which the caller does not support: it ends the call at once."""
    def change(answer):
        answer = re.sub(rb"a=fingerprint:sha-(384|512) [0-9A-F:]+\\r\\n", b"", answer)
        return re.sub(rb"(a=fingerprint:sha-)256 ((?:[0-9A-F]{2}:){19}[0-9A-F]{2})[0-9A-F:]*", rb"\g<1>1 \2", answer)
    items = signaled(folder, change)
    return items + in_vain(items, (0.004,)) + given_up(items, 0.006)


def whip(folder):
    """The recorded publication, without the redirection, for 1.2 s of media."""
    items = dialogue.messages(dialogue.read(folder / "webrtc/whip.pcap"), dialogue.http)
    items = [item for item in items if b"/moved" not in item.data and b"307 Temp" not in item.data]
    start = items[0].time
    kept = [item for item in items if item.act != "udp" or item.time < start + 1.3]
    return [
        dataclasses.replace(item, time=item.time - 0.8) if item.time > start + 2 else item for item in kept
    ]


def relative_location(folder):
    """Location is relative to the endpoint; the client takes it as relative to the host, and DELETE gets 404."""
    items = []
    for item in whip(folder):
        data = item.data
        data = data.replace(b"POST /whip", b"POST /live/cam/whip")
        data = data.replace(b"Location: /resource/0001", b"Location: whip/0001")
        data = data.replace(b"PATCH /resource/0001", b"PATCH /live/cam/whip/0001")
        data = data.replace(b"DELETE /resource/0001", b"DELETE /whip/0001")
        if data.startswith(b"HTTP/1.1 200 OK"):
            data = data.replace(b"200 OK", b"404 Not Found")
        items.append(dataclasses.replace(item, data=data))
    return items


def no_location(folder):
    """201 without Location: the client has nothing to end the session with, and gives up."""
    items = whip(folder)
    place = next(index for index, item in enumerate(items) if b"201 Created" in item.data)
    created = dataclasses.replace(items[place], data=items[place].data.replace(b"Location: /resource/0001\r\n", b""))
    checks = [item for item in items[place:] if item.act == "udp" and item.data[:2] == b"\x00\x01"][:1]
    again = [
        dataclasses.replace(item, time=item.time + wait) for item in checks if item.source[0] == "10.77.0.2"
        for wait in (0, 0.5, 1.5, 3.5)
    ]
    end = created.time + 0.01
    close = dataclasses.replace(
        created, act="fin", data=b"", time=end, source=created.destination, destination=created.source)
    return items[:place] + [created, close, dataclasses.replace(created, act="fin", data=b"", time=end + 0.001)] + again


CASES = {
    "call-answer-actpass": answer_actpass,
    "call-answer-lacks-section": answer_without_section,
    "call-answer-other-order": answer_in_other_order,
    "call-answer-no-rtcp-mux": answer_without_multiplexing,
    "call-checks-401": checks_refused,
    "call-both-controlling": both_controlling,
    "call-former-fragment": fragment_of_former_answer,
    "call-dtls-too-long": flight_too_long,
    "call-dtls-first-fragments": first_fragments,
    "call-dtls-cookie-ignored": cookie_ignored,
    "call-dtls-other-port": answer_to_another_port,
    "call-dtls-not-begun": no_hello_after_the_conflict,
    "call-dtls-other-fragments": flight_in_other_fragments,
    "call-fingerprint-sha-1": fingerprint_with_sha_1,
    "whip-relative-location": relative_location,
    "whip-no-location": no_location,
}
