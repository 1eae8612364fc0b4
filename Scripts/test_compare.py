"""Tests of Scripts/compare: every difference between weir and tshark is found, and only listed ones are accepted.

Run with `python3 -m unittest discover -s Scripts`. Both sides are recorded, small and complete: an interleaved session
with SDP, two RTP streams in one SSRC, RTCP over UDP, and RTMP with headers of several types. Each test changes one
fact on one side.
"""
import collections
import contextlib
import copy
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import textwrap
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from comparison import differences, known, telling, tshark, weir  # noqa: E402
from comparison.messages import Findings, RTCPPacket, RTPStream, RTSPMessage  # noqa: E402
from comparison.sequences import SequenceCount  # noqa: E402

CLIENT, SERVER = "192.0.2.1:5000", "192.0.2.2:554"
BROWSER, WEB_SERVER = "192.0.2.1:5200", "192.0.2.2:8080"
PUBLISHER, RTMP_SERVER = "192.0.2.1:5100", "192.0.2.2:1935"


def tsv(frame, protocols, source, destination, transport, **values):
    """One line of `tshark -T fields`, with the columns of tshark.FIELDS."""
    value = {"frame.number": str(frame), "frame.protocols": protocols, "ip.id": "0x0000", **values}
    value["ip.src"], source_port = source.split(":")
    value["ip.dst"], destination_port = destination.split(":")
    value[f"{transport}.srcport"], value[f"{transport}.dstport"] = source_port, destination_port
    return "\t".join(value.get(name, "") for name in tshark.FIELDS)


def request_packet(frame, source, destination, what):
    column = "rtsp.status" if what.isdigit() else "rtsp.method"
    return tsv(frame, "eth:ethertype:ip:tcp:rtsp", source, destination, "tcp", **{column: what})


PACKETS = "\n".join([
    request_packet(4, CLIENT, SERVER, "DESCRIBE"),
    request_packet(6, SERVER, CLIENT, "200"),
    request_packet(8, CLIENT, SERVER, "PLAY"),
    tsv(10, "eth:ethertype:ip:tcp:rtsp:rtp:rtp", SERVER, CLIENT, "tcp",
        **{"rtsp.channel": "0x00,0x02", "rtp.ssrc": "0x0badcafe,0x0badcafe", "rtp.seq": "65535,7"}),
    tsv(11, "eth:ethertype:ip:tcp:rtsp:rtp", SERVER, CLIENT, "tcp",
        **{"rtsp.channel": "0x00", "rtp.ssrc": "0x0badcafe", "rtp.seq": "1"}),
    tsv(12, "eth:ethertype:ip:udp:rtcp", "192.0.2.2:6001", "192.0.2.1:7001", "udp", **{"rtcp.pt": "200,202"}),
    tsv(13, "eth:ethertype:ip:udp:rtp", "192.0.2.2:6000", "192.0.2.1:7000", "udp",
        **{"rtp.ssrc": "0x00000001", "rtp.seq": "100", "ip.id": "0x0001"}),
    tsv(14, "eth:ethertype:ip:udp:rtp", "192.0.2.2:6000", "192.0.2.1:7000", "udp",
        **{"rtp.ssrc": "0x00000001", "rtp.seq": "100", "ip.id": "0x0001"}),
    tsv(15, "eth:ethertype:ip:icmp:ip:udp:rtp", "192.0.2.1:7000", "192.0.2.2:6000", "udp",
        **{"rtp.ssrc": "0x00000001", "rtp.seq": "100"}),
    tsv(20, "eth:ethertype:ip:tcp:rtmpt", PUBLISHER, RTMP_SERVER, "tcp",
        **{"rtmpt.handshake.c0": "03", "rtmpt.handshake.c1": "00"}),
    tsv(21, "eth:ethertype:ip:tcp:rtmpt", PUBLISHER, RTMP_SERVER, "tcp", **{"rtmpt.header.csid": "3"}),
    tsv(22, "eth:ethertype:ip:tcp:rtmpt:rtmpt:rtmpt", PUBLISHER, RTMP_SERVER, "tcp",
        **{"rtmpt.header.csid": "6,6,4"}),
    *(tsv(frame, "eth:ethertype:ip:tcp:http", *ends, "tcp") for frame, ends in
      ((30, (BROWSER, WEB_SERVER)), (31, (WEB_SERVER, BROWSER)), (32, (BROWSER, WEB_SERVER)),
       (33, (BROWSER, WEB_SERVER)), (34, (WEB_SERVER, BROWSER)))),
    tsv(40, "eth:ethertype:ip:udp:stun", "192.0.2.1:7002", "192.0.2.2:6002", "udp"),
    tsv(41, "eth:ethertype:ip:udp:dtls", "192.0.2.1:7002", "192.0.2.2:6002", "udp"),
])
STATISTICS = """
========================= RTP Streams ========================
   Start time      End time     Src IP addr  Port    Dest IP addr  Port       SSRC          Payload  Pkts         Lost
     0.100000     0.200000       192.0.2.2  554      192.0.2.1  5000 0x0BADCAFE g711A, RTPType-96  3   60 (95.2%)  1 2
     0.300000     0.300000       192.0.2.2  6000      192.0.2.1  7000 0x00000001  RTPType-96  2    -1 (-100.0%)  1 2
==============================================================
"""


