"""Tests of Documentation/report.schema.json and Scripts/validate-reports with valid and invalid records.

Run with `python3 -m unittest discover -s Scripts`. Needs the Python package jsonschema.
"""
import contextlib
import copy
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
SCHEMA = json.loads((ROOT / "Documentation/report.schema.json").read_text(encoding="utf-8"))
HAS_JSONSCHEMA = importlib.util.find_spec("jsonschema") is not None

TIME = "2016-08-10T05:41:02.000000000Z"
CLIENT, SERVER = {"address": "192.0.2.1", "port": 5000}, {"address": "2001:db8::2", "port": 554}
BOTH = {"clientToServer": 1, "serverToClient": 2}
RECORDS = [
    {"record": "capture", "file": "a.pcap", "format": "pcap", "linkTypes": ["Ethernet"], "snapLength": 65535},
    {"record": "event", "id": 1, "frame": 4, "firstFrame": 3, "time": TIME, "offset": 0.1, "flow": 1,
     "direction": "clientToServer", "source": CLIENT, "destination": SERVER, "protocol": "rtsp", "kind": "request",
     "summary": "OPTIONS *", "note": "Asks.", "session": 1,
     "fields": {"method": "OPTIONS", "uri": "*", "version": "RTSP/1.0", "cseq": 1, "headers": [["CSeq", "1"]]},
     "remarks": ["Lines end with LF alone (RFC 2326 §4)"], "findings": ["RTSP-CSEQ-PRESENT"]},
    {"record": "event", "id": 2, "frame": 5, "time": TIME, "offset": 0.2, "protocol": "sdp", "kind": "description",
     "summary": "SDP", "fields": {"role": "answer", "media": [
         {"type": "video", "port": 0, "protocol": "RTP/AVP", "formats": ["96"], "direction": "sendonly"}]}},
    {"record": "event", "id": 3, "frame": 6, "time": TIME, "offset": 0.2, "protocol": "rtmp", "kind": "message",
     "summary": "connect", "fields": {"chunkStreamId": 3, "typeId": 20, "type": "command", "messageStreamId": 0,
                                      "timestamp": 0, "length": 10, "chunks": 1, "command": "connect",
                                      "transactionId": 1, "arguments": [{"app": "live"}]}},
    {"record": "event", "id": 4, "frame": 7, "time": TIME, "offset": 0.2, "protocol": "foreign", "kind": "odd",
     "summary": "A dissector from outside", "fields": {"anything": 1}},
    {"record": "finding", "rule": "RTSP-SESSION-ECHO", "verdict": "fail", "severity": "error", "protocol": "rtsp",
     "message": "no Session header", "expected": "Session", "actual": "none", "reference": "RFC 2326 §12.37",
     "quirk": "Q-CSEQ", "event": 1, "frame": 4, "byteRange": {"offset": 54, "length": 20}, "time": TIME, "flow": 1,
     "fingerprint": "ab12"},
    {"record": "stream", "id": 1, "kind": "rtp", "flow": 1, "direction": "serverToClient", "source": SERVER,
     "destination": CLIENT, "session": 1, "mediaType": "video", "encoding": "H264", "ssrc": "0x0badcafe",
     "payloadType": 96, "clockRate": 90000, "transport": "interleaved", "channel": 0, "packets": 3,
     "payloadBytes": 4, "firstSequence": 65535, "lastSequence": 1, "expected": 3, "lost": 0,
     "jitterMs": {"mean": 0.1, "max": 2}, "rtcp": {"senderReports": 1, "reportedLost": -1}},
    {"record": "stream", "id": 2, "kind": "rtmp", "flow": 2, "source": CLIENT, "destination": SERVER,
     "messageStreamId": 1, "messages": 5, "payloadBytes": 9, "codec": "H264"},
    {"record": "session", "id": 1, "kind": "rtsp", "flows": [1], "streams": [1], "outcome": "played",
     "phases": [{"name": "connect", "startTime": TIME, "endTime": TIME, "firstEvent": 1, "lastEvent": 2}],
     "uri": "rtsp://h/a", "anotherFact": 1},
    {"record": "flow", "id": 1, "transport": "tcp", "client": CLIENT, "server": SERVER, "protocols": ["rtsp", "sdp"],
     "startTime": TIME, "endTime": TIME, "packets": BOTH, "bytes": BOTH,
     "tcp": {"handshake": "complete", "handshakeRttMs": 1.1, "retransmittedBytes": 0, "closedBy": "fin"}},
    {"record": "rule", "rule": "RTSP-CRLF", "pass": 1, "fail": 0, "inconclusive": 0, "notApplicable": 2},
    {"record": "summary", "packets": 1, "bytes": 2, "startTime": TIME, "endTime": TIME, "durationSeconds": 1.5,
     "events": 4, "findings": {"error": 1, "warning": 0, "note": 0}},
]


def document(records):
    """Returns the records as a document of `--format json`."""
    report = {"flows": [], "sessions": [], "streams": [], "events": [], "findings": [], "rules": []}
    for record in records:
        bare = {name: value for name, value in record.items() if name != "record"}
        if record["record"] in ("capture", "summary"):
            report[record["record"]] = bare
        else:
            report[record["record"] + "s"].append(bare)
    return {"schemaVersion": "1.0", "generator": {"name": "weir", "version": "1"}, "captures": [report]}


