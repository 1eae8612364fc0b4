"""Dialogues of RTSP as public bug reports describe them, made from recorded ones."""

import dataclasses
import re
import struct

import dialogue

CLIENT, SERVER = ("10.77.0.1", 52314), ("10.77.0.2", 554)


def base(folder, name):
    return dialogue.messages(dialogue.read(folder / f"rtsp/{name}.pcap"), dialogue.rtsp)


def named(items, word):
    """The index of the first message that contains a text."""
    return next(index for index, item in enumerate(items) if item.act == "data" and word in item.data)


def changed(items, word, change):
    """Changes every message that contains a text."""
    return [
        dataclasses.replace(item, data=change(item.data)) if item.act == "data" and word in item.data else item
        for item in items
    ]


def refused(items, request, response, times=1, pause=0.0):
    """The dialogue up to a request, which is answered with `response`; then the server closes."""
    place = named(items, request)
    head, asked = items[: place + 1], items[place]
    end = asked.time + 0.001
    answer = dialogue.Item(end, "data", asked.destination, asked.source, response)
    once = head + [
        answer,
        dataclasses.replace(answer, act="fin", data=b"", time=end + 0.001),
        dataclasses.replace(asked, act="fin", data=b"", time=end + 0.002),
    ]
    return repeated(once, times, pause)


def repeated(once, times, pause):
    """A connection several times, each from another port of the client."""
    series = []
    for number in range(times):
        for item in once:
            item = dataclasses.replace(item, time=item.time + number * pause)
            for side in ("source", "destination"):
                host, port = getattr(item, side)
                if port > 32_768 and item.act != "udp":
                    setattr(item, side, (host, port + 2 * number))
            series.append(item)
    return series


def left(answer, after=0.004):
    """The end of the connection by the client, some time after a response."""
    first = dataclasses.replace(
        answer, act="fin", data=b"", time=answer.time + after, source=answer.destination, destination=answer.source)
    return [first, dataclasses.replace(answer, act="fin", data=b"", time=answer.time + after + 0.001)]


def video_only(folder, name):
    """The recorded session without its audio, which would add octets and no facts."""
    items = base(folder, name)
    setup = items[named(items, b"stream=0 RTSP/1.0")].data
    ports = {int(port) for port in re.search(rb"client_port=(\d+)-(\d+)", setup).groups()}

    def change(data):
        data = re.sub(rb"CSeq: (\d+)", lambda found: b"CSeq: %d" % (int(found[1]) - (int(found[1]) > 4)), data)
        return re.sub(rb"(RTP-Info: [^,\r]*), [^\r]*", rb"\1", data)
    items = changed(items, b"v=0", lambda data: dialogue.with_body(data, lambda body: body.partition(b"m=audio")[0]))
    kept = [
        item for item in items if b"CSeq: 4\r\n" not in item.data and (
            item.act != "udp" or (item.source if item.source[0] == CLIENT[0] else item.destination)[1] in ports)
    ]
    return changed(kept, b"CSeq: ", change)


def line(data, name, value):
    """Replaces a header field, or removes it."""
    head, mark, body = data.partition(b"\r\n\r\n")
    lines = [
        (name + b": " + value if value is not None else None) if one.lower().startswith(name.lower() + b":") else one
        for one in head.split(b"\r\n")
    ]
    return b"\r\n".join(one for one in lines if one is not None) + mark + body


def setup_without_transport(folder):
    """The response to SETUP has no Transport: the client gives up."""
    items = changed(base(folder, "rtsp-udp"), b"server_port=53858", lambda data: line(data, b"Transport", None))
    place = named(items, b"CSeq: 3\r\nServer")
    answer = items[place]
    end = dataclasses.replace(
        answer, act="fin", data=b"", time=answer.time + 0.004, source=answer.destination, destination=answer.source)
    return items[: place + 1] + [end, dataclasses.replace(answer, act="fin", data=b"", time=answer.time + 0.005)]


