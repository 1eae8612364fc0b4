"""Dialogues of RTMP as public bug reports describe them, made from a recorded one."""

import dataclasses
import struct

import dialogue

HANDSHAKE = 3_073
AUDIO, VIDEO, DATA = 8, 9, 18


@dataclasses.dataclass
class Message:
    """A message, and the time of its last octets."""

    at: float
    stream: int
    time: int
    kind: int
    target: int
    body: bytes
    size: int = 0


def parse(items):
    """Returns the messages of a side, whose octets begin behind its handshake."""
    octets, times = b"", []
    for item in items:
        octets += item.data
        times.append((len(octets), item.time))
    place, size, streams, messages = HANDSHAKE, 128, {}, []
    while place < len(octets):
        form, number = octets[place] >> 6, octets[place] & 63
        place += 1
        state = streams.setdefault(number, {"time": 0, "body": b"", "length": 0, "kind": 0, "target": 0, "delta": 0})
        if form < 3:
            delta = int.from_bytes(octets[place : place + 3], "big")
            place += 3
            if form < 2:
                state["length"], state["kind"] = int.from_bytes(octets[place : place + 3], "big"), octets[place + 3]
                place += 4
            if form == 0:
                state["target"] = struct.unpack_from("<I", octets, place)[0]
                place += 4
                state["time"], state["delta"] = delta, 0
            else:
                state["time"], state["delta"] = state["time"] + delta, delta
        elif not state["body"]:
            state["time"] += state["delta"]
        some = min(size, state["length"] - len(state["body"]))
        state["body"] += octets[place : place + some]
        place += some
        if len(state["body"]) < state["length"]:
            continue
        at = next((time for end, time in times if end >= place), times[-1][1])
        messages.append(Message(at, number, state["time"], state["kind"], state["target"], state["body"], size))
        if state["kind"] == 1:
            size = int.from_bytes(state["body"], "big")
        state["body"] = b""
    return messages


def chunks(message, form=0, size=None):
    """Returns a message as chunks, the first of the given type."""
    size = size or message.size
    length = len(message.body).to_bytes(3, "big")
    head = [
        bytes([message.stream]) + message.time.to_bytes(3, "big") + length + bytes([message.kind])
        + struct.pack("<I", message.target),
        bytes([0x40 | message.stream]) + message.time.to_bytes(3, "big") + length + bytes([message.kind]),
        bytes([0x80 | message.stream]) + message.time.to_bytes(3, "big"),
    ][form]
    parts = [message.body[start : start + size] for start in range(0, len(message.body), size)] or [b""]
    return head + bytes([0xC0 | message.stream]).join(parts)


class Publisher:
    """The recorded publisher, or player: its opening, and the messages of both sides."""

    def __init__(self, folder, name="rtmp-publish"):
        self.items = dialogue.read(folder / f"rtmp/{name}.pcap")
        opening = self.items[0]
        self.client, self.server, self.start = opening.source, opening.destination, opening.time
        self.said = parse([item for item in self.items if item.source == self.client and item.act == "data"])
        self.answers = [item for item in self.items if item.source == self.server and item.act == "data"]

    def handshake(self):
        parts, left = [self.items[0]], HANDSHAKE
        for item in self.items:
            if item.source == self.client and item.act == "data" and left > 0:
                parts.append(dataclasses.replace(item, data=item.data[:left]))
                left -= len(item.data)
        return parts

    def handshake_answers(self):
        """S0, S1 and S2."""
        parts, left = [], HANDSHAKE
        for item in self.answers:
            if left > 0:
                parts.append(dataclasses.replace(item, data=item.data[:left]))
                left -= len(item.data)
        return parts

    def octets(self, time, data):
        return dialogue.Item(time, "data", self.client, self.server, data)

    def answer(self, time, data):
        return dialogue.Item(time, "data", self.server, self.client, data)

    def end(self, time, by_server=True, act="fin"):
        first, second = (self.server, self.client) if by_server else (self.client, self.server)
        closing = [dialogue.Item(time, act, first, second)]
        return closing + ([dialogue.Item(time + 0.001, "fin", second, first)] if act == "fin" else [])

    def all(self, change=lambda message: message, until=None, write=chunks):
        """The whole dialogue with changed messages of the client."""
        items = self.handshake()
        for message in self.said:
            message = change(dataclasses.replace(message))
            if message is None or until and message.at > until:
                continue
            items.append(self.octets(message.at, write(message)))
        return items + [item for item in self.answers if not until or item.time <= until]

    def first_parts(self):
        """The segments that carry C0 and C1, without C2."""
        octets, items = 0, []
        for item in self.handshake():
            if octets < 1_537:
                items.append(item)
                octets += len(item.data)
        return items

    @property
    def media(self):
        """The time of the first media message."""
        return next(message.at for message in self.said if message.kind in (AUDIO, VIDEO))