def pdml_packet(frame, *protos):
    return (f'<packet><proto name="geninfo"><field name="num" show="{frame}"/></proto>'
            f'<proto name="ip"><field name="filtered" value="ip"/></proto>{"".join(protos)}</packet>')


def pdml_message(name, what, cseq, more="", inner=""):
    return (f'<proto name="rtsp"><field name="rtsp.{name}" show="…"><field name="rtsp.'
            f'{"method" if name == "request" else "status"}" show="{what}"/>{more}</field>'
            f'<field name="" show="CSeq: {cseq}\\r\\n"/>{inner}</proto>')


def pdml_rtmp(title, header, body=""):
    fields = "".join(f'<field name="rtmpt.header.{name}" show="{value}"/>' for name, value in header.items())
    return (f'<proto name="rtmpt" showname="Real Time Messaging Protocol ({title})"><field show="RTMP Header">{fields}'
            f'</field>{body}</proto>')


def pdml_websocket(fin, opcode, length, more=""):
    return (f'<proto name="websocket"><field name="websocket.fin" show="{fin}"/><field name="websocket.opcode" '
            f'show="{opcode}"/><field name="websocket.payload_length" show="{min(length, 126)}"/>'
            + (f'<field name="websocket.payload_length_ext_16" show="{length}"/>' if length > 125 else "") + more + "</proto>")


