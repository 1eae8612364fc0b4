extension RTSPWords {
    /// Findings of the RTSP rules.
    static let englishRules: [String: String] = [
        "RTSP-VERSION.unknown":
            "The message names the version {0}; only RTSP/1.0 and RTSP/2.0 exist, so the other side may refuse it.",
        "RTSP-VERSION.answer":
            "The answer says {0}, though the request says {1}: the client cannot tell by which rules to read it.",
        "RTSP-VERSION.mixed":
            "The client goes over to {0}, though it spoke RTSP/{1}.0 before and no answer told it to change.",
        "RTSP-REQLINE.relativeURI":
            "{0} names {1}, which is no absolute URL: a server of several presentations cannot know what is meant.",
        "RTSP-REQLINE.blankInURI": "The URL of {0} contains a blank, which ends the URL for most servers: {1}",
        "RTSP-REQLINE.blanks": "The parts of the {0} request line are not separated by exactly one blank.",
        "RTSP-REQLINE.case":
            "{0} or the version is not written in upper case; methods are case-sensitive, so the server "
            + "does not know it.",
        "RTSP-CRLF.lineFeed":
            "Lines end in LF alone instead of CR LF: strict peers wait for the end of the header for ever.",
        "RTSP-CRLF.carriageReturn":
            "Lines end in CR alone, or in several CRs: many peers do not see the end of the line.",
        "RTSP-CRLF.leading":
            "Empty lines stand before the message; strict peers take them for the end of an empty header.",
        "RTSP-DATE-FORMAT.noWeekday": "The date {0} has no weekday.",
        "RTSP-DATE-FORMAT.monthFirst":
            "The date {0} has the month before the day; parsers of RFC 1123 dates cannot read it.",
        "RTSP-DATE-FORMAT.other": "The date {0} is not in the format of RFC 1123.",
        "RTSP-CSEQ-PRESENT.request": "{0} has no CSeq: the server cannot number its answer.",
        "RTSP-CSEQ-PRESENT.lone":
            "An answer has no CSeq: the client can only guess by order which request it answers.",
        "RTSP-CSEQ-PRESENT.answer":
            "The answer to {0} has no CSeq: the client can only guess by order which request it answers.",
        "RTSP-CSEQ-PRESENT.notNumber": "CSeq is \"{0}\", which is not just a number.",
        "RTSP-CSEQ-PRESENT.trailingBlank":
            "A blank stands behind CSeq {0}; parsers that take the whole value do not find the request.",
        "RTSP-CSEQ-ECHO.offByOne":
            "The answer to {0} has CSeq {2} instead of {1}: off by one, so that a client pairs it with the "
            + "wrong request or drops it.",
        "RTSP-CSEQ-ECHO.stuck":
            "The answer to {0} has CSeq {2} instead of {1}: the server repeats one number, so that clients "
            + "drop its answers.",
        "RTSP-CSEQ-ECHO.other":
            "The answer to {0} has CSeq {2} instead of {1}: a client that goes by the number finds no such request.",
        "RTSP-CSEQ-ECHO.unasked": "An answer with CSeq {0} came, though no request waits for one.",
        "RTSP-CSEQ-ECHO.inconclusive":
            "The request that the answer with CSeq {0} belongs to is not certain: the capture lacks parts "
            + "of the connection.",
        "RTSP2-CSEQ.offByOne":
            "The answer to {0} has CSeq {2} instead of {1}: off by one, so that a client pairs it with the "
            + "wrong request or drops it.",
        "RTSP2-CSEQ.stuck":
            "The answer to {0} has CSeq {2} instead of {1}: the server repeats one number, so that clients "
            + "drop its answers.",
        "RTSP2-CSEQ.other":
            "The answer to {0} has CSeq {2} instead of {1}: a client that goes by the number finds no such request.",
        "RTSP2-CSEQ.unasked": "An answer with CSeq {0} came, though no request waits for one.",
        "RTSP2-CSEQ.inconclusive":
            "The request that the answer with CSeq {0} belongs to is not certain: the capture lacks parts "
            + "of the connection.",
        "RTSP-CSEQ-UNIQUE.reused": "{0} has CSeq {1}, which {2} had before: answers to the two cannot be told apart.",
        "RTSP2-CSEQ.reused": "{0} has CSeq {1}, which {2} had before: answers to the two cannot be told apart.",
        "RTSP-CSEQ-STEP.step": "CSeq goes from {1} to {2} with {0}, instead of growing by 1.",
        "RTSP-CSEQ-STEP.stepUnseen":
            "CSeq goes from {0} to {1}; the requests between may be among the octets that the capture lacks.",
        "RTSP2-CSEQ.step": "CSeq goes from {1} to {2} with {0}, instead of growing by 1.",
        "RTSP2-CSEQ.stepUnseen":
            "CSeq goes from {0} to {1}; the requests between may be among the octets that the capture lacks.",
        "RTSP-TCP-NO-RETX.again":
            "{0} with CSeq {1} was sent again, though TCP delivers everything: the server acts on it twice.",
        "RTSP-UNANSWERED.never": "{0} (frame {1}) was never answered.",
        "RTSP-UNANSWERED.late": "{0} was answered only after {1} s; most clients have given up by then.",
        "RTSP-UNANSWERED.before":
            "{0} has no answer behind it, but one with its number stands before it: the capture may have them the wrong way round.",
        "RTSP-UNANSWERED.unseen":
            "{0} has no answer in the capture, which does not show how much the other side said before the end.",
        "RTSP-UNANSWERED.inconclusive":
            "Requests without an answer in the capture: {0}; but it does not hold the whole session.",
        "RTSP-CLEN-PRESENT.missing":
            "{0}: {1} {1|octet|octets} of body come without Content-Length; a strict peer takes them for the next message.",
        "RTSP-CLEN-PRESENT.notNumber": "Content-Length is \"{0}\", which is not a number.",
        "RTSP-CLEN-MATCH.longer":
            "Content-Length says {0}, but the body has {1} {1|octet|octets}, {2} more: the rest is taken for the next message.",
        "RTSP-CLEN-MATCH.shorter":
            "Content-Length says {0}, but the next message begins after {1} {1|octet|octets}, {2} too early: a strict "
            + "peer swallows its beginning.",
        "RTSP-CTYPE.missing": "The body that goes with {0} has no Content-Type; the receiver has to guess what it is.",
        "RTSP-CTYPE.notAccepted": "The description is of type {0}, but the client accepts only {1}.",
        "RTSP-PUBLIC.missing": "The answer to OPTIONS has no Public: the client cannot know which methods it may use.",
        "RTSP-PUBLIC.incomplete": "Public does not list {0}, which a server has to implement.",
        "RTSP-PUBLIC.withoutOptions": "Public does not list OPTIONS, though the server has just answered it.",
        "RTSP-PUBLIC-LIE.refused": "{0} is listed in Public, but was refused with {1}.",
        "RTSP-PUBLIC-LIE.triedAgain": "{0} was refused with {1} before, and is tried again.",
        "RTSP-PUBLIC-LIE.unlisted": "{0} is used, though the server did not list it in Public.",
        "RTSP-METHOD-501.otherStatus": "The unknown method {0} was answered {1} instead of 501.",
        "RTSP-METHOD-501.silence": "The unknown method {0} (frame {1}) was not answered at all.",
        "RTSP-METHOD-501.inconclusive": "The capture does not show how the unknown method {0} was answered.",
        "RTSP-CONTENT-BASE.noScheme":
            "Content-Base is {0}, without a scheme: relative control URLs cannot be resolved against it.",
        "RTSP-CONTENT-BASE.twoSchemes": "Content-Base is {0}, with the scheme twice: URLs made from it name nothing.",
        "RTSP-CONTENT-BASE.otherScheme": "Content-Base is {0}, which is no RTSP URL.",
        "RTSP-CONTENT-BASE.blank": "Content-Base {0} contains a blank.",
        "RTSP-CONTROL-URI.concatenated":
            "The client joined the control {0} to the base {1} with a slash; resolved by the rules of URLs "
            + "it would be another one.",
        "RTSP-CONTROL-URI.unknown": "SETUP names {0}, which no a=control of the description leads to.",
        "RTSP-CONTROL-URI.inconclusive":
            "The capture does not hold the description, so the URL of SETUP cannot be compared with it.",
        "RTSP-SETUP-TRANSPORT.request": "SETUP has no Transport: the server does not know where to send.",
        "RTSP-SETUP-TRANSPORT.choice": "{0} transports were offered, but the answer does not say which one was chosen.",
        "RTSP-SETUP-TRANSPORT.answer":
            "The answer to SETUP has no Transport; the client has to take its own offer for granted.",
        "RTSP-TRANSPORT-ONE.several": "The answer to SETUP has {0} transports; there must be one.",
        "RTSP-TRANSPORT-ONE.notOffered":
            "The server chose {0} with a delivery or lower transport that the client did not offer.",
        "RTSP-TRANSPORT-ECHO.port":
            "The client asked for port {0}, the answer says {1}: media goes where nobody listens.",
        "RTSP-TRANSPORT-ECHO.channel":
            "The client asked for channel {0}, the server gives {1}; media is read on the server's.",
        "RTSP-TRANSPORT-PEER.port":
            "The answer has no server_port: the client does not know where to send RTCP, and firewalls not "
            + "what to open.",
        "RTSP-TRANSPORT-PEER.channels":
            "The answer does not name the interleaved channels; the client has to take those it asked for.",
        "RTSP-TRANSPORT-GRAMMAR.emptyParameter": "Transport ends in a semicolon or has an empty parameter.",
        "RTSP-TRANSPORT-GRAMMAR.blank": "A blank stands inside a parameter of Transport.",
        "RTSP-TRANSPORT-GRAMMAR.ssrc": "ssrc in Transport is not 8 hexadecimal digits.",
        "RTSP-TRANSPORT-GRAMMAR.number": "A port, channel, TTL or layer count in Transport is not a number in range.",
        "RTSP-TRANSPORT-GRAMMAR.reversedRange": "A range in Transport ends before it begins.",
        "RTSP-TRANSPORT-GRAMMAR.repeated": "A parameter of Transport is given twice; the first counts.",
        "RTSP-TRANSPORT-GRAMMAR.bothDeliveries": "Transport says both unicast and multicast.",
        "RTSP-TRANSPORT-GRAMMAR.identifier": "The transport is not of the form protocol/profile/lower-transport.",
        "RTSP-PORT-PAIR.odd":
            "{0} {1}-{2} begins with an odd port: a peer that derives RTCP from an even RTP port uses other ports.",
        "RTSP-PORT-PAIR.notNext":
            "{0} {1}-{2}: the second port does not follow the first, so that RTCP may go elsewhere.",
        "RTSP-PORT-REUSE.askedPorts": "The client asks for the ports {0}, which {1} already uses: the two streams mix.",
        "RTSP-PORT-REUSE.askedChannels":
            "The client asks for the channels {0}, which {1} already uses: the two streams mix.",
        "RTSP-PORT-REUSE.grantedPorts": "The server grants the ports {0}, which {1} already uses: the two streams mix.",
        "RTSP-PORT-REUSE.grantedChannels":
            "The server grants the channels {0}, which {1} already uses: the two streams mix.",
        "RTSP-IL-CHANNEL.ungranted": "Data came on channel {0} (first in frame {1}), which no answer to SETUP granted.",
        "RTSP-IL-CHANNEL.inconclusive":
            "Data came on channel {0}; the SETUP that granted it may be missing from the capture.",
        "RTSP-IL-PARITY.rtcp": "Channel {0} was granted for RTP, but carries {1} RTCP packets.",
        "RTSP-IL-PARITY.rtp": "Channel {0} was granted for RTCP, but carries {1} RTP packets.",
        "RTSP-IL-FRAMING.remark": "What follows is neither a frame nor a message: {0}",
        "RTSP-IL-FRAMING.skipped":
            "{0} {0|octet belongs|octets belong} to no frame and no message; a receiver loses its place there.",
        "RTSP-IL-FRAMING.malformed": "Octets could not be read as a frame or message: {0}",
        "RTSP-IL-FRAMING.inconclusive":
            "Octets were passed over to find the next start, but the capture lacks parts of this connection.",
        "RTSP-IL-EARLY.early": "RTP on channel {0} (frame {1}) came before the answer that accepts PLAY.",
        "RTSP-IL-EARLY.inconclusive": "RTP on channel {0} came before any answer to PLAY that the capture holds.",
        "RTSP-SESSION-SET.missing":
            "The answer to SETUP has no Session: the client cannot say which session its requests are about.",
        "RTSP-SESSION-ECHO.missing": "{0} has no Session header, though SETUP returned {1}: most servers answer 454.",
        "RTSP-SESSION-ECHO.wrong": "{0} names the session {1}, which the server never gave; it gave {2}.",
        "RTSP-SESSION-ECHO.timeout": "{0} repeats the timeout with the session id; it belongs into answers only.",
        "RTSP-SESSION-ECHO.inconclusive": "Which session id {0} should have is not in the capture.",
        "RTSP-SESSION-STABLE.changed":
            "SETUP named the session {0}, the answer names {1}: the streams end up in different sessions.",
        "RTSP-SESSION-454.missing":
            "{0} without a session id was accepted; the server does not check who steers the session.",
        "RTSP-SESSION-454.unknown": "{0} with the unknown session id {1} was accepted.",
        "RTSP-SESSION-454.inconclusive": "Whether the session id of {0} was known to the server is not in the capture.",
        "RTSP-SESSION-LENGTH.short": "The session id {0} has {1} {1|octet|octets}; fewer than 8 can be guessed.",
        "RTSP-SESSION-LENGTH.counter": "The session id {0} looks like a counter: others can be guessed from it.",
        "RTSP-SESSION-LENGTH.characters": "The session id {0} has characters beside letters, digits and $-_.+.",
        "RTSP-KEEPALIVE.silent":
            "The client sent nothing for {0} s; the session's timeout is {1} s, after which the server may end it.",
        "RTSP-KEEPALIVE.rtcp":
            "The client sent no request for {0} s, only RTCP; the timeout is {1} s, and not every server counts RTCP.",
        "RTSP-KEEPALIVE.close": "The client sent no request for {0} s, close to the timeout of {1} s.",
        "RTSP-KEEPALIVE.inconclusive":
            "The capture lacks parts of the connection, so requests within {0} s may be unseen.",
        "RTSP-KEEPALIVE-METHOD.refused": "The keep-alive {0} was refused with {1}; the server may not count it.",
        "RTSP-KEEPALIVE-METHOD.unlisted": "The keep-alive uses {0}, which the server does not list in Public.",
        "RTSP-KEEPALIVE-METHOD.number": "The answer to the keep-alive {0} has another CSeq.",
        "RTSP-PLAY-PENDING.pending": "PLAY was sent while the SETUP of frame {0} still waited for its answer ({1}).",
        "RTSP-PLAY-PENDING.inconclusive":
            "A SETUP has no answer before PLAY, but the capture does not hold all answers.",
        "RTSP-STATE.unfit": "{0} was sent in state {1}, which does not allow it.",
        "RTSP-STATE.accepted": "{0} does not fit the state, but the server answered {1} instead of 455.",
        "RTSP-STATE.inconclusive": "The state in which {0} was sent is not known: the capture lacks what came before.",
        "RTSP-UNSET-MEDIA.left": "Medium {0} ({1}) is described, but was never set up.",
        "RTSP-UNSET-MEDIA.refused": "Medium {0} ({1}) is described, but the server refused its SETUP with {2}.",
        "RTSP-UNSET-MEDIA.inconclusive": "Whether medium {0} was set up is not in the capture.",
        "RTSP-RTPINFO.missing":
            "The answer to PLAY has no RTP-Info: the client cannot tell which packets belong to this PLAY, "
            + "nor map times.",
        "RTSP-RTPINFO.stream": "RTP-Info says nothing of {0}, though it was set up.",
        "RTSP-RTPINFO.grammar": "RTP-Info has a semicolon too many.",
        "RTSP-RTPINFO-SCOPE.unset": "RTP-Info speaks of {0}, which was never set up.",
        "RTSP-RTPINFO-SCOPE.inconclusive": "RTP-Info speaks of {0}; its SETUP may be missing from the capture.",
        "RTSP-RTPINFO-SEQ.other":
            "The stream begins with sequence number {0} (frame {1}), RTP-Info announced {2}: a client that "
            + "waits for it drops packets.",
        "RTSP-RTPINFO-SEQ.inconclusive":
            "The first packet seen has sequence number {0}, RTP-Info announced {1}: what lies between may "
            + "be lost or late.",
        "RTSP-RTPINFO-TIME.far":
            "The stream begins with timestamp {0} (frame {1}), {3} s away from the rtptime {2} of RTP-Info: "
            + "positions come out wrong.",
        "RTSP-RANGE-REPLY.unit": "The range was asked for in {0}, the answer counts in {1}.",
        "RTSP-SCALE-REPLY.missing": "PLAY asked for scale {0}, but the answer does not say which one was chosen.",
        "RTSP-SCALE-REPLY.notNumber": "Scale in the answer is \"{0}\", which is no number.",
        "RTSP-TIMESTAMP-ECHO.missing":
            "The answer does not repeat Timestamp {0}: the client cannot measure the round trip.",
        "RTSP-TIMESTAMP-ECHO.other": "Timestamp was {0}, the answer says {1}.",
        "RTSP-REQUIRE-551.unnamed":
            "551 does not name the unsupported option in Unsupported: the client cannot know what to leave out.",
        "RTSP-REQUIRE-551.status": "{0} is named as unsupported, but the status is {1} instead of 551.",
        "RTSP-AUTH-CHALLENGE.missing": "{0} comes without {1}: the client cannot know how to authenticate.",
        "RTSP-AUTH-CHALLENGE.incomplete":
            "The {0} challenge lacks realm or nonce, without which no credentials can be made.",
        "RTSP-AUTH-CHALLENGE.comma":
            "Two challenges are run together without a comma; strict clients read only one, or none.",
        "RTSP-AUTH-CHALLENGE.scheme": "The client answers with {0}, which the server did not offer.",
        "RTSP-AUTH-CHALLENGE.algorithm": "The client answers with {0}, an algorithm that the server did not offer.",
        "RTSP-AUTH-CHALLENGE.nonce": "{0} has credentials for another nonce than the one that was offered last.",
        "RTSP-AUTH-CHALLENGE.number": "{0} with credentials has CSeq {1} again, like the one that was refused.",
        "RTSP-AUTH-CLEAR.basic": "The password travels by Basic authentication: whoever sees the packets can read it.",
        "RTSP-AUTH-CLEAR.uri":
            "The request's URL holds a password or a token: whoever sees the packets, or a log, can read it.",
        "RTSP-RECORD-FLOW.mode": "RECORD follows a SETUP without mode=record, which sets up playing.",
        "RTSP-RECORD-FLOW.announce": "RECORD comes without ANNOUNCE: the server has not been told what will be sent.",
        "RTSP-RECORD-FLOW.inconclusive": "What came before RECORD is not in the capture.",
        "RTSP-TEARDOWN.reset":
            "The session ends with a TCP reset, without TEARDOWN: the server holds its resources until the timeout.",
        "RTSP-TEARDOWN.closed":
            "The connection was closed without TEARDOWN: over UDP the server goes on sending until the timeout.",
        "RTSP-TEARDOWN.closedInterleaved":
            "The connection was closed without TEARDOWN: the server may hold the session until its timeout.",
        "RTSP-TEARDOWN.byServer": "The server ended the connection, and no TEARDOWN had been sent on it.",
        "RTSP-TEARDOWN.unseen": "Whether TEARDOWN was sent before the connection ended, the capture does not show.",
        "RTSP-TEARDOWN.inconclusive": "The session was still open when the capture ended.",
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
        "rule.RTSP-VERSION": "Both sides speak the same version, 1.0 or 2.0.",
        "rule.RTSP-REQLINE": "A request line is a method, an absolute URL or *, and the version.",
        "rule.RTSP-CRLF": "Lines end in CR LF.",
        "rule.RTSP-CSEQ-PRESENT": "Every message has a CSeq.",
        "rule.RTSP-CSEQ-ECHO": "An answer has the CSeq of its request.",
        "rule.RTSP-CSEQ-UNIQUE": "No two requests have the same CSeq.",
        "rule.RTSP-CSEQ-STEP": "CSeq grows by 1 from request to request.",
        "rule.RTSP-TCP-NO-RETX": "No request is sent again over TCP.",
        "rule.RTSP-UNANSWERED": "Every request is answered in time.",
        "rule.RTSP-CLEN-PRESENT": "A body comes with its Content-Length.",
        "rule.RTSP-CLEN-MATCH": "Content-Length is the body's length.",
        "rule.RTSP-CTYPE": "A body comes with its Content-Type.",
        "rule.RTSP-DATE-FORMAT": "Date has the format of RFC 1123.",
        "rule.RTSP-PUBLIC": "The server lists its methods in Public.",
        "rule.RTSP-PUBLIC-LIE": "What Public lists works, and what was refused is not tried again.",
        "rule.RTSP-METHOD-501": "An unknown method is answered 501.",
        "rule.RTSP-CONTENT-BASE": "Content-Base is one absolute RTSP URL.",
        "rule.RTSP-CONTROL-URI": "SETUP names a control URL of the description.",
        "rule.RTSP-SETUP-TRANSPORT": "SETUP and its answer say how media travels.",
        "rule.RTSP-TRANSPORT-ONE": "The server chooses one of the transports offered.",
        "rule.RTSP-TRANSPORT-ECHO": "The server keeps to the client's ports and channels.",
        "rule.RTSP-TRANSPORT-PEER": "The server names its own ports or channels.",
        "rule.RTSP-TRANSPORT-GRAMMAR": "Transport follows the grammar.",
        "rule.RTSP-PORT-PAIR": "RTP has an even port, RTCP the next.",
        "rule.RTSP-PORT-REUSE": "Each stream has its own ports or channels.",
        "rule.RTSP-IL-CHANNEL": "Interleaved media uses granted channels.",
        "rule.RTSP-IL-PARITY": "RTP is on the first channel, RTCP on the second.",
        "rule.RTSP-IL-FRAMING": "Frames and messages follow each other without anything between.",
        "rule.RTSP-IL-EARLY": "Interleaved media comes after PLAY was accepted.",
        "rule.RTSP-SESSION-SET": "The answer to SETUP gives a session id.",
        "rule.RTSP-SESSION-ECHO": "The client repeats the session id.",
        "rule.RTSP-SESSION-STABLE": "The server keeps the session id.",
        "rule.RTSP-SESSION-454": "A missing or unknown session id is answered 454.",
        "rule.RTSP-SESSION-LENGTH": "A session id is long and random.",
        "rule.RTSP-KEEPALIVE": "The client shows signs of life within the timeout.",
        "rule.RTSP-KEEPALIVE-METHOD": "The keep-alive uses a method that the server accepts.",
        "rule.RTSP-PLAY-PENDING": "PLAY waits for the answers to SETUP.",
        "rule.RTSP-STATE": "Methods fit the state of the session.",
        "rule.RTSP-UNSET-MEDIA": "Every described medium is set up.",
        "rule.RTSP-RTPINFO": "The answer to PLAY has RTP-Info for each stream.",
        "rule.RTSP-RTPINFO-SCOPE": "RTP-Info speaks only of streams that were set up.",
        "rule.RTSP-RTPINFO-SEQ": "The stream begins with the announced sequence number.",
        "rule.RTSP-RTPINFO-TIME": "The stream begins near the announced timestamp.",
        "rule.RTSP-RANGE-REPLY": "The answer's Range has the unit asked for.",
        "rule.RTSP-SCALE-REPLY": "The answer says which Scale was chosen.",
        "rule.RTSP-TIMESTAMP-ECHO": "The answer repeats the Timestamp.",
        "rule.RTSP-REQUIRE-551": "Unsupported options are named with 551.",
        "rule.RTSP-AUTH-CHALLENGE": "A 401 has a usable challenge, and the client answers it.",
        "rule.RTSP-AUTH-CLEAR": "No password travels readably.",
        "rule.RTSP-RECORD-FLOW": "RECORD follows ANNOUNCE and SETUP with mode=record.",
        "rule.RTSP-TEARDOWN": "A session ends with TEARDOWN.",
        "rule.RTSP2-CSEQ": "Under RTSP 2.0 CSeq grows by 1, is unique, and is repeated in the answer.",
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