def timestamps_of_24_bits(folder):
    """After 4 h 39 min timestamps exceed 24 bits, and the publisher writes the lower 24 only; the server closes."""
    publisher = Publisher(folder)

    def change(message):
        if message.kind in (AUDIO, VIDEO):
            message.time = (message.time + 0xFFFFFF - 1_500) & 0xFFFFFF
        return message
    wrapped = next(m.at for m in publisher.said if m.kind in (AUDIO, VIDEO) and m.time >= 1_500)
    items = publisher.all(change, until=wrapped + 0.3)
    return items + publisher.end(wrapped + 0.32)


def no_c2(folder):
    """The server's S0, S1 and S2 are acknowledged by TCP, and C2 never comes: the server closes after 30 s."""
    publisher = Publisher(folder)
    return publisher.first_parts() + publisher.handshake_answers() + publisher.end(publisher.start + 30.004)


def answered_in_http(folder):
    """The port is that of a web server, which answers C0 and C1 in HTTP, and closes."""
    publisher = Publisher(folder)
    items = publisher.first_parts()
    asked = items[-1]
    answer = dataclasses.replace(
        asked, time=asked.time + 0.02, source=asked.destination, destination=asked.source,
        data=b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    return items + [answer] + publisher.end(answer.time + 0.001)


def chunk_size_too_large(folder):
    """Set Chunk Size announces 128 MiB: the server's limit is lower, and it closes at once."""
    publisher = Publisher(folder)
    answered = next(message.at for message in publisher.said if message.body[1:].startswith(b"\0\x0dreleaseStream"))
    items = publisher.all(until=answered - 0.0001)
    size = Message(answered, 2, 0, 1, 0, (128 << 20).to_bytes(4, "big"), 128)
    items.append(publisher.octets(size.at, chunks(size)))
    return items + publisher.end(size.at + 0.002)


def control_on_another_stream(folder):
    """Set Chunk Size is sent on chunk stream 4 instead of 2: the server closes, three times."""
    publisher = Publisher(folder)

    def change(message):
        if message.kind == 1:
            message.stream = 4
        return message
    first = next((m.at for m in publisher.said if m.kind == 1), None)
    once = publisher.all(change, until=first)
    once += publisher.end(first + 0.002)
    series = []
    for number in range(3):
        for item in once:
            item = dataclasses.replace(item, time=item.time + 1.1 * number)
            for side in ("source", "destination"):
                host, port = getattr(item, side)
                if port != 1935:
                    setattr(item, side, (host, port + 2 * number))
            series.append(item)
    return series


def chunk_without_former(folder):
    """The first chunk of a stream has type 2, which has neither length nor message type: the server closes."""
    publisher = Publisher(folder)
    video = next(m for m in publisher.said if m.kind == VIDEO)

    def write(message):
        if message.kind == VIDEO and message.at == video.at:
            message.stream = 33
            return chunks(message, form=2)
        return chunks(message)
    items = publisher.all(until=video.at, write=write)
    return items + publisher.end(video.at + 0.003)


def message_too_long(folder):
    """A key frame of 1.4 MB at the start of a scene: more than the server's limit, which closes when it sees the
    length."""
    publisher = Publisher(folder)
    videos = [m for m in publisher.said if m.kind == VIDEO]
    place = videos[len(videos) // 2]
    items = publisher.all(until=place.at - 0.0001)
    large = dataclasses.replace(place, body=place.body[:5] + (1_425_250).to_bytes(4, "big") + bytes(
        (index * 193 + index // 251) & 0xFF for index in range(1_425_250)))
    octets = chunks(large)[:20_000]
    return items + [publisher.octets(place.at, octets)] + publisher.end(place.at + 0.002)


def audio_long_before_video(folder):
    """For two seconds there is audio alone; then the video begins, with timestamps from 0."""
    publisher = Publisher(folder)
    begin = publisher.media

    def change(message):
        if message.kind == VIDEO:
            message.at += 2
        return message
    items = publisher.all(change, until=begin + 3.5)
    return items + publisher.end(begin + 3.52, by_server=False)


def numbers_before_metadata(folder):
    """Two numbers before `@setDataFrame`, where the server expects a string: it closes at once."""
    publisher = Publisher(folder)
    metadata = next(message.at for message in publisher.said if message.kind == DATA)

    def change(message):
        if message.kind == DATA:
            message.body = 2 * (b"\0" + bytes(8)) + message.body
        return message if message.kind not in (AUDIO, VIDEO) else None
    return publisher.all(change, until=metadata) + publisher.end(metadata + 0.001)


def connect_without_application(folder):
    """The application of connect is empty, as the camera's URL has none: the server closes without a response."""
    publisher = Publisher(folder)
    connect, url = publisher.said[0], b"rtmp://10.77.0.2:1935"

    def change(message):
        message.body = message.body.replace(b"\0\x03app\x02\0\x04live", b"\0\x03app\x02\0\0")
        message.body = message.body.replace(b"\x02\0\x1a" + url + b"/live", b"\x02\0\x15" + url)
        return message
    opening = [item for item in publisher.all(change, until=connect.at) if item.source == publisher.client]
    return opening + publisher.handshake_answers() + publisher.end(connect.at + 0.001)


def status_on_stream_0(folder):
    """The response to play has message stream 0, not the one that play had: the player waits, and gives up."""
    player = Publisher(folder, "rtmp-play-gst")
    end, items = player.start + 1, player.all(until=player.start + 1)
    items = [item for item in items if item.source == player.client] + player.handshake_answers()
    for message in parse(player.answers):
        if message.body.startswith(b"\x02\0\x08onStatus"):
            message = dataclasses.replace(message, target=0)
        if message.at < end:
            items.append(player.answer(message.at, chunks(message)))
    return items + player.end(end, by_server=False)


def acknowledgements_that_stay(folder):
    """Each Acknowledgement has the octets since the one before instead of all: the publisher, which has its window
    full, stops sending, and the server closes after 10 s."""
    publisher = Publisher(folder)
    window, each, items, sent, acknowledged = 10_000, 4_021, [], 0, 0
    for item in sorted(publisher.all(), key=lambda item: item.time):
        if item.source == publisher.server or item.act != "data":
            items.append(item)
            continue
        if sent > window + each:
            break
        items.append(item)
        sent += len(item.data)
        if item.data[:1] == b"\x02":
            size = Message(item.time, 2, 0, 5, 0, window.to_bytes(4, "big"), 128)
            items.append(publisher.octets(item.time + 0.00001, chunks(size)))
            sent += len(chunks(size))
        if sent >= acknowledged + each:
            report = Message(item.time, 2, 0, 3, 0, each.to_bytes(4, "big"), 128)
            items.append(publisher.answer(item.time + 0.001, chunks(report)))
            acknowledged += each
    return items + publisher.end(items[-1].time + 10)


CASES = {
    "rtmp-timestamps-24-bit": timestamps_of_24_bits,
    "rtmp-answered-in-http": answered_in_http,
    "rtmp-no-c2": no_c2,
    "rtmp-chunk-size-128m": chunk_size_too_large,
    "rtmp-control-on-stream-4": control_on_another_stream,
    "rtmp-type-2-first": chunk_without_former,
    "rtmp-message-too-long": message_too_long,
    "rtmp-video-late": audio_long_before_video,
    "rtmp-numbers-before-metadata": numbers_before_metadata,
    "rtmp-connect-no-application": connect_without_application,
    "rtmp-status-on-stream-0": status_on_stream_0,
    "rtmp-acknowledgement-same": acknowledgements_that_stay,
}