PDML = "<pdml>" + "".join([
    pdml_packet(4, pdml_message("request", "DESCRIBE", 1, '<field name="rtsp.url" show="rtsp://h/a"/>')),
    pdml_packet(6, pdml_message("response", "200", 1, "", '<field name="rtsp.content-length" show="99"/>'
                                '<proto name="sdp"><field name="sdp.media" show="video 0 RTP/AVP 96 97"/>'
                                '<field name="sdp.media" show="audio 0 RTP/AVP 8"/></proto>')),
    pdml_packet(8, pdml_message("request", "PLAY", 2, '<field name="rtsp.url" show="rtsp://h/a/"/>',
                                '<field name="rtsp.session" show="ab12;timeout=60"/>')),
    pdml_packet(10, *(f'<proto name="rtsp"><field name="rtsp.channel" show="0x0{channel}"/></proto><proto name="rtp"/>'
                      for channel in (0, 2))),
    pdml_packet(20, '<proto name="rtmpt"><field show="Handshake C0+C1"><field name="rtmpt.handshake.c0" show="03"/>'
                    '<field name="rtmpt.handshake.c1" show="00"/></field></proto>'),
    pdml_packet(21, pdml_rtmp("AMF0 Command connect('live')", {"csid": 3, "timestamp": 0, "bodysize": 99,
                              "typeid": "0x14", "streamid": 0}, '<field show="RTMP Body"><field><field '
                              'name="amf.string" show="connect"/></field><field><field name="amf.number" show="1"/></field></field>')),
    pdml_packet(22, pdml_rtmp("Video Data", {"csid": 6, "timestamp": 0xFFFFFF, "ets": 0x1000000, "bodysize": 500,
                                             "typeid": "0x09", "streamid": 1}),
                pdml_rtmp("Video Data", {"csid": 6, "timestamp": 0x1000028, "bodysize": 50, "typeid": "0x09"}),
                pdml_rtmp("Audio Data", {"csid": 4})),
    pdml_packet(30, '<proto name="http"><field name="http.request.method" show="GET"/><field name="http.request.uri" '
                    'show="/talk"/></proto>'),
    pdml_packet(31, '<proto name="http"><field name="http.response.code" show="101"/></proto>'),
    pdml_packet(32, pdml_websocket(0, 1, 5), pdml_websocket("True", 9, 0)),
    pdml_packet(33, pdml_websocket(1, 0, 300)),
    pdml_packet(34, pdml_websocket(1, 8, 2, '<field name="websocket.payload.close.status_code" show="1000"/>')),
    pdml_packet(40, '<proto name="stun"><field name="stun.type" show="0x0101"/><field name="stun.id" show="00:01:02:03:04:05:'
                    '06:07:08:09:0a:0b"/><field name="stun.attributes" show=""><field name="stun.attribute" show="0x0020">'
                    '<field name="stun.att.port" show="5"/><field name="stun.att.ipv4" show="192.0.2.9"/></field></field>'
                    '</proto>'),
    pdml_packet(41, '<proto name="dtls"><field show="Handshake"><field name="dtls.handshake.type" show="2"/></field>'
                    '<field show="Fragment"><field name="dtls.handshake.type" show="11"/></field></proto>'),
]) + "</pdml>"


def srt_line(frame, source, destination, **values):
    """One line with the columns of tshark.SRT_FIELDS."""
    value = {f"srt.{name.replace('__', '.')}": text for name, text in values.items()} | {"frame.number": str(frame)}
    value["ip.src"], value["udp.srcport"] = source.split(":")
    value["ip.dst"], value["udp.dstport"] = destination.split(":")
    return "\t".join(value.get(name, "") for name in tshark.SRT_FIELDS)


CALLER, LISTENER = "192.0.2.1:40001", "192.0.2.2:9710"
SRT = "\n".join([
    srt_line(50, CALLER, LISTENER, iscontrol="True", type="0x0000", timestamp="5", id="0x00000000", hs__version="5",
             hs__isn="7", hs__agent_latency="0", hs__peer_latency="120"),
    srt_line(51, CALLER, LISTENER, iscontrol="0", seqno="7", msgno="1", timestamp="6", id="0x00000062"),
    srt_line(52, LISTENER, CALLER, iscontrol="1", type="0x0002", timestamp="7", id="0x00000063", ackno="3", rtt="100"),
])


def end(text):
    address, port = text.split(":")
    return {"address": address, "port": int(port)}


def record(name, source, destination, **members):
    return {"record": name, "source": end(source), "destination": end(destination), **members}


def event(frame, source, destination, protocol, kind, **fields):
    return record("event", source, destination, frame=frame, protocol=protocol, kind=kind, fields=fields)


def rtmp(frame, kind, **fields):
    return event(frame, PUBLISHER, RTMP_SERVER, "rtmp", kind, **fields) | {"direction": "clientToServer"}


def rtp(source, destination, ssrc, packets, first, last, expected, **members):
    return record("stream", source, destination, kind="rtp", ssrc=ssrc, packets=packets, firstSequence=first,
                  lastSequence=last, expected=expected, lost=expected - packets, **members)


