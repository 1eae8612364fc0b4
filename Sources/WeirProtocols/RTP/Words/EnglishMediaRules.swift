extension RTPWords {
    /// Messages of the rules about packets, payload formats and delivery.
    static let englishMediaRules: [String: String] = [
        "rule.RTP-VERSION": "RTP packets have version 2.",
        "RTP-VERSION.other":
            "{0} of {1} {1|packet|packets} {0|has|have} version {2} instead of 2: receivers drop {0|it|them} "
            + "({4|frame|frames} {3}).",
        "rule.RTP-LENGTH": "The header of an RTP packet fits in the packet.",
        "RTP-LENGTH.short":
            "{0} of {1} {1|packet|packets} {0|has|have} {2} contributing {2|source|sources} (CC), more than the packet "
            + "contains ({4|frame|frames} {3}).",
        "rule.RTP-PADDING": "The last octet of a padded packet is the padding length.",
        "RTP-PADDING.count":
            "{0} of {1} {1|packet|packets} {0|has|have} P set, but the last octet (first: {2}) is not a valid padding "
            + "length ({4|frame|frames} {3}).",
        "rule.RTP-EXT-LEN": "The header extension fits in the packet.",
        "RTP-EXT-LEN.long":
            "{0} of {1} {1|packet|packets} {0|has|have} a header extension longer than the packet ({4|frame|frames} "
            + "{3}).",
        "rule.RTP-EXT-BLOCK": "The elements of a header extension fit in it.",
        "RTP-EXT-BLOCK.long":
            "{0} of {1} {1|packet|packets} {0|has|have} an element that exceeds its header extension ({4|frame|frames} "
            + "{3}).",
        "RTP-EXT-BLOCK.reserved":
            "{0} of {1} {1|packet|packets} {0|has|have} a header extension element with id 15, where receivers stop "
            + "parsing ({4|frame|frames} {3}).",
        "rule.RTP-EXT-MAP": "Header extension elements are announced with a=extmap.",
        "RTP-EXT-MAP.unknown":
            "{0} of {1} {1|packet|packets} {0|has|have} header extension elements without a=extmap, such as id {2} "
            + "({4|frame|frames} {3}).",
        "rule.RTP-PT": "Payload types are negotiated.",
        "RTP-PT.unknown":
            "{0} of {1} {1|packet|packets} {0|has|have} a payload type that no captured description lists (first: {2}, "
            + "{4|frame|frames} {3}).",
        "rule.RTP-PT-MUX": "With rtcp-mux, no payload type conflicts with RTCP.",
        "RTP-PT-MUX.collides":
            "Payload type {2} cannot be distinguished from RTCP on the same port ({4|frame|frames} {3}).",
        "rule.RTP-FRAGMENT": "Media packets are not fragmented by IP.",
        "RTP-FRAGMENT.fragmented":
            "{0} of {1} {1|packet|packets} {0|is|are} fragmented by IP (first: {2} {2|octet|octets}, {4|frame|frames} "
            + "{3}).",
        "rule.RTP-SSRC-ANNOUNCED": "The SSRC is the announced one.",
        "RTP-SSRC-ANNOUNCED.other": "{1} {1|packet has|packets have} SSRC {0}, which was not announced.",
        "rule.RTP-SSRC-CHANGE": "The SSRC does not change without BYE.",
        "RTP-SSRC-CHANGE.changed":
            "SSRC {1} changes to {2} at seq {3} without a captured BYE ({0} such {0|change|changes}).",
        "rule.RTP-SSRC-COLLISION": "Each source has its own SSRC.",
        "RTP-SSRC-COLLISION.shared": "Two sources use this SSRC at the same time.",
        "rule.RTP-TS-RATE": "Timestamps advance at the clock rate.",
        "RTP-TS-RATE.off": "Timestamps advance by {0} ticks per second instead of {1}: {2} % off over {3} s.",
        "RTP-TS-RATE.opus":
            "The timestamp advances by {0} per packet, although each Opus packet contains {1} ms of audio: {2} ticks at "
            + "48 kHz.",
        "RTP-TS-RATE.still": "All {0} packets in {2} s have the timestamp {1}: the media clock does not advance.",
        "rule.RTP-TS-BACK": "Timestamps neither go back nor jump.",
        "RTP-TS-BACK.back": "Timestamps go back {0} {0|time|times}, by up to {1} s ({3|frame|frames} {2}).",
        "RTP-TS-BACK.ahead":
            "Timestamps jump ahead {0} {0|time|times}, by up to {1} s more than the elapsed time ({3|frame|frames} "
            + "{2}).",
        "RTP-TS-BACK.sent":
            "{0} of {1} {1|packet|packets} {0|has|have} an earlier timestamp than the previous packet: they are not "
            + "sending times, so jitter is unknown ({3|frame|frames} {2}).",
        "rule.RTP-TS-AU": "An access unit has one timestamp.",
        "RTP-TS-AU.several":
            "{0} of {1} {1|packet|packets} {0|continues|continue} a picture with another timestamp ({4|frame|frames} "
            + "{3}).",
        "rule.RTP-MARKER": "The marker ends each picture, or starts a talkspurt.",
        "RTP-MARKER.missing":
            "{0} {0|picture ends|pictures end} without the marker, in {1} {1|packet|packets} (the next "
            + "{0|starts|start} in {4|frame|frames} {3}).",
        "RTP-MARKER.early":
            "The picture continues after {0} of {1} {1|packet|packets} with the marker ({4|frame|frames} {3}).",
        "RTP-MARKER.sound":
            "{0} of {1} audio {1|packet|packets} {0|has|have} the marker right after another packet with the marker, "
            + "without silence in between ({4|frame|frames} {3}).",
        "rule.H264-MODE": "Packet types are allowed by the packetization mode.",
        "H264-MODE.structure":
            "{0} of {1} {1|packet|packets} {0|has|have} a structure that the announced packetization-mode does not "
            + "allow ({4|frame|frames} {3}).",
        "H264-MODE.undefined":
            "{0} of {1} {1|packet|packets} {0|has|have} an undefined type: 0, 30 or 31 ({4|frame|frames} {3}).",
        "rule.H264-FU": "Fragmented NAL units have a start and an end.",
        "H264-FU.whole":
            "{0} of {1} {1|packet|packets} {0|is|are} both a first and a last fragment ({4|frame|frames} {3}).",
        "H264-FU.noStart":
            "{0} of {1} {1|packet|packets} {0|continues|continue} a NAL unit that has no start, although no packet is "
            + "missing ({4|frame|frames} {3}).",
        "H264-FU.noEnd":
            "In {0} of {1} {1|packet|packets} a new NAL unit begins although the last fragment of the one before had no "
            + "end bit, and no packet is missing ({4|frame|frames} {3}).",
        "H264-FU.empty":
            "{0} of {1} {1|packet|packets} {0|is a fragment|are fragments} without a payload ({4|frame|frames} {3}).",
        "rule.H264-FU-TYPE": "All fragments of a NAL unit have the same type.",
        "H264-FU-TYPE.changed":
            "{0} of {1} {1|packet|packets} {0|has|have} another type or NRI than the previous fragments "
            + "({4|frame|frames} {3}).",
        "rule.H264-STAP": "Aggregation packets are consistent.",
        "H264-STAP.size":
            "{0} of {1} {1|packet|packets} {0|has|have} aggregated NAL unit sizes that do not match the payload "
            + "({4|frame|frames} {3}).",
        "H264-STAP.nested":
            "{0} of {1} {1|packet|packets} {0|aggregates|aggregate} fragments or aggregation packets "
            + "({4|frame|frames} {3}).",
        "H264-STAP.importance":
            "{0} of {1} aggregation {1|packet|packets} {0|has|have} an NRI other than the highest of {0|its|their} NAL "
            + "units ({4|frame|frames} {3}).",
        "rule.H264-FBIT": "The forbidden_zero_bit is 0.",
        "H264-FBIT.set":
            "{0} of {1} {1|packet|packets} {0|has|have} the forbidden_zero_bit set ({4|frame|frames} {3}).",
        "rule.H264-ANNEXB": "Payloads have no start codes.",
        "H264-ANNEXB.startCode":
            "{0} of {1} {1|packet|packets} {0|has|have} start codes of the byte stream format ({4|frame|frames} {3}).",
        "rule.H264-FIRST-IDR": "Decoding can start soon.",
        "H264-FIRST-IDR.late": "The first key frame is {0} s after media was accepted.",
        "H264-FIRST-IDR.sets":
            "The key frames cannot be decoded: neither the description nor the stream has parameter sets ({0}).",
        "H264-FIRST-IDR.never": "No key frame in the {0} s after media was accepted.",
        "rule.H265-FU": "Fragmented NAL units have a start and an end.",
        "H265-FU.whole":
            "{0} of {1} {1|packet|packets} {0|is|are} both a first and a last fragment ({4|frame|frames} {3}).",
        "H265-FU.noStart":
            "{0} of {1} {1|packet|packets} {0|continues|continue} a NAL unit that has no start, although no packet is "
            + "missing ({4|frame|frames} {3}).",
        "H265-FU.noEnd":
            "In {0} of {1} {1|packet|packets} a new NAL unit begins although the last fragment of the one before had no "
            + "end bit, and no packet is missing ({4|frame|frames} {3}).",
        "H265-FU.empty":
            "{0} of {1} {1|packet|packets} {0|is a fragment|are fragments} without a payload ({4|frame|frames} {3}).",
        "H265-FU.changed":
            "{0} of {1} {1|packet|packets} {0|has|have} another type or NRI than the previous fragments "
            + "({4|frame|frames} {3}).",
        "rule.H265-AP": "Aggregation packets consist of two or more NAL units.",
        "H265-AP.size":
            "{0} of {1} {1|packet|packets} {0|has|have} aggregated NAL unit sizes that do not match the payload "
            + "({4|frame|frames} {3}).",
        "H265-AP.nested":
            "{0} of {1} {1|packet|packets} {0|aggregates or fragments|aggregate or fragment} an aggregation packet or "
            + "a fragment ({4|frame|frames} {3}).",
        "H265-AP.lone":
            "{0} of {1} {1|packet|packets} {0|is an aggregation packet|are aggregation packets} with fewer than two "
            + "NAL units ({4|frame|frames} {3}).",
        "rule.H265-SPROP": "The announced parameter sets match the stream.",
        "H265-SPROP.missing":
            "The first picture cannot be decoded: the description has no {0}, and the stream has none before it.",
        "H265-SPROP.differs": "The parameter set in the stream differs from {0}.",
        "rule.H265-FBIT": "The forbidden_zero_bit is 0.",
        "H265-FBIT.set":
            "{0} of {1} {1|packet|packets} {0|has|have} the forbidden_zero_bit set ({4|frame|frames} {3}).",
        "rule.H265-ANNEXB": "Payloads have no start codes.",
        "H265-ANNEXB.startCode":
            "{0} of {1} {1|packet|packets} {0|has|have} start codes of the byte stream format ({4|frame|frames} {3}).",
        "rule.H265-HDR": "Payload headers have a valid temporal identifier and type.",
        "H265-HDR.temporal":
            "{0} of {1} {1|packet|packets} {0|has|have} TID 0; the field is the temporal identifier plus 1 "
            + "({4|frame|frames} {3}).",
        "H265-HDR.undefined":
            "{0} of {1} {1|packet|packets} {0|has|have} an undefined type from 51 to 63 ({4|frame|frames} {3}).",
        "rule.AAC-AUHDR": "Access unit headers match the payload.",
        "AAC-AUHDR.size":
            "{0} of {1} {1|packet|packets} {0|has|have} access unit headers that do not match the payload "
            + "({4|frame|frames} {3}).",
        "AAC-AUHDR.index":
            "{0} of {1} {1|packet|packets} {0|has|have} a nonzero AU-Index or AU-Index-delta without interleaving "
            + "({4|frame|frames} {3}).",
        "rule.LATM-LENGTH": "LATM elements have the lengths that they announce.",
        "LATM-LENGTH.size":
            "{0} of {1} {1|packet|packets} {0|has|have} element lengths that do not match the payload and the marker "
            + "({4|frame|frames} {3}).",
        "LATM-LENGTH.marker":
            "{0} {0|element ends|elements end} without the marker, in {1} {1|packet|packets} (the next "
            + "{0|starts|start} in {4|frame|frames} {3}).",
        "rule.OPUS-FRAMES": "The frames of Opus packets match the payload.",
        "OPUS-FRAMES.malformed":
            "{0} of {1} Opus {1|packet|packets} {0|has|have} frames that do not match the payload ({4|frame|frames} "
            + "{3}).",
        "rule.MPEG4-CONFIG": "config has the profile, level and size of the stream.",
        "MPEG4-CONFIG.differs": "The headers in the stream differ from config.",
        "rule.VP8-DESC":
            "The VP8 payload descriptor is complete; S marks the start of frames, and PictureID increases by one per "
            + "frame.",
        "VP8-DESC.short":
            "{0} of {1} {1|packet|packets} {0|has|have} a payload descriptor longer than the payload ({4|frame|frames} "
            + "{3}).",
        "VP8-DESC.pictureID":
            "{0} of {1} {1|packet|packets} {0|has|have} a PictureID that is not the next one, although no packet is "
            + "missing ({4|frame|frames} {3}).",
        "VP8-DESC.start":
            "{0} of {1} {1|packet|packets} {0|starts|start} a frame without the S bit ({4|frame|frames} {3}).",
        "VP8-DESC.again":
            "{0} of {1} {1|packet|packets} {0|has|have} the S bit, although the previous packet is of the same "
            + "partition ({4|frame|frames} {3}).",
        "rule.VP9-DESC":
            "The VP9 payload descriptor is complete; B and E mark the start and end of frames, and PictureID increases "
            + "by one per picture.",
        "VP9-DESC.short":
            "{0} of {1} {1|packet|packets} {0|has|have} a payload descriptor longer than the payload ({4|frame|frames} "
            + "{3}).",
        "VP9-DESC.fields":
            "{0} of {1} {1|packet|packets} {0|has|have} contradictory payload descriptor fields ({4|frame|frames} "
            + "{3}).",
        "VP9-DESC.start":
            "{0} of {1} {1|packet|packets} {0|starts|start} a frame without the B bit ({4|frame|frames} {3}).",
        "VP9-DESC.again":
            "{0} of {1} {1|packet|packets} {0|starts|start} a frame (B) before the end of the previous one (E) "
            + "({4|frame|frames} {3}).",
        "VP9-DESC.pictureID":
            "{0} of {1} {1|packet|packets} {0|has|have} a PictureID that is not the next one, although no packet is "
            + "missing ({4|frame|frames} {3}).",
        "rule.AV1-OBU": "OBU elements match the payload, and continue as Z and Y indicate.",
        "AV1-OBU.size":
            "{0} of {1} {1|packet|packets} {0|has|have} no OBU elements, or elements that do not match the payload and "
            + "their count (W) ({4|frame|frames} {3}).",
        "AV1-OBU.noStart":
            "{0} of {1} {1|packet|packets} {0|continues|continue} an OBU (Z) that the previous packet did not start "
            + "({4|frame|frames} {3}).",
        "AV1-OBU.noEnd":
            "{0} of {1} {1|packet|packets} {0|does|do} not continue the OBU that the previous packet started (Y) "
            + "({4|frame|frames} {3}).",
        "AV1-OBU.sequence":
            "{0} of {1} {1|packet|packets} {0|starts|start} a coded video sequence (N), but {0|continues|continue} an "
            + "OBU (Z) ({4|frame|frames} {3}).",
        "rule.TEL-EVENT": "Telephone events have one timestamp and an end packet.",
        "TEL-EVENT.timestamp":
            "{0} of {1} {1|packet|packets} {0|continues|continue} a telephone event with another timestamp "
            + "({4|frame|frames} {3}).",
        "TEL-EVENT.end":
            "{0} telephone {0|event has|events have} no packet with the E bit, although no packet is missing (the last "
            + "{0|is|are} in {4|frame|frames} {3}).",
        "rule.JPEG-HDR": "JPEG fragments are contiguous.",
        "JPEG-HDR.offset":
            "{0} of {1} {1|packet|packets} {0|has|have} a fragment offset that does not follow the previous fragment, "
            + "although no packet is missing ({4|frame|frames} {3}).",
        "JPEG-HDR.changed":
            "{0} of {1} {1|packet|packets} {0|has|have} a main header that changes within a picture, or is incomplete "
            + "({4|frame|frames} {3}).",
        "rule.PCM-SIZE": "Packets have the duration given by ptime.",
        "PCM-SIZE.timestamps":
            "Packets have {0} samples on average, but timestamps advance by {1} per packet.",
        "PCM-SIZE.parts":
            "{0} of {1} {1|packet|packets} {0|ends|end} within a sample ({3|frame|frames} {2}).",
        "PCM-SIZE.other":
            "{0} of {1} {1|packet|packets} {0|has|have} a sample count other than announced, or not a whole number: "
            + "{2} {2|octet|octets} on average ({4|frame|frames} {3}).",
        "rule.RTP-PACE": "The packets of a picture arrive before the next picture.",
        "RTP-PACE.slow":
            "99 % of the pictures take up to {0} ms from first to last packet ({2} ms at most), at a picture interval "
            + "of {1} ms.",
        "rule.RTP-TCP-FRAME": "Over TCP, the length before each packet is correct.",
        "RTP-TCP-FRAME.length":
            "The length {0} before a packet does not lead to the next one: {1} octets after it are not a packet.",
        "rule.TS-SYNC": "Each transport stream packet starts with 0x47, and datagrams contain whole packets.",
        "TS-SYNC.broken":
            "{0} of {1} {1|packet|packets} {0|does|do} not consist of 188-octet transport stream packets that start "
            + "with 0x47 ({4|frame|frames} {3}).",
        "rule.TS-PAT": "The PAT is sent every 500 ms, unscrambled.",
        "TS-PAT.late": "The PAT was more than 500 ms late, or malformed, {0} {0|time|times} ({4|frame|frames} {3}).",
        "rule.TS-CC": "The continuity counter of a PID increases by one.",
        "TS-CC.datagram":
            "{0} of {1} datagrams {0|has|have} a continuity counter error: packets are missing, out of order or "
            + "duplicated ({4|frame|frames} {3}).",
        "TS-CC.jump":
            "{0} of {1} {1|packet|packets} {0|has|have} a continuity counter error, although no RTP packet is missing "
            + "({4|frame|frames} {3}).",
        "rule.TS-PMT": "Each PMT is sent every 500 ms, unscrambled.",
        "TS-PMT.late": "A PMT was more than 500 ms late, or malformed, {0} {0|time|times} ({4|frame|frames} {3}).",
        "rule.TS-TEI": "The transport error indicator is 0.",
        "TS-TEI.set":
            "{0} of {1} {1|packet|packets} {0|has|have} the transport error indicator set ({4|frame|frames} {3}).",
        "rule.TS-CRC": "The CRC of each table is correct.",
        "TS-CRC.wrong": "The CRC of a table is wrong {0} {0|time|times} ({4|frame|frames} {3}).",
        "rule.TS-PCR": "The PCR is sent every 100 ms, and does not jump.",
        "TS-PCR.late":
            "{0} {0|time|times}, no PCR arrived for more than 100 ms: it is sent too seldom, or in bursts ({4|frame|frames} "
            + "{3}).",
        "TS-PCR.jump": "The PCR went back, or jumped by more than 100 ms, {0} {0|time|times} ({4|frame|frames} {3}).",
        "rule.TS-PTS": "Each elementary stream has a PTS every 700 ms.",
        "TS-PTS.late": "The PTS was more than 700 ms late {0} {0|time|times} ({4|frame|frames} {3}).",
        "rule.PS-IN-RTP": "MPEG-PS in RTP is reported.",
        "PS-IN-RTP.named": "The payload is an MPEG program stream, as GB/T 28181 devices send it ({0} {0|pack|packs}).",
        "rule.RTP-ENDPOINT": "Media is sent from the negotiated address and port, to the client's port.",
        "RTP-ENDPOINT.destination": "Media is sent to {0}, although {1} was negotiated.",
        "RTP-ENDPOINT.port": "Media is sent from the port of {0}, although {1} was negotiated.",
        "RTP-ENDPOINT.address": "Media is sent from the address of {0}, although {1} was negotiated.",
        "rule.RTP-SKEW": "Audio and video do not drift apart.",
        "RTP-SKEW.video": "Audio and video drift apart by {0} ms in {1} s (± {2} ms): the video clock is off by {3} %.",
        "RTP-SKEW.audio": "Audio and video drift apart by {0} ms in {1} s (± {2} ms): the audio clock is off by {3} %.",
        "RTP-NOT-ARRIVED.never":
            "No media of {0} within {1} s after PLAY or RECORD was accepted: not sent, dropped by a firewall or NAT, "
            + "or not captured.",
        "RTP-NOT-ARRIVED.noDatagrams": "The capture contains no UDP: whether media of {0} was received is unknown.",
        "RTP-NOT-ARRIVED.unreachable":
            "Media of {0} is not received: nothing is listening on {1} (ICMP port unreachable).",
        "RTP-NOT-ARRIVED.rtcp": "Nothing is listening on {0} (ICMP port unreachable): sender reports are lost.",
        "RTP-NOT-ARRIVED.nobody":
            "Nothing is listening on {0} ({1}× ICMP port unreachable, until the end): this media is not received.",
        "RTP-NOT-ARRIVED.late": "The first media packet is {0} s after PLAY or RECORD was accepted.",
        "RTP-SEQ-LOSS.silence":
            "{0} {0|packet|packets} {0|is|are} missing in a pause of seconds: lost, or sent elsewhere.",
        "RTP-SEQ-LOSS.correction":
            "{0} {0|packet|packets} without FEC protection {0|is|are} missing among protected media: possibly FEC "
            + "{0|packet|packets}.",
        "RTP-SEQ-LOSS.edge":
            "{0} {0|packet|packets} {0|is|are} missing near the first or last packet of a stream with reordering: "
            + "possibly sent before or after the capture.",
        "RTP-SEQ-LOSS.lost":
            "{0} of {1} {1|packet|packets} {0|is|are} missing ({2} %), at most {3} in a row: video or audio breaks up.",
        "RTP-SEQ-LOSS.perhapsSkipped":
            "{0} {0|packet|packets} {0|is|are} missing at a pause or seek: lost, or sequence numbers skipped by the "
            + "sender.",
        "RTP-SEQ-LOSS.skipped":
            "{0} of {1} sequence numbers ({2} %) {0|was|were} skipped at a pause or seek, as some servers do.",
        "RTP-SEQ-LOSS.arrived": "{0} {0|packet was|packets were} not captured; the receiver reports {1} as lost.",
        "RTP-SEQ-LOSS.reported":
            "The receiver reports {0} of {1} {1|packet|packets} lost ({2} %) from its first to its last report; {3} "
            + "missing in the capture.",
        "RTP-SEQ-LOSS.framing":
            "{0} {0|packet|packets} {0|is|are} missing, but interleaved frames are damaged: possibly their packets.",
        "RTP-SEQ-LOSS.inconclusive":
            "{0} {0|packet|packets} {0|is|are} missing, but so are octets of the connection: possibly not captured.",
        "RTP-SEQ-REORDER.late": "{0} of {1} {1|packet|packets} arrived after packets with higher sequence numbers.",
        "RTP-SEQ-DUP.again":
            "{0} of {1} {1|packet|packets} {0|has|have} the sequence number of another packet, but another payload type, "
            + "timestamp or payload ({3|frame|frames} {2}).",
        "RTP-SEQ-RESTART.restarts":
            "The sequence numbers restart {0} {0|time|times} under the same SSRC, first from {1} to {2} ({4|frame|frames} "
            + "{3}): receivers drop packets or stall.",
        "RTP-SEQ-RESTART.inconclusive":
            "The sequence numbers restart from {0} to {1}; a request for it may not have been captured.",
        "RTP-SEQ-DUP.twice": "{0} of {1} {1|packet|packets} {0|is a duplicate|are duplicates}.",
        "RTP-JITTER.high": "The mean jitter is {0} ms (limit {1} ms, maximum {2} ms): receivers need a larger buffer.",
        "RTP-PORT-EVEN.odd": "Media section {0} uses the odd port {1} for RTP, without a=rtcp for the RTCP port.",
        "RTP-PORT-EVEN.inconclusive": "RTP uses the odd port {0}; the signaling was not captured.",
        "RTCP-SR-ABSENT.never": "No sender report in {0} s: audio and video cannot be synchronized.",
        "RTCP-SR-ABSENT.inconclusive":
            "No sender report in {0} s; without captured signaling, RTCP may use another path.",
        "RTCP-RR-ABSENT.never": "No receiver report in {0} s: the sender does not know whether its media arrives.",
        "RTCP-RR-ABSENT.inconclusive":
            "No receiver report in {0} s; without captured signaling, RTCP may use another path.",
        "rule.RTP-NOT-ARRIVED": "Media starts after it was requested.",
        "rule.RTP-SEQ-LOSS": "Few packets are lost.",
        "rule.RTP-SEQ-REORDER": "Packets arrive in order.",
        "rule.RTP-SEQ-RESTART": "Sequence numbers continue under the same SSRC.",
        "rule.RTP-SEQ-DUP": "Packets are not duplicated.",
        "rule.RTP-JITTER": "Packets arrive evenly.",
        "rule.RTP-PORT-EVEN": "RTP uses an even port unless SDP says otherwise.",
        "rule.RTCP-SR-ABSENT": "A sender of media sends sender reports.",
        "rule.RTCP-RR-ABSENT": "A receiver of media sends receiver reports.",
    ]
}
