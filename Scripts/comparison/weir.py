"""weir's side: its NDJSON records, as in Documentation/report.schema.json."""
import json
import pathlib
import subprocess

from .messages import (Findings, HTTPMessage, MediaLine, PeerMessage, RTCPPacket, RTMPMessage, RTPStream, RTSPMessage,
                       SRTPacket, WebSocketMessage, endpoint)

RTCP_TYPES = {"senderReport": 200, "receiverReport": 201, "sourceDescription": 202, "bye": 203, "application": 204,
              "transportFeedback": 205, "payloadFeedback": 206, "extendedReport": 207}

STUN_METHODS = {name: number for number, name in enumerate(
    ("", "binding", "sharedSecret", "allocate", "refresh", "", "send", "data", "createPermission", "channelBind", "connect",
     "connectionBind", "connectionAttempt"))} | {"googPing": 0x80}
STUN_CLASSES = {"request": 0, "indication": 0x10, "success": 0x100, "error": 0x110}
DTLS_TYPES = {"clientHello": "1", "serverHello": "2", "certificate": "11"}

SRT_TYPES = {"data": "data", "handshake": "0", "keepAlive": "1", "ack": "2", "nak": "3", "congestionWarning": "4",
             "shutdown": "5", "ackAck": "6", "dropRequest": "7", "peerError": "8", "keyExchange": "32767"}

# tshark reports these together with the following part, and so in another frame.
TOGETHER = ("C0", "S0", "S1")


class WeirError(Exception):
    pass


def run(weir, capture):
    """Analyzes the capture with weir. With exit code 2 (partially read) the part before the damage is compared."""
    command = [weir, "analyze", "--format", "ndjson", "--packets", "--reveal-secrets", "--quiet", str(capture)]
    log = pathlib.Path(capture).with_suffix(".keys")
    if log.exists():
        command += ["--keylog", str(log)]
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if result.returncode not in (0, 2):
        raise WeirError(f"{' '.join(command)} ended with {result.returncode}: {result.stderr.strip()[-500:]}")
    # Split at \n alone: splitlines would also break at U+2028 inside a string.
    findings = parse(result.stdout.split("\n"))
    if result.returncode == 2:
        findings.complaint = result.stderr.strip().splitlines()[-1] if result.stderr.strip() else "read in part"
    return findings


def ends(record):
    return tuple(endpoint(end["address"], end.get("port", 0)) for end in (record["source"], record["destination"]))


def parse(lines):
    findings, records = Findings(), 0
    for line in lines:
        if not line.strip():
            continue
        records += 1
        try:
            record = json.loads(line)
            add(record, findings)
        except (ValueError, KeyError, TypeError) as error:
            raise WeirError(f"record {records} cannot be used ({error!r}): {line[:200]}") from error
    if records == 0:
        raise WeirError("weir wrote no record at all")
    return findings