def transport_with_garbage(folder):
    """Octets of uninitialised memory before the Transport of SETUP: 400, again every second."""
    items = changed(
        base(folder, "rtsp-udp"), b"SETUP",
        lambda data: data.replace(b"Transport: RTP", b"Transport: \xd0\xae\xf3\x9bRTP"))
    return refused(
        items, b"SETUP rtsp", b"RTSP/1.0 400 Bad Request\r\nCSeq: 3\r\nServer: test\r\n\r\n", times=3, pause=1.2)


def setup_without_channels(folder):
    """SETUP over TCP without `interleaved`: the server insists on it and answers 400."""
    items = changed(
        base(folder, "rtsp-tcp-interleaved"), b"SETUP", lambda data: data.replace(b";interleaved=0-1", b""))
    return refused(items, b"SETUP rtsp", b"RTSP/1.0 400 Bad Request\r\nCSeq: 3\r\nServer: test\r\n\r\n")


def redirect_not_followed(folder):
    """DESCRIBE is answered with 301 and a Location; the client asks for the same URL again, and gives up."""
    items = base(folder, "rtsp-udp")
    place = named(items, b"DESCRIBE rtsp")
    asked = items[place]
    moved = b"RTSP/1.0 301 Moved Permanently\r\nCSeq: %d\r\nLocation: rtsp://10.77.0.2:554/fallback\r\n\r\n"
    answer = dialogue.Item(asked.time + 0.001, "data", asked.destination, asked.source, moved % 2)
    again = dataclasses.replace(asked, time=asked.time + 0.002, data=asked.data.replace(b"CSeq: 2", b"CSeq: 3"))
    end = dataclasses.replace(asked, act="fin", data=b"", time=asked.time + 0.005)
    return items[: place + 1] + [
        answer, again, dataclasses.replace(answer, time=asked.time + 0.003, data=moved % 3), end,
        dataclasses.replace(answer, act="fin", data=b"", time=asked.time + 0.006),
    ]


def setup_of_the_presentation(folder):
    """SETUP for the presentation, without the control URL of the medium: 459."""
    items = changed(
        base(folder, "rtsp-udp"), b"SETUP", lambda data: data.replace(b"live/stream=0", b"live/"))
    return refused(
        items, b"SETUP rtsp",
        b"RTSP/1.0 459 Aggregate Operation Not Allowed\r\nCSeq: 3\r\nServer: test\r\n\r\n")


def stale_frames(folder):
    """Frames of an earlier session, whose connection had the same descriptor, arrive before the responses."""
    items = base(folder, "rtsp-tcp-interleaved")
    start, old = items[0].time, []
    frames = [item for item in items if item.data[:2] == b"$\x00" and item.source[1] == 554]
    for number, frame in enumerate(frames[40:70]):
        octets = bytearray(frame.data)
        octets[12:16] = struct.pack("!I", 0x5A5A0017)
        octets[6:8] = struct.pack("!H", 40_000 + number)
        old.append(dataclasses.replace(frame, time=start + 0.0006 + number * 0.004, data=bytes(octets)))
    return items + old