RECORDS = [
    event(4, CLIENT, SERVER, "rtsp", "request", method="DESCRIBE", uri="rtsp://h/a", cseq=1, headers=[["CSeq", "1"]]),
    event(6, SERVER, CLIENT, "rtsp", "response", status=200, cseq=1, headers=[["Cseq", "1"], ["Content-length", "99"]]),
    event(6, SERVER, CLIENT, "sdp", "description", media=[
        {"type": "video", "port": 0, "protocol": "RTP/AVP", "formats": ["96", "97"]},
        {"type": "audio", "port": 0, "protocol": "RTP/AVP", "formats": ["8"]}]),
    event(8, CLIENT, SERVER, "rtsp", "request", method="PLAY", uri="rtsp://h/a/", cseq=2, sessionId="ab12",
          headers=[["CSeq", "2"], ["Session", "ab12"]]),
    event(12, "192.0.2.2:6001", "192.0.2.1:7001", "rtcp", "senderReport"),
    event(12, "192.0.2.2:6001", "192.0.2.1:7001", "rtcp", "sourceDescription"),
    rtp(SERVER, CLIENT, "0x0badcafe", 2, 65535, 1, 3, channel=0, transport="interleaved"),
    rtp(SERVER, CLIENT, "0x0badcafe", 1, 7, 7, 1, channel=2, transport="interleaved"),
    rtp("192.0.2.2:6000", "192.0.2.1:7000", "0x00000001", 1, 100, 100, 1, captureDuplicates=1, transport="udp"),
    rtmp(19, "handshake", packet="C0"),
    rtmp(20, "handshake", packet="C1"),
    rtmp(21, "message", typeId=20, chunkStreamId=3, messageStreamId=0, timestamp=0, length=99, command="connect",
         transactionId=1.0),
    rtmp(22, "message", typeId=9, chunkStreamId=6, messageStreamId=1, timestamp=0x1000000, length=500),
    rtmp(22, "message", typeId=9, chunkStreamId=6, messageStreamId=1, timestamp=0x1000028, length=50),
    rtmp(22, "message", typeId=8, chunkStreamId=4, messageStreamId=1, timestamp=7, length=70),
    event(30, BROWSER, WEB_SERVER, "http", "request", method="GET", target="/talk"),
    event(31, WEB_SERVER, BROWSER, "http", "response", status=101),
    event(32, BROWSER, WEB_SERVER, "websocket", "ping", opcode=9, wireLength=0, fragments=1),
    event(33, BROWSER, WEB_SERVER, "websocket", "message", opcode=1, wireLength=305, length=305, fragments=2),
    event(34, WEB_SERVER, BROWSER, "websocket", "close", opcode=8, wireLength=2, fragments=1, code=1000),
    event(40, "192.0.2.1:7002", "192.0.2.2:6002", "stun", "success", method="binding",
          transactionId="000102030405060708090a0b", mappedAddress=end("192.0.2.9:5")),
    event(41, "192.0.2.1:7002", "192.0.2.2:6002", "dtls", "serverHello", version="DTLS 1.2"),
    event(50, CALLER, LISTENER, "srt", "handshake", timestamp=5, destinationSocket=0, version=5, initialSequence=7,
          receiverLatencyMs=120, senderLatencyMs=0),
    event(51, CALLER, LISTENER, "srt", "data", timestamp=6, destinationSocket=98, sequence=7, message=1),
    event(52, LISTENER, CALLER, "srt", "ack", timestamp=7, destinationSocket=99, number=3, rttMs=0.1),
]
STREAM_OVER_UDP = 8     # its place in RECORDS


def weir_findings(records):
    return weir.parse([json.dumps(item) for item in records])


def tshark_findings(packets=PACKETS, pdml=PDML):
    """Runs tshark.findings on recorded output."""
    def recorded(program, capture, arguments):
        if "srt.iscontrol" in arguments:
            return SRT, ""
        return (pdml if "pdml" in arguments else packets + STATISTICS), ""
    real, tshark.run = tshark.run, recorded
    try:
        return tshark.findings("tshark", "x.pcap", {"udp.port==9710,srt"})
    finally:
        tshark.run = real


def shipped_by(findings):
    return {protocol: findings.counts(protocol) for protocol in ("rtsp", "rtp", "rtcp", "rtmp")}


def blind():
    return {protocol: collections.Counter() for protocol in ("rtsp", "rtp", "rtcp", "rtmp")}


