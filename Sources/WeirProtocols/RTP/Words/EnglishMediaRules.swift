extension RTPWords {
    /// What the rules about single packets, payload formats and reports say.
    static let englishMediaRules: [String: String] = [
        "rule.RTP-VERSION": "RTP packets have version 2.",
        "RTP-VERSION.other":
            "{0} of {1} {1|packet|packets} {0|has|have} version {2} in place of 2; {0|it was|they were} captured, but "
            + "a receiver drops {0|it|them} ({4|frame|frames} {3}).",
        "rule.RTP-LENGTH": "The header of an RTP packet fits the packet.",
        "RTP-LENGTH.short":
            "{0} of {1} {1|packet|packets} {0|announces|announce} {2} contributing {2|source|sources}, more than fit "
            + "({4|frame|frames} {3}).",
        "rule.RTP-PADDING": "The last octet of a padded packet counts its padding.",
        "RTP-PADDING.count":
            "{0} of {1} {1|packet|packets} {0|has|have} P set, but the last octet, {2} in the first, counts no "
            + "padding that fits ({4|frame|frames} {3}).",
        "rule.RTP-EXT-LEN": "A header extension fits the packet.",
        "RTP-EXT-LEN.long":
            "{0} of {1} {1|packet|packets} {0|has|have} a header extension that is longer than the packet "
            + "({4|frame|frames} {3}).",
        "rule.RTP-EXT-BLOCK": "The elements of a header extension fit it.",
        "RTP-EXT-BLOCK.long":
            "In {0} of {1} {1|packet|packets} an element of the header extension does not fit it ({4|frame|frames} "
            + "{3}).",
        "RTP-EXT-BLOCK.reserved":
            "In {0} of {1} {1|packet|packets} the header extension has the identifier 15, at which receivers stop "
            + "reading ({4|frame|frames} {3}).",
        "rule.RTP-EXT-MAP": "Header extension elements are those of a=extmap.",
        "RTP-EXT-MAP.unknown":
            "{0} of {1} {1|packet|packets} {0|has|have} header extension elements that no a=extmap names, such as {2} "
            + "({4|frame|frames} {3}).",
        "rule.RTP-PT": "Payload types were negotiated.",
        "RTP-PT.unknown":
            "{0} of {1} {1|packet|packets} {0|has|have} a payload type that no description in the capture names, {2} "
            + "in the first ({4|frame|frames} {3}).",
        "rule.RTP-PT-MUX": "With rtcp-mux no payload type looks like RTCP.",
        "RTP-PT-MUX.collides":
            "Payload type {2} cannot be told from RTCP where both share a port ({4|frame|frames} {3}).",
        "rule.RTP-FRAGMENT": "Media packets are not fragmented by IP.",
        "RTP-FRAGMENT.fragmented":
            "{0} of {1} {1|packet|packets} came in IP fragments, the first of {2} {2|octet|octets} ({4|frame|frames} "
            + "{3}).",
        "rule.RTP-SSRC-ANNOUNCED": "The SSRC is the one that was announced.",
        "RTP-SSRC-ANNOUNCED.other": "{1} {1|packet comes|packets come} from SSRC {0}, which was not announced.",
        "rule.RTP-SSRC-CHANGE": "The SSRC does not change without BYE.",
        "RTP-SSRC-CHANGE.changed":
            "At seq {3} SSRC {2} goes on in place of {1}, and no BYE of that is in the capture ({0} such "
            + "{0|change|changes}).",
        "rule.RTP-SSRC-COLLISION": "No two sources use one SSRC.",
        "RTP-SSRC-COLLISION.shared": "Two sources that send at the same time use this SSRC.",
        "rule.RTP-TS-RATE": "Timestamps advance at the clock rate.",
        "RTP-TS-RATE.off": "Timestamps advance by {0} ticks a second in place of {1}: {2} % off, over {3} s.",
        "RTP-TS-RATE.still": "All {0} packets have the timestamp {1}, for {2} s: the clock of the media stands still.",
        "rule.RTP-TS-BACK": "Timestamps neither go back nor jump.",
        "RTP-TS-BACK.back": "Timestamps go back {0} {0|time|times}, by up to {1} s ({3|frame|frames} {2}).",
        "RTP-TS-BACK.ahead":
            "Timestamps jump ahead {0} {0|time|times}, by up to {1} s more than passed ({3|frame|frames} {2}).",
        "RTP-TS-BACK.sent":
            "{0} of {1} {1|packet|packets} {0|has|have} an earlier timestamp than the packet before: these are no times "
            + "of sending, and jitter cannot be told by them ({3|frame|frames} {2}).",
        "rule.RTP-TS-AU": "An access unit has one timestamp.",
        "RTP-TS-AU.several":
            "{0} of {1} {1|packet|packets} {0|goes|go} on with a picture under another timestamp than the packet "
            + "before ({4|frame|frames} {3}).",
        "rule.RTP-MARKER": "The marker ends each picture, or begins sound behind a silence.",
        "RTP-MARKER.missing":
            "{0} {0|picture ends|pictures end} without the marker, in {1} {1|packet|packets} (the next "
            + "{0|begins|begin} in {4|frame|frames} {3}).",
        "RTP-MARKER.early":
            "Behind {0} {0|packet|packets} with the marker the same picture goes on, of {1} {1|packet|packets} "
            + "({4|frame|frames} {3}).",
        "RTP-MARKER.sound":
            "{0} of {1} {1|packet|packets} of sound {0|has|have} the marker, though the packet right before had it, too, "
            + "and no silence was between ({4|frame|frames} {3}).",
        "rule.H264-MODE": "Packet types are allowed by the packetization mode.",
        "H264-MODE.structure":
            "{0} of {1} {1|packet|packets} {0|has|have} a structure that the announced packetization-mode does not "
            + "allow ({4|frame|frames} {3}).",
        "H264-MODE.undefined":
            "{0} of {1} {1|packet|packets} {0|has|have} a type without a meaning: 0, 30 or 31 ({4|frame|frames} {3}).",
        "rule.H264-FU": "Fragmented NAL units begin, go on and end.",
        "H264-FU.whole":
            "{0} of {1} {1|packet|packets} {0|is|are} a first and a last fragment at once ({4|frame|frames} {3}).",
        "H264-FU.noStart":
            "{0} of {1} {1|packet|packets} {0|goes|go} on with a NAL unit that never began, though no packet is "
            + "missing ({4|frame|frames} {3}).",
        "H264-FU.noEnd":
            "{0} of {1} {1|packet|packets} {0|begins|begin} something else while a NAL unit is not complete, though "
            + "no packet is missing ({4|frame|frames} {3}).",
        "H264-FU.empty":
            "{0} of {1} {1|packet|packets} {0|is a fragment|are fragments} without a payload ({4|frame|frames} {3}).",
        "rule.H264-FU-TYPE": "Fragments of a NAL unit have one type.",
        "H264-FU-TYPE.changed":
            "In {0} of {1} {1|packet|packets} the type or NRI differs from the fragments before ({4|frame|frames} "
            + "{3}).",
        "rule.H264-STAP": "Aggregation packets add up.",
        "H264-STAP.size":
            "In {0} of {1} {1|packet|packets} the sizes of the aggregated NAL units do not add up to the payload "
            + "({4|frame|frames} {3}).",
        "H264-STAP.nested":
            "{0} of {1} {1|packet|packets} {0|aggregates|aggregate} fragments or aggregation packets "
            + "({4|frame|frames} {3}).",
        "H264-STAP.importance":
            "In {0} of {1} {1|packet|packets} the NRI of the aggregation packet is not the highest of its NAL units "
            + "({4|frame|frames} {3}).",
        "rule.H264-FBIT": "The forbidden bit is clear.",
        "H264-FBIT.set":
            "{0} of {1} {1|packet|packets} {0|has|have} the forbidden_zero_bit set ({4|frame|frames} {3}).",
        "rule.H264-ANNEXB": "Payloads have no start codes.",
        "H264-ANNEXB.startCode":
            "{0} of {1} {1|packet|packets} {0|has|have} start codes of the byte stream format ({4|frame|frames} {3}).",
        "rule.H264-FIRST-IDR": "Decoding can begin soon.",
        "H264-FIRST-IDR.late": "The first key frame came {0} s after media was accepted.",
        "H264-FIRST-IDR.never": "No key frame came in the {0} s after media was accepted.",
        "rule.H265-FU": "Fragmented NAL units begin, go on and end.",
        "H265-FU.whole":
            "{0} of {1} {1|packet|packets} {0|is|are} a first and a last fragment at once ({4|frame|frames} {3}).",
        "H265-FU.noStart":
            "{0} of {1} {1|packet|packets} {0|goes|go} on with a NAL unit that never began, though no packet is "
            + "missing ({4|frame|frames} {3}).",
        "H265-FU.noEnd":
            "{0} of {1} {1|packet|packets} {0|begins|begin} something else while a NAL unit is not complete, though "
            + "no packet is missing ({4|frame|frames} {3}).",
        "H265-FU.empty":
            "{0} of {1} {1|packet|packets} {0|is a fragment|are fragments} without a payload ({4|frame|frames} {3}).",
        "H265-FU.changed":
            "In {0} of {1} {1|packet|packets} the type or NRI differs from the fragments before ({4|frame|frames} "
            + "{3}).",
        "rule.H265-AP": "Aggregation packets hold two or more NAL units that fill it.",
        "H265-AP.size":
            "In {0} of {1} {1|packet|packets} the sizes of the aggregated NAL units do not add up to the payload "
            + "({4|frame|frames} {3}).",
        "H265-AP.nested":
            "{0} of {1} {1|packet|packets} {0|aggregates|aggregate} or {0|fragments|fragment} what is an aggregation "
            + "packet or a fragment ({4|frame|frames} {3}).",
        "H265-AP.lone":
            "{0} of {1} {1|packet|packets} {0|is an aggregation packet with|are aggregation packets with} fewer than "
            + "two NAL units ({4|frame|frames} {3}).",
        "rule.H265-SPROP": "The announced parameter sets are those of the stream.",
        "H265-SPROP.differs": "The parameter set in the stream is another than {0} announces.",
        "rule.H265-FBIT": "The forbidden bit is clear.",
        "H265-FBIT.set":
            "{0} of {1} {1|packet|packets} {0|has|have} the forbidden_zero_bit set ({4|frame|frames} {3}).",
        "rule.H265-ANNEXB": "Payloads have no start codes.",
        "H265-ANNEXB.startCode":
            "{0} of {1} {1|packet|packets} {0|has|have} start codes of the byte stream format ({4|frame|frames} {3}).",
        "rule.H265-HDR": "Payload headers have a temporal identifier and a type that there are.",
        "H265-HDR.temporal":
            "{0} of {1} {1|packet|packets} {0|has|have} TID 0, though the temporal identifier stands there plus 1 "
            + "({4|frame|frames} {3}).",
        "H265-HDR.undefined":
            "{0} of {1} {1|packet|packets} {0|has|have} a type without a meaning, from 51 to 63 ({4|frame|frames} {3}).",
        "rule.AAC-AUHDR": "Access unit headers fit the payload.",
        "AAC-AUHDR.size":
            "In {0} of {1} {1|packet|packets} the access unit headers do not fit the payload ({4|frame|frames} {3}).",
        "AAC-AUHDR.index":
            "In {0} of {1} {1|packet|packets} AU-Index or a difference is not 0, though nothing is interleaved "
            + "({4|frame|frames} {3}).",
        "rule.LATM-LENGTH": "Elements of LATM have the lengths that they say.",
        "LATM-LENGTH.size":
            "In {0} of {1} {1|packet|packets} the lengths of an element do not fit the payload and its marker "
            + "({4|frame|frames} {3}).",
        "LATM-LENGTH.marker":
            "{0} {0|element ends|elements end} without the marker, in {1} {1|packet|packets} (the next {0|begins|begin} in "
            + "{4|frame|frames} {3}).",
        "rule.OPUS-FRAMES": "The frames of Opus packets fill them.",
        "OPUS-FRAMES.malformed":
            "In {0} of {1} {1|packet|packets} the frames do not fill the Opus packet as its first octets say "
            + "({4|frame|frames} {3}).",
        "rule.MPEG4-CONFIG": "config has the profile, level and size of the stream.",
        "MPEG4-CONFIG.differs": "The headers in the stream say something else than config announces.",
        "rule.VP8-DESC": "The VP8 payload descriptor fits; S begins frames, and PictureID counts them.",
        "VP8-DESC.short":
            "In {0} of {1} {1|packet|packets} the payload descriptor does not fit the payload ({4|frame|frames} {3}).",
        "VP8-DESC.pictureID":
            "In {0} of {1} {1|packet|packets} PictureID does not follow the one before, though no packet is missing "
            + "({4|frame|frames} {3}).",
        "VP8-DESC.start":
            "{0} of {1} {1|packet|packets} {0|begins|begin} a frame without the S bit ({4|frame|frames} {3}).",
        "VP8-DESC.again":
            "{0} of {1} {1|packet|packets} {0|has|have} the S bit, though the packet before is of the same partition "
            + "({4|frame|frames} {3}).",
        "rule.VP9-DESC": "The VP9 payload descriptor fits; B and E enclose frames, and PictureID counts pictures.",
        "VP9-DESC.short":
            "In {0} of {1} {1|packet|packets} the payload descriptor does not fit the payload ({4|frame|frames} {3}).",
        "VP9-DESC.fields":
            "In {0} of {1} {1|packet|packets} fields of the payload descriptor contradict each other ({4|frame|frames} "
            + "{3}).",
        "VP9-DESC.start":
            "{0} of {1} {1|packet|packets} {0|begins|begin} a frame without the B bit ({4|frame|frames} {3}).",
        "VP9-DESC.again":
            "{0} of {1} {1|packet|packets} {0|begins|begin} a frame (B), though the one before did not end (E) "
            + "({4|frame|frames} {3}).",
        "VP9-DESC.pictureID":
            "In {0} of {1} {1|packet|packets} PictureID does not follow the one before, though no packet is missing "
            + "({4|frame|frames} {3}).",
        "rule.AV1-OBU": "OBU elements fill the payload, and go on as Z and Y say.",
        "AV1-OBU.size":
            "In {0} of {1} {1|packet|packets} the OBU elements are none, or do not fit the payload and their number (W) "
            + "({4|frame|frames} {3}).",
        "AV1-OBU.noStart":
            "{0} of {1} {1|packet|packets} {0|goes|go} on with an OBU (Z) that the packet before did not leave unfinished "
            + "({4|frame|frames} {3}).",
        "AV1-OBU.noEnd":
            "{0} of {1} {1|packet|packets} {0|does|do} not go on with the OBU that the packet before left unfinished (Y) "
            + "({4|frame|frames} {3}).",
        "AV1-OBU.sequence":
            "{0} of {1} {1|packet|packets} {0|begins|begin} a coded video sequence (N), and {0|goes|go} on with an OBU (Z) "
            + "({4|frame|frames} {3}).",
        "rule.TEL-EVENT": "Telephone events have one timestamp and an end.",
        "TEL-EVENT.timestamp":
            "{0} of {1} {1|packet|packets} {0|goes|go} on with a telephone event under another timestamp than before "
            + "({4|frame|frames} {3}).",
        "TEL-EVENT.end":
            "{0} telephone {0|event has|events have} no packet with the E bit, though all packets came (the last "
            + "{0|is|are} in {4|frame|frames} {3}).",
        "rule.JPEG-HDR": "JPEG fragments follow each other.",
        "JPEG-HDR.offset":
            "In {0} of {1} {1|packet|packets} the fragment does not begin where the one before ended, though no "
            + "packet is missing ({4|frame|frames} {3}).",
        "JPEG-HDR.changed":
            "In {0} of {1} {1|packet|packets} the main header differs within a picture, or does not fit "
            + "({4|frame|frames} {3}).",
        "rule.PCM-SIZE": "Packets hold the samples that ptime says.",
        "PCM-SIZE.parts":
            "{0} of {1} {1|packet|packets} {0|ends|end} within a sample ({3|frame|frames} {2}).",
        "PCM-SIZE.other":
            "{0} of {1} {1|packet|packets} {0|holds|hold} another number of samples than was announced, or no whole "
            + "number: {2} {2|octet|octets} on average ({4|frame|frames} {3}).",
        "rule.RTCP-COMPOUND": "A datagram of RTCP begins with a report and has a CNAME.",
        "RTCP-COMPOUND.noReport":
            "The datagram does not begin with a sender or receiver report, and reduced size was not agreed on.",
        "RTCP-COMPOUND.noName":
            "The datagram has no source description with a CNAME, and reduced size was not agreed on.",
        "RTCP-COMPOUND.bye": "Behind the goodbye of a source another packet of it follows in the datagram.",
        "rule.RTCP-LENGTH": "RTCP packets fill their datagram.",
        "RTCP-LENGTH.broken": "The datagram cannot be read to its end: {0}.",
        "RTCP-LENGTH.version": "The datagram has version {0} in place of 2: a receiver drops it.",
        "RTCP-LENGTH.padding": "A packet before the last one has padding.",
        "rule.RTCP-CNAME": "A source has one CNAME.",
        "RTCP-CNAME.changed": "SSRC {0} has another CNAME than before.",
        "rule.RTCP-SR-COUNT": "Sender reports count what was sent.",
        "RTCP-SR-COUNT.packets":
            "Between the first and the last sender report {0} {0|packet was|packets were} counted; the capture holds "
            + "{1} and knows of {2} missing.",
        "RTCP-SR-COUNT.fell": "The count of packets fell from {0} to {1}, though the source goes on.",
        "RTCP-SR-COUNT.headers":
            "The count of octets grew by {0} between the first and the last sender report, and the payload by {1}: 12 more for "
            + "each packet, as if headers counted.",
        "RTCP-SR-COUNT.octets":
            "Between the first and the last sender report {0} {0|octet was|octets were} counted, the capture has {1}.",
        "rule.RTCP-SR-CLOCK": "Sender reports tie timestamps to the wall clock.",
        "RTCP-SR-CLOCK.slope":
            "Between the first and the last sender report {0} s passed by NTP, {1} s by RTP (clock rate {2}).",
        "RTCP-SR-CLOCK.date": "The sender's wall clock says {0}, more than a day away from the capture's.",
        "rule.RTCP-RR-LSR": "Reception reports name sender reports that were sent.",
        "RTCP-RR-LSR.unknown":
            "{0} of {1} reception {1|report|reports} {0|names|name} a sender report that the capture does not hold.",
        "rule.RTCP-RR-SEQ": "Reception reports name numbers that were sent.",
        "RTCP-RR-SEQ.ahead":
            "The report names {0} as the highest sequence number received; the last one sent by then was {1}, and {0} never "
            + "came.",
        "rule.RTCP-RR-LOSS": "Receivers report the loss that the capture shows.",
        "RTCP-RR-LOSS.behind":
            "The receiver reports {0} {0|packet|packets} lost while the stream was captured, the capture misses {1}: "
            + "the others got lost behind the place of capture.",
        "rule.RTCP-INTERVAL": "Reports come about as often as computed.",
        "RTCP-INTERVAL.seldom": "Sender reports are at least {0} s apart, three times as seldom as they should be.",
        "RTCP-INTERVAL.often": "Sender reports come every {0} s on average, three times as often as they should.",
        "rule.RTCP-BYE": "A source that leaves says goodbye.",
        "RTCP-BYE.never": "The source stopped sending {0} s before the session ended, without BYE.",
        "RTCP-BYE.goesOn": "The source said goodbye, and sends on for {0} s.",
        "rule.RTCP-MUX": "RTCP shares the port of RTP only by agreement.",
        "RTCP-MUX.unagreed": "RTCP comes on the port of RTP, though a=rtcp-mux was not agreed on.",
        "rule.RTCP-FB-NEGOTIATED": "Feedback was agreed on.",
        "RTCP-FB-NEGOTIATED.kind": "Feedback of the kind {0} was not offered by a=rtcp-fb.",
        "RTCP-FB-NEGOTIATED.profile": "Feedback of the kind {0} comes under a profile without feedback.",
        "rule.RTCP-NACK-SERVED": "Packets that are asked for come again.",
        "RTCP-NACK-SERVED.never":
            "{0} of {1} {1|packet that was|packets that were} asked for again {0|has|have} not come, first seq {2}.",
        "RTCP-NACK-SERVED.late": "The slowest packet that was asked for again took {0} ms.",
        "rule.RTCP-PLI-SERVED": "Key frames come when asked for.",
        "RTCP-PLI-SERVED.never": "No key frame came in the {0} s after it was asked for.",
        "RTCP-PLI-SERVED.late": "A key frame came {0} s after it was asked for.",
        "rule.RTCP-FIR": "Requests for full pictures are well formed.",
        "RTCP-FIR.source": "The media source of a FIR is {0} in place of 0.",
        "RTCP-FIR.number": "The number of the request goes from {0} to {1}.",
        "rule.RTP-PACE": "The packets of a picture come before the next.",
        "RTP-PACE.slow":
            "99 of 100 pictures take up to {0} ms from their first packet to their last, {2} ms at most; pictures "
            + "come every {1} ms.",
        "rule.RTP-TCP-FRAME": "Over TCP the length before each packet is that of the packet.",
        "RTP-TCP-FRAME.length":
            "The length before a packet, {0}, does not lead to the next one: {1} octets behind it are no packet.",
        "rule.TS-SYNC": "Each packet of a transport stream begins with 0x47, and datagrams hold whole packets.",
        "TS-SYNC.broken":
            "In {0} of {1} {1|packet|packets} the transport stream does not keep its packets of 188 octets that begin "
            + "with 0x47 ({4|frame|frames} {3}).",
        "rule.TS-PAT": "The program association table comes every 500 ms, unscrambled.",
        "TS-PAT.late":
            "The program association table was later than 500 ms, or broken, {0} {0|time|times} ({4|frame|frames} "
            + "{3}).",
        "rule.TS-CC": "The continuity counter of a PID goes up by one.",
        "TS-CC.datagram":
            "In {0} of {1} datagrams the counter of a PID does not go up by one: packets before them are missing, came in "
            + "another order, or stand there twice ({4|frame|frames} {3}).",
        "TS-CC.jump":
            "In {0} of {1} {1|packet|packets} a continuity counter jumps, though no RTP packet is missing before them "
            + "({4|frame|frames} {3}).",
        "rule.TS-PMT": "Program map tables come every 500 ms, unscrambled.",
        "TS-PMT.late":
            "A program map table was later than 500 ms, or broken, {0} {0|time|times} ({4|frame|frames} {3}).",
        "rule.TS-TEI": "The transport error indicator is clear.",
        "TS-TEI.set": "In {0} of {1} {1|packet|packets} the transport error indicator is set ({4|frame|frames} {3}).",
        "rule.TS-CRC": "The checksums of tables are right.",
        "TS-CRC.wrong": "The checksum of a table is wrong {0} {0|time|times} ({4|frame|frames} {3}).",
        "rule.TS-PCR": "The clock reference comes every 100 ms, and does not jump.",
        "TS-PCR.late":
            "The program clock reference was later than 100 ms, or jumped, {0} {0|time|times} ({4|frame|frames} {3}).",
        "rule.TS-PTS": "Presentation times come every 700 ms.",
        "TS-PTS.late": "Presentation times were later than 700 ms {0} {0|time|times} ({4|frame|frames} {3}).",
        "rule.PS-IN-RTP": "MPEG-PS in RTP is named.",
        "PS-IN-RTP.named":
            "The payload is an MPEG program stream, as devices of GB/T 28181 send it ({0} {0|pack|packs}).",
        "rule.RTP-ENDPOINT":
            "Media comes from the granted address and port, and goes to the port that the client told.",
        "RTP-ENDPOINT.destination": "Media goes to {0}, though {1} was agreed on.",
        "RTP-ENDPOINT.port": "Media comes with the port of {0}, though {1} was agreed on.",
        "RTP-ENDPOINT.address": "Media comes with the address of {0}, though {1} was agreed on.",
        "rule.RTP-SKEW": "Sound and pictures do not drift apart.",
        "RTP-SKEW.video":
            "Sound and pictures drift apart by {0} ms in {1} s (± {2} ms): the clock of the video is off by {3} %.",
        "RTP-SKEW.audio":
            "Sound and pictures drift apart by {0} ms in {1} s (± {2} ms): the clock of the audio is off by {3} %.",
        "RTP-NOT-ARRIVED.never":
            "No media of {0} came within {1} s after PLAY or RECORD was accepted: not sent, stopped by a firewall or "
            + "NAT, or not captured.",
        "RTP-NOT-ARRIVED.noDatagrams":
            "Whether media of {0} came cannot be told: the capture holds no UDP datagram at all.",
        "RTP-NOT-ARRIVED.unreachable":
            "Media of {0} meets no socket: the host answers packets to {1} with ICMP port unreachable.",
        "RTP-NOT-ARRIVED.rtcp":
            "Nobody takes RTCP at {0}: its host answers with ICMP port unreachable, so that sender reports are lost.",
        "RTP-NOT-ARRIVED.nobody":
            "Nobody takes this media: the host answers packets to {0} with ICMP port unreachable, {1} {1|time|times} and to the "
            + "end.",
        "RTP-NOT-ARRIVED.late": "The first media came only {0} s after PLAY or RECORD was accepted.",
        "RTP-SEQ-LOSS.silence":
            "{0} {0|packet|packets} {0|is|are} missing where none came for seconds: lost, or sent elsewhere meanwhile.",
        "RTP-SEQ-LOSS.correction":
            "{0} {0|packet|packets} {0|is|are} missing that no error correction protects, though the media around is protected: "
            + "they may be its own.",
        "RTP-SEQ-LOSS.edge":
            "{0} {0|packet|packets} {0|is|are} missing beside the first or the last packet, where packets overtake each other: "
            + "before the capture began, or after it ended, they may have come.",
        "RTP-SEQ-LOSS.lost":
            "{0} of {1} {1|packet|packets} {0|is|are} missing ({2} %), at most {3} in a row: picture or sound breaks up.",
        "RTP-SEQ-LOSS.perhapsSkipped":
            "{0} {0|packet|packets} {0|is|are} missing where media stood still or moved: lost, or numbers that the sender skipped.",
        "RTP-SEQ-LOSS.skipped":
            "{0} of {1} sequence numbers ({2} %) {0|was|were} skipped where media was paused or moved: some servers do.",
        "RTP-SEQ-LOSS.arrived":
            "{0} {0|packet is|packets are} missing from the capture, of which the receiver reports {1} as lost.",
        "RTP-SEQ-LOSS.reported":
            "From its first report to its last the receiver counts {0} of {1} {1|packet|packets} as lost ({2} %); the capture "
            + "lacks {3} in all.",
        "RTP-SEQ-LOSS.inconclusive":
            "{0} {0|packet|packets} {0|is|are} missing, but the capture lacks octets of the connection, too: it may have lost them "
            + "itself.",
        "RTP-SEQ-REORDER.late": "{0} of {1} {1|packet|packets} came behind ones with higher numbers.",
        "RTP-SEQ-DUP.again":
            "{0} of {1} {1|packet|packets} {0|has|have} a number that was there before, and a later timestamp: the sender "
            + "does not count its packets ({3|frame|frames} {2}).",
        "RTP-SEQ-DUP.twice": "{0} of {1} {1|packet|packets} came a second time.",
        "RTP-JITTER.high":
            "The mean jitter is {0} ms (limit {1} ms, highest {2} ms): a receiver needs a larger buffer.",
        "RTP-PORT-EVEN.odd": "Medium {0} uses the odd port {1} for RTP, without a=rtcp to say where RTCP goes.",
        "RTP-PORT-EVEN.inconclusive": "RTP goes to the odd port {0}; no signalling was seen that might say why.",
        "RTCP-SR-ABSENT.never":
            "The stream lasted {0} s without a sender report: audio and video cannot be set in step.",
        "RTCP-SR-ABSENT.inconclusive":
            "No sender report was seen in {0} s, but without signalling RTCP may go elsewhere.",
        "RTCP-RR-ABSENT.never":
            "The stream lasted {0} s without a receiver report: the sender cannot tell whether it arrives.",
        "RTCP-RR-ABSENT.inconclusive":
            "No receiver report was seen in {0} s, but without signalling RTCP may go elsewhere.",
        "rule.RTP-NOT-ARRIVED": "Media comes after it was asked for.",
        "rule.RTP-SEQ-LOSS": "Few packets are lost.",
        "rule.RTP-SEQ-REORDER": "Packets arrive in order.",
        "rule.RTP-SEQ-DUP": "No packet arrives twice.",
        "rule.RTP-JITTER": "Packets arrive evenly.",
        "rule.RTP-PORT-EVEN": "RTP has an even port unless SDP says otherwise.",
        "rule.RTCP-SR-ABSENT": "A sender of media sends sender reports.",
        "rule.RTCP-RR-ABSENT": "A receiver of media sends receiver reports.",
    ]
}