def add(record, findings):
    # tshark does not recognize streams in relayed data.
    if record["record"] == "stream" and record["kind"] == "rtp" and not record.get("relayed"):
        findings.rtp.append(stream(record))
    if record["record"] != "event":
        return
    if record.get("decrypted") == "tls":
        findings.decrypted.add(frozenset(ends(record)))
    protocol, kind, fields = record["protocol"], record["kind"], record.get("fields", {})
    if protocol == "rtsp" and kind in ("request", "response"):
        findings.rtsp.append(rtsp(record, fields))
    elif protocol == "sdp" and kind == "description":
        start = sum(line.frame == record["frame"] for line in findings.sdp)
        for index, media in enumerate(fields.get("media", []), start):
            findings.sdp.append(MediaLine(record["frame"], *ends(record), index, media["type"], media.get("port"),
                                          media["protocol"], tuple(media["formats"])))
    elif protocol == "rtmp" and kind in ("handshake", "message"):
        # tshark does not decode the content of an aggregate message.
        if not fields.get("inAggregate"):
            findings.rtmp.append(rtmp(record, fields))
    elif protocol == "http" and kind in ("request", "response"):
        what = fields["method"] if kind == "request" else str(fields["status"])
        findings.http.append(HTTPMessage(record["frame"], *ends(record), what, fields.get("target")))
    elif protocol == "websocket" and kind != "upgrade" and "opcode" in fields:
        findings.websocket.append(WebSocketMessage(record["frame"], *ends(record), fields["opcode"],
                                                   fields["wireLength"], fields["fragments"], fields.get("code")))
    elif protocol == "stun" and kind in STUN_CLASSES and "relayed" not in fields:
        # tshark does not decode relayed data.
        findings.stun.append(stun(record, fields))
    elif protocol == "dtls" and kind in DTLS_TYPES and "relayed" not in fields:
        findings.dtls.append(PeerMessage(record["frame"], *ends(record), DTLS_TYPES[kind]))
    elif protocol == "srt" and kind in SRT_TYPES:
        findings.srt.append(srt(record, fields))
    elif protocol == "rtcp":
        findings.rtcp.append(RTCPPacket(record["frame"], *ends(record), RTCP_TYPES[kind]))


def rtsp(record, fields):
    what = fields["method"] if record["kind"] == "request" else str(fields["status"])
    headers = fields.get("headers", [])
    values = {}
    for name, value in headers:
        values.setdefault(name.lower(), value)
    cseq = values.get("cseq", fields.get("cseq"))
    session = fields.get("sessionId", values.get("session"))
    length = values.get("content-length", "").strip()
    return RTSPMessage(record["frame"], *ends(record), what,
                       None if cseq is None else str(cseq).strip(), fields.get("uri"),
                       None if session is None else session.partition(";")[0].strip(),
                       int(length) if length.isdigit() else None)


def srt(record, fields):
    rtt, receiver, sender = (fields.get(name) for name in ("rttMs", "receiverLatencyMs", "senderLatencyMs"))
    return SRTPacket(record["frame"], *ends(record), SRT_TYPES[record["kind"]], fields["timestamp"],
                     fields["destinationSocket"], fields.get("sequence", fields.get("initialSequence")),
                     fields.get("message") if record["kind"] == "data" else None, fields.get("number"),
                     None if rtt is None else round(rtt * 1000), fields.get("version"),
                     None if receiver is None else (receiver, sender))


def stun(record, fields):
    name, mapped = fields["method"], fields.get("mappedAddress")
    method = STUN_METHODS[name] if name in STUN_METHODS else int(name, 16)
    bits = method & 0xF | (method & 0x70) << 1 | (method & 0xF80) << 2 | STUN_CLASSES[record["kind"]]
    # For RFC 3489 STUN, tshark takes four octets of the id for the cookie.
    return PeerMessage(record["frame"], *ends(record), f"0x{bits:04x}", fields["transactionId"][-24:],
                       mapped and endpoint(mapped["address"], mapped["port"]))


def rtmp(record, fields):
    source, destination = ends(record)
    server = destination if record["direction"] == "clientToServer" else source
    if record["kind"] == "handshake":
        frame = None if fields["packet"] in TOGETHER else record["frame"]
        return RTMPMessage(frame, source, destination, fields["packet"], server=server)
    transaction = fields.get("transactionId")
    return RTMPMessage(record["frame"], source, destination, str(fields["typeId"]), fields["chunkStreamId"],
                       fields.get("messageStreamId"), fields.get("timestamp"), fields["length"],
                       fields.get("command"), None if transaction is None else float(transaction), server)


def stream(record):
    repeats = record.get("captureDuplicates", 0)
    seen = record["packets"] + repeats
    return RTPStream(*ends(record), record["ssrc"], record.get("channel"), seen, (record["firstSequence"],),
                     (record["lastSequence"],), record["expected"], record["lost"], record["expected"] - seen, repeats, record["transport"])