def compare(records=None, theirs=None):
    theirs = theirs or tshark_findings()
    return differences.compare(weir_findings(RECORDS if records is None else records), theirs, shipped_by(theirs))


def kinds(comparison):
    return [(difference.protocol, difference.kind) for difference in comparison.differences]


class EqualSides(unittest.TestCase):
    def test_equal_sides_have_no_difference_and_every_message_is_counted(self):
        comparison = compare()
        self.assertEqual(list(map(str, comparison.differences)), [])
        self.assertEqual({name: tally.equal for name, tally in comparison.tallies.items()},
                         {"rtsp": 3, "sdp": 2, "rtp": 3, "rtcp": 2, "rtmp": 6, "http": 2, "websocket": 3,
                          "stun": 1, "dtls": 1, "srt": 3})

    def test_quoted_packets_in_icmp_are_not_media(self):
        self.assertEqual([stream.seen for stream in tshark_findings().rtp if stream.source.endswith(":6000")], [2])


class InjectedDifferences(unittest.TestCase):
    def test_each_record_that_weir_loses_is_found(self):
        for index, lost in enumerate(RECORDS):
            with self.subTest(record=lost):
                protocol = lost.get("protocol", "rtp")
                # Without the other stream of the same SSRC, the remaining one is still matched to its channel.
                found = kinds(compare(RECORDS[:index] + RECORDS[index + 1:]))
                self.assertEqual(found, [(protocol, "onlyTshark")] * (2 if protocol == "sdp" else 1))

    def test_each_record_that_weir_invents_is_found(self):
        for item in RECORDS:
            with self.subTest(record=item):
                protocol = item.get("protocol", "rtp")
                found = kinds(compare(RECORDS + [item]))
                self.assertEqual(found, [(protocol, "onlyWeir")] * (2 if protocol == "sdp" else 1))

    def test_each_fact_that_differs_is_found(self):
        changes = [(0, "frame", 5), (0, "fields.method", "OPTIONS"), (0, "fields.uri", "rtsp://h/b"),
                   (0, "fields.headers", [["CSeq", "3"]]), (1, "fields.status", 404),
                   (1, "fields.headers", [["CSeq", "1"], ["Content-Length", "98"]]),
                   (1, "fields.headers", [["CSeq", "11"], ["Content-Length", "99"]]),
                   (3, "fields.sessionId", "cd34"), (2, "fields.media.0.type", "audio"),
                   (2, "fields.media.0.port", 5004), (2, "fields.media.1.protocol", "RTP/SAVP"),
                   (2, "fields.media.0.formats", ["96"]), (2, "fields.media.0.formats", ["97", "96"]),
                   (4, "kind", "bye"), (6, "packets", 3), (6, "firstSequence", 0), (6, "lastSequence", 2),
                   (6, "expected", 4), (6, "lost", 0), (6, "channel", 4), (8, "captureDuplicates", 0),
                   (8, "packets", 2), (8, "expected", 2), (10, "fields.packet", "C2"), (10, "frame", 21),
                   (11, "frame", 20), (11, "fields.command", "play"), (11, "fields.transactionId", 2.0),
                   (11, "fields.messageStreamId", 1), (12, "fields.timestamp", 0xFFFFFF), (12, "fields.length", 501),
                   (12, "fields.typeId", 8), (13, "fields.timestamp", 40), (13, "fields.chunkStreamId", 4),
                   (20, "fields.method", "allocate"), (20, "kind", "error"), (20, "fields.transactionId", "0" * 24),
                   (20, "fields.mappedAddress", end("192.0.2.9:6")), (22, "fields.senderLatencyMs", 20),
                   (22, "fields.initialSequence", 8), (22, "fields.version", 4), (23, "fields.sequence", 8),
                   (23, "fields.message", 2), (23, "fields.destinationSocket", 99), (24, "fields.number", 4),
                   (24, "fields.rttMs", 0.2), (24, "fields.timestamp", 8)]
        for index, path, value in changes:
            with self.subTest(path=path, value=value):
                records = copy.deepcopy(RECORDS)
                *holders, name = path.split(".")
                target = records[index]
                for holder in holders:
                    target = target[int(holder) if holder.isdigit() else holder]
                self.assertNotEqual(target[name], value, "the change changes nothing")
                target[name] = value
                self.assertEqual(kinds(compare(records)), [(records[index].get("protocol", "rtp"), "differs")])

    def test_missing_header_is_a_difference(self):
        records = copy.deepcopy(RECORDS)
        del records[3]["fields"]["sessionId"]
        records[3]["fields"]["headers"] = [["CSeq", "2"]]
        found = compare(records).differences
        self.assertIn("session weir -, tshark ab12", found[0].text)

    def test_more_capture_duplicates_than_the_capture_holds_are_found(self):
        records = copy.deepcopy(RECORDS)
        # Reports one of two packets with different sequence numbers as a duplicate.
        records[6] |= {"packets": 1, "captureDuplicates": 1}
        self.assertIn("capture duplicates weir 1, tshark at most 0", compare(records).differences[0].text)

    def test_source_and_destination_in_exchange_are_found(self):
        for index, item in enumerate(RECORDS):
            with self.subTest(record=item):
                records = copy.deepcopy(RECORDS)
                records[index] |= {"source": item["destination"], "destination": item["source"]}
                self.assertTrue(kinds(compare(records)))

    def test_no_records_or_unusable_records_are_errors(self):
        for lines in ([], [""], ["{"], ['{"record":"event"}'], ['{"no":"record"}'],
                      ['{"record":"event","protocol":"rtcp","kind":"unheardOf","frame":1,'
                       '"source":{"address":"::1"},"destination":{"address":"::1"}}']):
            with self.subTest(lines=lines), self.assertRaises(weir.WeirError):
                weir.parse(lines)