def frame_cut_short(folder):
    """The server drops the rest of a frame that did not fit into its send buffer, and goes on with the next."""
    items = base(folder, "rtsp-tcp-interleaved")
    frames = [i for i, item in enumerate(items) if item.data[:2] == b"$\x00" and len(item.data) > 150]
    place = frames[len(frames) // 2]
    items[place] = dataclasses.replace(items[place], data=items[place].data[:-57])
    return items


def keepalive_with_old_number(folder):
    """SET_PARAMETER is listed and refused with 400, with the number of the request before; the client leaves."""
    items = base(folder, "rtsp-tcp-interleaved")
    start = items[0].time + 3
    place = next(index for index, item in enumerate(items) if item.time > start)
    request = next(item for item in items if b"TEARDOWN rtsp" in item.data)
    asked = dataclasses.replace(
        request, time=start,
        data=request.data.replace(b"TEARDOWN rtsp://10.77.0.2:554/live/", b"SET_PARAMETER rtsp://10.77.0.2:554/live/"))
    answer = dialogue.Item(
        start + 0.012, "data", request.destination, request.source,
        b"RTSP/1.0 400 Bad Request\r\nCSeq: 5\r\nDate: Sat, 21 Nov 2026 05:05:23 GMT\r\n\r\n")
    end = dataclasses.replace(asked, act="rst", data=b"", time=start + 0.014)
    before = [
        dataclasses.replace(item, data=item.data.replace(b"Session: uNgihRct0htlD.Q-\r\nDate", b"Session: uNgihRct0htlD.Q-;timeout=15\r\nDate"))
        for item in items[:place]
    ]
    return [item for item in before if item.time < start] + [asked, answer, end]


def reports_to_port_zero(folder):
    """The client sends its receiver reports to port 0 instead of the server's port."""
    items = []
    for item in base(folder, "rtsp-udp"):
        if item.act == "udp" and item.destination[1] in (53_859, 34_699):
            item = dataclasses.replace(item, destination=(item.destination[0], 0))
        items.append(item)
    return items


def description_cut(folder):
    """`o=` and `c=` end after the network type."""
    def cut(body):
        return body.replace(b" IN IP4 10.77.0.2\r\n", b" IN\r\n").replace(b"c=IN IP4 0.0.0.0", b"c=IN")
    items = base(folder, "rtsp-udp")
    items = changed(items, b"v=0", lambda data: dialogue.with_body(data, cut))
    place = named(items, b"v=0")
    answer = items[place]
    end = dataclasses.replace(
        answer, act="fin", data=b"", time=answer.time + 0.004, source=answer.destination, destination=answer.source)
    return items[: place + 1] + [end, dataclasses.replace(answer, act="fin", data=b"", time=answer.time + 0.005)]


def description_with_blank_line(folder):
    """An empty line behind the first medium, which ends the description for some parsers; the audio is there twice."""
    def gap(body):
        video, audio = body.split(b"m=audio", 1)
        return video + b"\r\nm=audio" + audio + b"m=audio" + audio
    items = changed(base(folder, "rtsp-udp"), b"v=0", lambda data: dialogue.with_body(data, gap))
    return [item for item in items]


def description_without_last_line_end(folder):
    """The description has no `c=`, and its last line does not end; the client asks again every 5 s, without SETUP."""
    def cut(body):
        lines = [one for one in body.split(b"\r\n") if not re.match(rb"c=|a=(ts-refclk|mediaclk|ssrc):", one)]
        return b"\r\n".join(lines).removesuffix(b"\r\n")
    items = changed(base(folder, "rtsp-udp"), b"v=0", lambda data: dialogue.with_body(data, cut))
    place = named(items, b"v=0")
    return repeated(items[: place + 1] + left(items[place]), 3, 5.0)


def session_with_timeout(folder):
    """The second SETUP repeats the timeout behind the session: 454, and the client gives up."""
    items = changed(base(folder, "rtsp-udp"), b"CSeq: 3\r\nTransport", lambda data: with_timeout(data, 60))
    place = named(items, b"stream=1 RTSP/1.0")
    asked = dataclasses.replace(items[place], data=with_timeout(items[place].data, 60))
    answer = dialogue.Item(
        asked.time + 0.001, "data", asked.destination, asked.source,
        b"RTSP/1.0 454 Session Not Found\r\nCSeq: 4\r\nServer: test\r\n\r\n")
    return items[:place] + [asked, answer] + left(answer)


def with_timeout(data, seconds):
    return re.sub(rb"(Session: [^\r;]*)", rb"\1;timeout=%d" % seconds, data)


def other_client_ports(folder):
    """The response to SETUP has ports of the client that it did not request; media is sent there: port unreachable."""
    recorded = video_only(folder, "rtsp-udp")
    end, items, ports = recorded[0].time + 3, [], {34_368: 8_000, 34_369: 8_001}
    refused_at, spare = recorded[0].time, 6
    for item in recorded:
        item.data = item.data.replace(b"client_port=34368-34369;server", b"client_port=8000-8001;server")
        if item.act == "udp" and item.destination[0] == CLIENT[0]:
            if item.time > end:
                continue
            item.destination = (CLIENT[0], ports[item.destination[1]])
            # Hosts limit the rate of these responses: some at once, then one per second.
            if spare or item.time > refused_at + 1:
                items.append(dialogue.unreachable(item, item.time + 0.0001))
                refused_at, spare = item.time, max(spare - 1, 0)
        elif item.time > end:
            item.time -= 2.4
        items.append(item)
    return items


def keepalive_after_timeout(folder):
    """The session expires after 10 s, and the client, which sends a keep-alive every 30 s, has not sent one: the server
    stops sending, and closes."""
    recorded = changed(
        video_only(folder, "rtsp-udp"), b"v=0",
        lambda data: dialogue.with_body(data, lambda body: body.replace(b"a=framerate:10", b"a=framerate:2.5")))
    start, slower, items = recorded[0].time, 4, []
    rtptime = int(re.search(rb"rtptime=(\d+)", recorded[named(recorded, b"rtptime=")].data)[1])

    def moved(octets, place):
        value = (struct.unpack_from("!I", octets, place)[0] - rtptime) * slower + rtptime
        struct.pack_into("!I", octets, place, value & 0xFFFFFFFF)
    for item in recorded:
        if item.data.startswith(b"RTSP/1.0 200 OK\r\nCSeq: 3"):
            item.data = with_timeout(item.data, 10)
        if item.act == "udp" and item.source[1] in (53_858, 53_859):
            # Pictures at longer intervals: the media of 10 s stays small.
            octets, time = bytearray(item.data), start + (item.time - start) * slower
            if octets[1] == 200:
                moved(octets, 16)
                seconds, fraction = struct.unpack_from("!II", octets, 8)
                clock = (seconds << 32 | fraction) + int((time - item.time) * 2 ** 32)
                struct.pack_into("!II", octets, 8, clock >> 32, clock & 0xFFFFFFFF)
            else:
                moved(octets, 4)
            item.time, item.data = time, bytes(octets)
        items.append(item)
    played = items[named(items, b"rtptime=")]
    end = played.time + 10.02
    kept = [item for item in items if item.time <= played.time or item.act == "udp" and item.time < end]
    closing = dataclasses.replace(played, act="fin", data=b"", time=end)
    return kept + [closing, dataclasses.replace(
        closing, time=end + 0.001, source=closing.destination, destination=closing.source)]


def answered_in_http(folder):
    """The port is that of a web server: OPTIONS is answered in HTTP, and the connection closed."""
    return refused(
        base(folder, "rtsp-udp"), b"OPTIONS rtsp",
        b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


def other_channels(folder):
    """The server sends all media on channels 8 to 11 instead of those that it assigned."""
    return [
        dataclasses.replace(item, data=b"$" + bytes([item.data[1] + 8]) + item.data[2:])
        if item.data[:1] == b"$" and item.source[1] == 554 else item
        for item in base(folder, "rtsp-tcp-interleaved")
    ]


def tcp_after_udp(folder):
    """No media arrives over UDP; after 5 s the client sends PAUSE, and sets up the same media over TCP on the same
    connection, without a session: the server begins another one."""
    first, second = base(folder, "rtsp-udp"), base(folder, "rtsp-tcp-interleaved")
    described = first[named(first, b"v=0")]
    described.data = second[named(second, b"v=0")].data
    accepted = first[named(first, b"rtptime=")]
    # The reports of the client show that datagrams are captured.
    head = [
        item for item in first
        if (item.time < accepted.time + 5 and item.source[0] == CLIENT[0] if item.act == "udp"
            else item.time <= accepted.time)
    ]
    request = first[named(first, b"PLAY rtsp")]
    pause = dataclasses.replace(
        request, time=accepted.time + 5, data=line(request.data, b"Range", None).replace(
            b"PLAY rtsp", b"PAUSE rtsp").replace(b"CSeq: 5", b"CSeq: 6"))
    paused = dataclasses.replace(
        pause, time=pause.time + 0.001, source=pause.destination, destination=pause.source,
        data=b"RTSP/1.0 200 OK\r\nCSeq: 6\r\nServer: test\r\n\r\n")
    begin = second[named(second, b"SETUP rtsp")].time
    ports = {second[0].source[1]: head[0].source[1]}
    again = []
    for item in second:
        if item.time < begin:
            continue
        data = item.data
        if data[:1] != b"$":
            data = re.sub(rb"CSeq: (\d+)", lambda found: b"CSeq: %d" % (int(found[1]) + 4), data)
        again.append(dataclasses.replace(
            item, time=item.time - begin + paused.time + 0.001, data=data,
            source=(item.source[0], ports.get(item.source[1], item.source[1])),
            destination=(item.destination[0], ports.get(item.destination[1], item.destination[1]))))
    end = paused.time + 2.5
    kept = [item for item in again if item.time < end or b"TEARDOWN" in item.data or item.act != "data"]
    return head + [pause, paused] + [
        item if item.time < end else dataclasses.replace(item, time=item.time - again[-1].time + end + 0.1)
        for item in kept
    ]


def keepalive_with_stale_nonce(folder):
    """The session expires after 3 s. The keep-alive has the nonce of the beginning, which is no longer valid: 401 with a
    new one, which the client does not use, and the server closes when the time is over."""
    items = [
        dataclasses.replace(item, data=with_timeout(item.data, 3)) if b"server_port=" in item.data else item
        for item in base(folder, "rtsp-digest")
    ]
    request = items[named(items, b"PLAY rtsp")]
    asked = dataclasses.replace(
        request, time=request.time + 2, data=line(request.data, b"Range", None).replace(
            b"PLAY rtsp", b"GET_PARAMETER rtsp").replace(b"CSeq: 5", b"CSeq: 6"))
    realm = re.search(rb'realm="[^"]*"', request.data)[0]
    answer = dataclasses.replace(
        asked, time=asked.time + 0.001, source=asked.destination, destination=asked.source,
        data=b"RTSP/1.0 401 Unauthorized\r\nCSeq: 6\r\nWWW-Authenticate: Digest " + realm
        + b', nonce="57a3f0d2b1c84e6f", stale=TRUE\r\n\r\n')
    end = request.time + 3.1
    kept = [item for item in items if item.time < end and (item.act == "udp" or item.time <= request.time + 0.1)]
    return kept + [
        asked, answer, dataclasses.replace(answer, act="fin", data=b"", time=end),
        dataclasses.replace(asked, act="fin", data=b"", time=end + 0.001),
    ]


CASES = {
    "rtsp-setup-without-transport": setup_without_transport,
    "rtsp-transport-garbage": transport_with_garbage,
    "rtsp-setup-without-channels": setup_without_channels,
    "rtsp-redirect-not-followed": redirect_not_followed,
    "rtsp-setup-of-presentation": setup_of_the_presentation,
    "rtsp-stale-frames": stale_frames,
    "rtsp-frame-cut-short": frame_cut_short,
    "rtsp-keepalive-old-cseq": keepalive_with_old_number,
    "rtsp-reports-to-port-zero": reports_to_port_zero,
    "rtsp-sdp-cut": description_cut,
    "rtsp-sdp-blank-line": description_with_blank_line,
    "rtsp-sdp-last-line-open": description_without_last_line_end,
    "rtsp-session-with-timeout": session_with_timeout,
    "rtsp-other-client-ports": other_client_ports,
    "rtsp-keepalive-after-timeout": keepalive_after_timeout,
    "rtsp-answered-in-http": answered_in_http,
    "rtsp-other-channels": other_channels,
    "rtsp-tcp-after-udp": tcp_after_udp,
    "rtsp-keepalive-stale-nonce": keepalive_with_stale_nonce,
}