class SchemaText(unittest.TestCase):
    def test_every_member_has_a_description(self):
        def visit(schema, path):
            if isinstance(schema, list):
                for index, item in enumerate(schema):
                    visit(item, f"{path}/{index}")
            if not isinstance(schema, dict):
                return
            for name, member in schema.get("properties", {}).items():
                described = "description" in member or "$ref" in member or "/if" in path or "/then" in path
                self.assertTrue(described, f"{path}/properties/{name}")
                visit(member, f"{path}/properties/{name}")
            for name, part in schema.items():
                if name != "properties":
                    visit(part, f"{path}/{name}")
        visit(SCHEMA, "")
        for name, definition in SCHEMA["$defs"].items():
            self.assertIn("description", definition, name)

    def test_every_reference_leads_somewhere(self):
        for name in set(json.dumps(SCHEMA).split('"$ref": "#/$defs/')[1:]):
            self.assertIn(name.partition('"')[0], SCHEMA["$defs"])


@unittest.skipUnless(HAS_JSONSCHEMA, "the Python package jsonschema is missing")
class Validation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        loader = importlib.machinery.SourceFileLoader("validate_reports", str(HERE / "validate-reports"))
        spec = importlib.util.spec_from_loader("validate_reports", loader)
        cls.command = importlib.util.module_from_spec(spec)
        loader.exec_module(cls.command)
        cls.validators = cls.command.load_validators(cls.command.SCHEMA)

    def records(self, records):
        return self.command.validate_records([json.dumps(record) for record in records], self.validators)

    def document(self, value):
        return self.command.validate_document(json.dumps(value), self.validators)

    def test_good_records_and_document(self):
        self.assertEqual(self.records(RECORDS), [])
        self.assertEqual(self.document(document(RECORDS)), [])

    def test_unknown_members_are_refused_where_the_record_is_closed(self):
        for index, record in enumerate(RECORDS):
            if record["record"] == "session":
                continue
            with self.subTest(record=record):
                changed = copy.deepcopy(RECORDS)
                changed[index]["surprise"] = 1
                self.assertTrue(self.records(changed))
                self.assertTrue(self.document(document(changed)))

    def test_each_wrong_value_is_refused(self):
        changes = [(0, "format", "erf"), (1, "id", 0), (1, "id", "1"), (1, "frame", 0), (1, "time", "2016-08-10"),
                   (1, "time", "2016-08-10T05:41:02.000Z"), (1, "direction", "up"), (1, "kind", "reply"),
                   (1, "source", {"address": "192.0.2.1", "port": 65536}), (1, "fields", {"surprise": 1}),
                   (1, "fields", {"headers": [["CSeq"]]}), (1, "fields", {"cseq": "1"}), (1, "findings", ["lower"]),
                   (2, "fields", {"media": [{"type": "video", "formats": []}]}), (2, "kind", "request"),
                   (3, "fields", {"timestamp": -1}), (3, "kind", "command"), (5, "verdict", "pass"),
                   (5, "severity", "fatal"), (5, "byteRange", {"offset": -1, "length": 0}), (5, "quirk", "CSEQ"),
                   (6, "ssrc", "0xBADCAFE"), (6, "firstSequence", 65536), (6, "jitterMs", 1), (6, "channel", 256),
                   (7, "ssrc", "0x0badcafe"), (8, "phases", [{}]), (9, "transport", "sctp"), (9, "packets", 3),
                   (9, "tcp", {"handshake": "done", "closedBy": "fin"}), (10, "pass", -1), (11, "bytes", 1.5)]
        for index, name, value in changes:
            with self.subTest(record=RECORDS[index]["record"], name=name, value=value):
                changed = copy.deepcopy(RECORDS)
                changed[index][name] = value
                self.assertTrue(self.records(changed))
                self.assertTrue(self.document(document(changed)))

    def test_missing_members_are_refused(self):
        for index, names in ((1, ("id", "frame", "time", "offset", "protocol", "kind", "summary")),
                             (5, ("rule", "verdict", "fingerprint")), (6, ("ssrc", "packets", "lost")),
                             (9, ("id", "client", "bytes")), (11, ("packets", "findings"))):
            for name in names:
                with self.subTest(record=RECORDS[index]["record"], name=name):
                    changed = copy.deepcopy(RECORDS)
                    del changed[index][name]
                    self.assertTrue(self.records(changed))

    def test_order_of_records(self):
        self.assertTrue(self.records(RECORDS[1:]))
        self.assertTrue(self.records(RECORDS[:-1]))
        self.assertTrue(self.records(RECORDS[:1] + RECORDS))
        self.assertTrue(self.records([]))
        self.assertEqual(self.records(RECORDS + RECORDS), [])

    def test_what_is_not_json_is_refused(self):
        for line in ("", "{", "[]", "1", '{"record":"odd"}', '{"record":"rule","pass":NaN}',
                     '{"record":"capture","record":"capture","file":"a","format":"pcap"}'):
            with self.subTest(line=line):
                self.assertTrue(self.command.validate_records([line], self.validators))

    def test_command_names_file_and_path_and_fails(self):
        broken = document(RECORDS)
        broken["captures"][0]["events"][1]["frame"] = 0
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "broken.json"
            path.write_text(json.dumps(broken), encoding="utf-8")
            lines = pathlib.Path(folder) / "good.ndjson"
            lines.write_text("".join(json.dumps(record) + "\n" for record in RECORDS), encoding="utf-8")
            output = io.StringIO()
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
                self.assertEqual(self.command.main([str(lines), str(path)]), 1)
                self.assertEqual(self.command.main([str(lines)]), 0)
                self.assertEqual(self.command.main([str(path.with_name("absent.json"))]), 1)
            self.assertIn(f"{path}: $.captures[0].events[1].frame: 0 is less than the minimum of 1", output.getvalue())


if __name__ == "__main__":
    unittest.main()