class Telling(unittest.TestCase):
    def test_flows_that_tshark_sees_untold_need_no_rule(self):
        theirs, ours = tshark_findings(), weir_findings(RECORDS)
        # As shipped, tshark takes SRT for UDT.
        self.assertEqual(telling.rules(ours, shipped_by(theirs)), {"udp.port==9710,srt"})

    def test_unseen_flows_are_told_and_named(self):
        theirs, ours = tshark_findings(), weir_findings(RECORDS)
        self.assertEqual(telling.rules(ours, blind()),
                         {"tcp.port==554,rtsp", "tcp.port==1935,rtmpt", "udp.port==7000,rtp", "udp.port==7001,rtcp",
                          "udp.port==9710,srt"})
        found = kinds(differences.compare(ours, theirs, blind()))
        # RTSP, interleaved RTP, UDP RTP, RTCP, RTMP: recognized only with `-d`.
        self.assertEqual(found, [(name, "unseen") for name in ("rtsp", "rtp", "rtp", "rtcp", "rtmp")])

    def test_one_port_for_both_is_told_as_rtp(self):
        stream = RTPStream("192.0.2.1:1", "192.0.2.2:2", "0x00000001", None, 1, (1,), (1,), 1, 0, 0)
        ours = Findings(rtp=[stream], rtcp=[RTCPPacket(1, "192.0.2.3:1", "192.0.2.2:2", 200)])
        self.assertEqual(telling.rules(ours, blind()), {"udp.port==2,rtp"})

    def test_a_flow_that_tshark_sees_only_in_part_is_told_and_named(self):
        theirs, ours = tshark_findings(), weir_findings(RECORDS)
        part = shipped_by(theirs)
        part["rtp"][frozenset(("192.0.2.2:6000", "192.0.2.1:7000"))] = 1
        self.assertEqual(telling.rules(ours, part), {"udp.port==7000,rtp", "udp.port==9710,srt"})
        self.assertEqual([str(difference) for difference in differences.compare(ours, theirs, part).differences],
                         ["unseen     rtp   192.0.2.1:7000 <> 192.0.2.2:6000: 1 of 2 as shipped"])

    def test_only_flows_nobody_asked_about_are_forgotten(self):
        def message(source):
            return RTSPMessage(1, source, SERVER, "PLAY")
        theirs = Findings(rtsp=[message("192.0.2.7:1"), message("192.0.2.8:1"), message("192.0.2.9:1")])
        ours = Findings(rtsp=[message("192.0.2.7:1")])
        seen = {**blind(), "rtsp": {frozenset(("192.0.2.8:1", SERVER)): 1}}
        telling.forget_bystanders(theirs, ours, seen)
        self.assertEqual([item.source for item in theirs.rtsp], ["192.0.2.7:1", "192.0.2.8:1"])


class Sequences(unittest.TestCase):
    def count(self, *numbers):
        count = SequenceCount()
        for number in numbers:
            count.add(number)
        return count

    def test_wrap_loss_and_duplicates(self):
        count = self.count(65534, 65535, 1, 1, 0, 4)
        self.assertEqual((count.seen, count.expected, count.lost, count.firsts[0], count.lasts[0]), (6, 7, 2, 65534, 4))

    def test_packets_from_before_the_first(self):
        count = self.count(10, 9, 11)
        self.assertEqual((count.expected, count.lost, count.firsts, count.lasts), (3, 0, (10, 9), (11, 11)))

    def test_same_number_with_another_ip_id_is_no_repeat(self):
        count = SequenceCount()
        for ip_id in ("0x1", "0x2", "0x2"):
            count.add(5, ip_id)
        self.assertEqual(count.repeats, 1)


class KnownDifferences(unittest.TestCase):
    def entry(self, **changes):
        return {"capture": "rtsp/a.pcap", "protocol": "rtp", "kind": "unseen", "pattern": "6000", "reason": "why",
                "reference": "RFC 3550 §11", **changes}

    def load(self, entries):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "known.json"
            path.write_text(entries if isinstance(entries, str) else json.dumps(entries), encoding="utf-8")
            return known.load(path)

    def test_capture_protocol_kind_and_pattern_must_all_match(self):
        entries = self.load([self.entry()])
        right = differences.Difference("rtp", "unseen", "192.0.2.1:6000")
        self.assertIsNotNone(known.find(entries, "Captures/rtsp/a.pcap", right))
        self.assertIsNone(known.find(entries, "Captures/rtsp/aa.pcap", right))
        for wrong in (("rtcp", "unseen", "6000"), ("rtp", "differs", "6000"), ("rtp", "unseen", "7000")):
            self.assertIsNone(known.find(entries, "Captures/rtsp/a.pcap", differences.Difference(*wrong)))

    def test_malformed_lists_are_refused(self):
        lacking = self.entry()
        del lacking["reason"]
        for entries in ("[", [lacking], [self.entry(reason=" ")], [self.entry(reference="")], [self.entry(kind="odd")],
                        [self.entry(protocol="sip")], [self.entry(pattern="(")], [self.entry(pattern="")],
                        [self.entry(more="x")], ["text"]):
            with self.subTest(entries=entries), self.assertRaises(known.KnownError):
                self.load(entries)

    def test_stale_entries(self):
        entries = self.load([self.entry(), self.entry(capture="rtsp/*"), self.entry(capture="rtsp/b.pcap")])
        captures = ["Captures/rtsp/a.pcap"]
        self.assertEqual(known.stale(entries, captures, False), [entries[0]])
        self.assertEqual(known.stale(entries, captures, True), entries)
        entries[0].used = 1
        self.assertEqual(known.stale(entries, captures, False), [])

    def test_the_list_of_this_repository_can_be_read(self):
        known.load(HERE / "known-differences.json")


class Command(unittest.TestCase):
    """The whole command with a fake tshark that returns recorded output."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "fields").write_text(PACKETS + STATISTICS, encoding="utf-8")
        (self.folder / "pdml").write_text(PDML, encoding="utf-8")
        (self.folder / "srt").write_text(SRT, encoding="utf-8")
        (self.folder / "repeats").write_text("", encoding="utf-8")
        self.program("tshark", f"""\
            if "pdml" in sys.argv: name = "pdml"
            elif "srt.iscontrol" in sys.argv: name = "srt"
            elif "rtsp || rtp || rtcp || sdp || rtmpt || http || websocket || stun || dtls" in sys.argv: name = "fields"
            else: name = "repeats"
            sys.stdout.write(open({str(self.folder)!r} + "/" + name, encoding="utf-8").read())
            """)
        self.known([])
        self.records(RECORDS)
        loader = importlib.machinery.SourceFileLoader("compare_command", str(HERE / "compare"))
        spec = importlib.util.spec_from_loader("compare_command", loader)
        self.command = importlib.util.module_from_spec(spec)
        loader.exec_module(self.command)

    def program(self, name, body):
        path = self.folder / name
        path.write_text(f"#!{sys.executable}\nimport sys\n" + textwrap.dedent(body), encoding="utf-8")
        path.chmod(0o755)

    def known(self, entries):
        (self.folder / "known.json").write_text(json.dumps(entries), encoding="utf-8")

    def records(self, records):
        lines = "".join(json.dumps(item) + "\n" for item in records)
        (self.folder / "records").write_text(lines, encoding="utf-8")

    def run_command(self, *extra):
        output = io.StringIO()
        arguments = ["--tshark", str(self.folder / "tshark"), "--known", str(self.folder / "known.json"), *extra]
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            code = self.command.main([*arguments, str(self.folder / "a.pcap")])
        return code, output.getvalue()

    def run_records(self):
        return self.run_command("--records", str(self.folder / "records"))

    def test_equal(self):
        code, output = self.run_records()
        self.assertEqual(code, 0, output)
        self.assertIn("1 compared, 0 unexplained differences, 0 failed", output)

    def test_unexplained_then_explained_then_stale(self):
        self.records(RECORDS[:STREAM_OVER_UDP] + RECORDS[STREAM_OVER_UDP + 1:])
        code, output = self.run_records()
        self.assertEqual(code, 1, output)
        self.assertIn("NEW    onlyTshark rtp   192.0.2.2:6000 > 192.0.2.1:7000 0x00000001: 2 packets", output)
        self.known([{"capture": "a.pcap", "protocol": "rtp", "kind": "onlyTshark", "pattern": "0x00000001",
                     "reason": "a good reason", "reference": "RFC 3550 §5.1"}])
        code, output = self.run_records()
        self.assertEqual(code, 0, output)
        self.assertIn("a good reason (RFC 3550 §5.1)", output)
        self.records(RECORDS)
        code, output = self.run_records()
        self.assertEqual(code, 0, output)
        self.assertIn("warning: known difference matches nothing any more: a.pcap", output)

    def test_a_packet_captured_twice_is_named_apart_from_a_lost_one(self):
        packets = PACKETS + "\n" + "\n".join(
            tsv(frame, "eth:ethertype:ip:udp:rtcp", "192.0.2.2:6001", "192.0.2.1:7001", "udp", **{"rtcp.pt": "203"})
            for frame in (20, 21, 22))
        (self.folder / "fields").write_text(packets + STATISTICS, encoding="utf-8")
        same = "0x0001\t192.0.2.2\t192.0.2.1\t6001\t7001\t81cb0001"
        (self.folder / "repeats").write_text(f"20\t{same}\n21\t{same}\n22\t{same}02\n", encoding="utf-8")
        self.records(RECORDS + [event(20, "192.0.2.2:6001", "192.0.2.1:7001", "rtcp", "bye")])
        code, output = self.run_records()
        self.assertEqual(code, 1, output)
        self.assertIn("NEW    repeated   rtcp  #21", output)
        self.assertIn("NEW    onlyTshark rtcp  #22", output)

    def test_failures_are_never_success(self):
        self.program("weir", "sys.exit(70)")
        self.assertEqual(self.run_command("--weir", str(self.folder / "weir"))[0], 2)
        self.program("weir", "pass")
        code, output = self.run_command("--weir", str(self.folder / "weir"))
        self.assertEqual(code, 2)
        self.assertIn("weir wrote no record at all", output)
        self.program("tshark", "sys.exit(1)")
        self.assertEqual(self.run_records()[0], 2)
        (self.folder / "known.json").write_text("{", encoding="utf-8")
        self.assertEqual(self.run_records()[0], 2)


if __name__ == "__main__":
    unittest.main()
