extension RTSPWords {
    /// Findings of RTSP rules.
    static let englishRules: [String: String] = [
        "RTSP-VERSION.unknown":
            "Unknown version {0}: only RTSP/1.0 and RTSP/2.0 are defined; the peer may reject the message.",
        "RTSP-VERSION.answer":
            "The response has version {0}, the request {1}: the client cannot tell which rules apply.",
        "RTSP-VERSION.mixed": "The client switches from RTSP/{1}.0 to {0}, although no response asked for that.",
        "RTSP-REQLINE.relativeURI":
            "{0} has {1}, not an absolute URL: a server with several presentations cannot resolve it.",
        "RTSP-REQLINE.blankInURI": "The URL of {0} contains a space; most servers end the URL there: {1}",
        "RTSP-REQLINE.blanks": "The parts of the {0} request line are not separated by exactly one space.",
        "RTSP-REQLINE.case":
            "{0} or the version is not in upper case; methods are case-sensitive, so the server does not recognize it.",
        "RTSP-CRLF.lineFeed": "Lines end in LF alone instead of CRLF: strict peers never find the end of the header.",
        "RTSP-CRLF.carriageReturn":
            "Lines end in CR alone, or in several CRs: many peers do not find the end of the line.",
        "RTSP-CRLF.leading": "Empty lines precede the message; strict peers parse them as an empty header.",
        "RTSP-DATE-FORMAT.noWeekday": "The date {0} has no weekday.",
        "RTSP-DATE-FORMAT.monthFirst": "The date {0} has the month before the day; RFC 1123 date parsers reject it.",
        "RTSP-DATE-FORMAT.other": "The date {0} is not in the format of RFC 1123.",
        "RTSP-CSEQ-PRESENT.request": "{0} has no CSeq: the server cannot number its response.",
        "RTSP-CSEQ-PRESENT.lone": "A response has no CSeq: the client can match it to a request only by order.",
        "RTSP-CSEQ-PRESENT.answer":
            "The response to {0} has no CSeq: the client can match it to a request only by order.",
        "RTSP-CSEQ-PRESENT.notNumber": "CSeq is \"{0}\", not a number.",
        "RTSP-CSEQ-PRESENT.trailingBlank":
            "A space follows CSeq {0}; parsers that compare the whole value do not find the request.",
        "RTSP-CSEQ-ECHO.offByOne":
            "The response to {0} has CSeq {2} instead of {1}: off by one, so clients drop it or match it to another "
            + "request.",
        "RTSP-CSEQ-ECHO.stuck":
            "The response to {0} has CSeq {2} instead of {1}: the server repeats one number, so clients drop its "
            + "responses.",
        "RTSP-CSEQ-ECHO.other":
            "The response to {0} has CSeq {2} instead of {1}: clients that match by CSeq find no request.",
        "RTSP-CSEQ-ECHO.unasked": "Response with CSeq {0}, but no request is pending.",
        "RTSP-CSEQ-ECHO.inconclusive":
            "The request of the response with CSeq {0} is uncertain: parts of the connection were not captured.",
        "RTSP2-CSEQ.offByOne":
            "The response to {0} has CSeq {2} instead of {1}: off by one, so clients drop it or match it to another "
            + "request.",
        "RTSP2-CSEQ.stuck":
            "The response to {0} has CSeq {2} instead of {1}: the server repeats one number, so clients drop its "
            + "responses.",
        "RTSP2-CSEQ.other":
            "The response to {0} has CSeq {2} instead of {1}: clients that match by CSeq find no request.",
        "RTSP2-CSEQ.unasked": "Response with CSeq {0}, but no request is pending.",
        "RTSP2-CSEQ.inconclusive":
            "The request of the response with CSeq {0} is uncertain: parts of the connection were not captured.",
        "RTSP-CSEQ-UNIQUE.reused": "{0} reuses CSeq {1} of {2}: responses to the two cannot be distinguished.",
        "RTSP2-CSEQ.reused": "{0} reuses CSeq {1} of {2}: responses to the two cannot be distinguished.",
        "RTSP-CSEQ-STEP.step": "CSeq goes from {1} to {2} at {0} instead of increasing by 1.",
        "RTSP-CSEQ-STEP.stepUnseen": "CSeq goes from {0} to {1}; the requests in between may not have been captured.",
        "RTSP2-CSEQ.step": "CSeq goes from {1} to {2} at {0} instead of increasing by 1.",
        "RTSP2-CSEQ.stepUnseen": "CSeq goes from {0} to {1}; the requests in between may not have been captured.",
        "RTSP-TCP-NO-RETX.again":
            "{0} with CSeq {1} is retransmitted over TCP, which is reliable: the server executes it twice.",
        "RTSP-UNANSWERED.never": "No response to {0} (frame {1}).",
        "RTSP-UNANSWERED.late": "The response to {0} took {1} s; most clients time out earlier.",
        "RTSP-UNANSWERED.before":
            "No response follows {0}, but one with its CSeq precedes it: the capture may be out of order.",
        "RTSP-UNANSWERED.unseen":
            "No response to {0} was captured; the capture may not contain everything that the peer sent before the "
            + "end.",
        "RTSP-UNANSWERED.inconclusive":
            "Requests without a captured response: {0}; the capture does not contain the whole session.",
        "RTSP-CLEN-PRESENT.missing":
            "{0}: a body of {1} {1|octet|octets} without Content-Length; strict peers parse it as the next message.",
        "RTSP-CLEN-PRESENT.notNumber": "Content-Length is \"{0}\", not a number.",
        "RTSP-CLEN-MATCH.longer":
            "Content-Length is {0}, but the body has {1} {1|octet|octets}, {2} more: the rest is parsed as the next "
            + "message.",
        "RTSP-CLEN-MATCH.shorter":
            "Content-Length is {0}, but the next message starts after {1} {1|octet|octets}, {2} too early: strict "
            + "peers lose its beginning.",
        "RTSP-CTYPE.missing": "The body of {0} has no Content-Type: the receiver must guess its type.",
        "RTSP-CTYPE.notAccepted": "The description is of type {0}, but the client accepts only {1}.",
        "RTSP-PUBLIC.missing":
            "The response to OPTIONS has no Public: the client cannot tell which methods are supported.",
        "RTSP-PUBLIC.incomplete": "Public does not list {0}, which is mandatory for servers.",
        "RTSP-PUBLIC.withoutOptions": "Public does not list OPTIONS, although the server supports it.",
        "RTSP-PUBLIC-LIE.refused": "Public lists {0}, but the server rejected it with {1}.",
        "RTSP-PUBLIC-LIE.triedAgain": "{0} is retried, although it was rejected with {1} before.",
        "RTSP-PUBLIC-LIE.unlisted": "{0} is sent, although the server does not list it in Public.",
        "RTSP-METHOD-501.otherStatus": "The response to the unknown method {0} is {1} instead of 501.",
        "RTSP-METHOD-501.silence": "No response to the unknown method {0} (frame {1}).",
        "RTSP-METHOD-501.inconclusive": "The response to the unknown method {0} was not captured.",
        "RTSP-CONTENT-BASE.noScheme":
            "Content-Base is {0}, without a scheme: relative control URLs cannot be resolved against it.",
        "RTSP-CONTENT-BASE.twoSchemes":
            "Content-Base is {0}, with the scheme twice: URLs resolved against it are invalid.",
        "RTSP-CONTENT-BASE.otherScheme": "Content-Base is {0}, not an RTSP URL.",
        "RTSP-CONTENT-BASE.blank": "Content-Base {0} contains a space.",
        "RTSP-CONTROL-URI.concatenated":
            "The client appended the control {0} to the base {1} with a slash; URL resolution gives another result.",
        "RTSP-CONTROL-URI.presentation":
            "SETUP is for the presentation, not for one of its media: servers refuse it.",
        "RTSP-CONTROL-URI.unknown": "SETUP requests {0}, which matches no a=control of the description.",
        "RTSP-CONTROL-URI.inconclusive":
            "The description was not captured, so the URL of SETUP cannot be compared with it.",
        "RTSP-SETUP-TRANSPORT.request": "SETUP has no Transport: the server does not know where to send media.",
        "RTSP-SETUP-TRANSPORT.choice":
            "The client offered {0} transports, but the response does not say which one the server chose.",
        "RTSP-SETUP-TRANSPORT.answer": "The response to SETUP has no Transport: the client must assume its own offer.",
        "RTSP-TRANSPORT-ONE.several": "The response to SETUP has {0} transports instead of one.",
        "RTSP-TRANSPORT-ONE.notOffered":
            "The server chose {0}, a delivery or lower transport that the client did not offer.",
        "RTSP-TRANSPORT-ECHO.port":
            "The client requested port {0}, the response has {1}: media is sent to a port that the client did not request.",
        "RTSP-TRANSPORT-ECHO.channel":
            "The client requested channel {0}, the server assigns {1}, which applies.",
        "RTSP-TRANSPORT-PEER.port":
            "The response has no server_port: the client does not know where to send RTCP, nor firewalls what to open.",
        "RTSP-TRANSPORT-PEER.channels":
            "The response has no interleaved channels: the client must assume those that it requested.",
        "RTSP-TRANSPORT-GRAMMAR.emptyParameter": "Transport ends in a semicolon or has an empty parameter.",
        "RTSP-TRANSPORT-GRAMMAR.blank": "A parameter of Transport contains a space.",
        "RTSP-TRANSPORT-GRAMMAR.ssrc": "ssrc in Transport is not 8 hexadecimal digits.",
        "RTSP-TRANSPORT-GRAMMAR.number":
            "A port, channel, TTL or layer count in Transport is not a number, or out of range.",
        "RTSP-TRANSPORT-GRAMMAR.reversedRange": "A range in Transport ends before it begins.",
        "RTSP-TRANSPORT-GRAMMAR.repeated": "Transport has a parameter twice; the first one applies.",
        "RTSP-TRANSPORT-GRAMMAR.bothDeliveries": "Transport has both unicast and multicast.",
        "RTSP-TRANSPORT-GRAMMAR.identifier": "The transport does not have the form protocol/profile/lower-transport.",
        "RTSP-PORT-PAIR.odd":
            "{0} {1}-{2} starts with an odd port: peers that derive the RTCP port from an even RTP port use other "
            + "ports.",
        "RTSP-PORT-PAIR.notNext": "{0} {1}-{2}: the second port is not the next one, so RTCP may go elsewhere.",
        "RTSP-PORT-REUSE.askedPorts": "The client requests the ports {0}, already in use by {1}: the two streams mix.",
        "RTSP-PORT-REUSE.askedChannels":
            "The client requests the channels {0}, already in use by {1}: the two streams mix.",
        "RTSP-PORT-REUSE.grantedPorts": "The server assigns the ports {0}, already in use by {1}: the two streams mix.",
        "RTSP-PORT-REUSE.grantedChannels":
            "The server assigns the channels {0}, already in use by {1}: the two streams mix.",
        "RTSP-IL-CHANNEL.ungranted": "Data on channel {0} (from frame {1}), which no response to SETUP assigned.",
        "RTSP-IL-CHANNEL.inconclusive": "Data on channel {0}; the SETUP that assigned it may not have been captured.",
        "RTSP-IL-PARITY.rtcp": "Channel {0} is assigned to RTP, but carries {1} RTCP packets.",
        "RTSP-IL-PARITY.rtp": "Channel {0} is assigned to RTCP, but carries {1} RTP packets.",
        "RTSP-IL-FRAMING.remark": "Neither a frame nor a message follows: {0}",
        "RTSP-IL-FRAMING.skipped":
            "{0} {0|octet belongs|octets belong} to no frame or message: receivers lose synchronization.",
        "RTSP-IL-FRAMING.malformed": "Malformed frame or message: {0}",
        "RTSP-IL-FRAMING.inconclusive":
            "Octets were skipped up to the next frame or message, but parts of this connection were not captured.",
        "RTSP-IL-EARLY.stale":
            "RTP on channel {0} (frame {1}) precedes every SETUP: the server still sends an earlier session's media.",
        "RTSP-IL-EARLY.early": "RTP on channel {0} (frame {1}) precedes the response that accepts PLAY.",
        "RTSP-IL-EARLY.inconclusive": "RTP on channel {0} precedes any captured response to PLAY.",
        "RTSP-SESSION-SET.missing":
            "The response to SETUP has no Session: the client cannot identify the session in its requests.",
        "RTSP-SESSION-ECHO.missing":
            "{0} has no Session header, although SETUP returned {1}: most servers respond with 454.",
        "RTSP-SESSION-ECHO.wrong": "{0} has the session id {1}; the server assigned {2}.",
        "RTSP-SESSION-ECHO.timeout": "{0} repeats the timeout with the session id; it belongs in responses only.",
        "RTSP-SESSION-ECHO.inconclusive": "The session id that {0} must have was not captured.",
        "RTSP-SESSION-STABLE.changed":
            "SETUP has the session id {0}, the response {1}: the streams are in different sessions.",
        "RTSP-SESSION-454.missing":
            "{0} without a session id was accepted: the server does not check who controls the session.",
        "RTSP-SESSION-454.unknown": "{0} with the unknown session id {1} was accepted.",
        "RTSP-SESSION-454.inconclusive": "The capture does not show whether the session id of {0} was valid.",
        "RTSP-SESSION-LENGTH.short": "The session id {0} has {1} {1|octet|octets}; fewer than 8 can be guessed.",
        "RTSP-SESSION-LENGTH.counter":
            "The session id {0} looks like a counter: other session ids can be guessed from it.",
        "RTSP-SESSION-LENGTH.characters":
            "The session id {0} contains characters other than letters, digits and $-_.+.",
        "RTSP-KEEPALIVE.silent":
            "The client sent nothing for {0} s; the session timeout is {1} s, after which the server may end the "
            + "session.",
        "RTSP-KEEPALIVE.rtcp":
            "The client sent no request for {0} s, only RTCP; the timeout is {1} s, and not every server accepts RTCP "
            + "as a keep-alive.",
        "RTSP-KEEPALIVE.close": "The client sent no request for {0} s, close to the timeout of {1} s.",
        "RTSP-KEEPALIVE.inconclusive":
            "Parts of the connection were not captured: there may have been requests within the {0} s.",
        "RTSP-KEEPALIVE-METHOD.refused":
            "The server rejected the keep-alive {0} with {1}, and may not accept it as a keep-alive.",
        "RTSP-KEEPALIVE-METHOD.unlisted": "The keep-alive uses {0}, which the server does not list in Public.",
        "RTSP-KEEPALIVE-METHOD.number": "The response to the keep-alive {0} has another CSeq.",
        "RTSP-PLAY-PENDING.pending": "PLAY was sent while the SETUP of frame {0} was pending ({1}).",
        "RTSP-PLAY-PENDING.inconclusive": "A SETUP has no response before PLAY, but not all responses were captured.",
        "RTSP-STATE.unfit": "{0} is not allowed in state {1}.",
        "RTSP-STATE.accepted": "{0} is not allowed in this state, but the server responded with {1} instead of 455.",
        "RTSP-STATE.inconclusive": "The session state at {0} is unknown: the messages before it were not captured.",
        "RTSP-UNSET-MEDIA.left": "Media section {0} ({1}) was never set up.",
        "RTSP-UNSET-MEDIA.refused": "Media section {0} ({1}): the server rejected its SETUP with {2}.",
        "RTSP-UNSET-MEDIA.inconclusive": "The capture does not show whether media section {0} was set up.",
        "RTSP-RTPINFO.missing":
            "The response to PLAY has no RTP-Info: the client cannot tell which packets belong to this PLAY, nor map "
            + "timestamps to positions.",
        "RTSP-RTPINFO.stream": "RTP-Info has no entry for {0}, although it was set up.",
        "RTSP-RTPINFO.grammar": "RTP-Info has an extra semicolon.",
        "RTSP-RTPINFO.sequence": "RTP-Info has sequence number {0}, but those of RTP have 16 bits.",
        "RTSP-RTPINFO-SCOPE.unset": "RTP-Info has an entry for {0}, which was never set up.",
        "RTSP-RTPINFO-SCOPE.inconclusive": "RTP-Info has an entry for {0}; its SETUP may not have been captured.",
        "RTSP-RTPINFO-SEQ.other":
            "The stream starts at sequence number {0} (frame {1}), RTP-Info announced {2}: clients that wait for it "
            + "drop packets.",
        "RTSP-RTPINFO-SEQ.inconclusive":
            "The first captured packet has sequence number {0}, RTP-Info announced {1}: the packets in between may be "
            + "lost or late.",
        "RTSP-RTPINFO-TIME.far":
            "The stream starts at timestamp {0} (frame {1}), {3} s from rtptime {2} in RTP-Info: playback positions "
            + "are wrong.",
        "RTSP-RANGE-REPLY.unit": "The request has a range in {0}, the response one in {1}.",
        "RTSP-SCALE-REPLY.missing": "PLAY requested scale {0}, but the response does not contain the chosen scale.",
        "RTSP-SCALE-REPLY.notNumber": "Scale in the response is \"{0}\", not a number.",
        "RTSP-TIMESTAMP-ECHO.missing":
            "The response does not repeat Timestamp {0}: the client cannot measure the round-trip time.",
        "RTSP-TIMESTAMP-ECHO.other": "Timestamp was {0}, the response has {1}.",
        "RTSP-REQUIRE-551.unnamed":
            "551 does not list the unsupported option in Unsupported: the client cannot tell what to leave out.",
        "RTSP-REQUIRE-551.status": "{0} is listed as unsupported, but the status is {1} instead of 551.",
        "RTSP-AUTH-CHALLENGE.missing": "{0} has no {1}: the client cannot tell how to authenticate.",
        "RTSP-AUTH-CHALLENGE.incomplete":
            "The {0} challenge has no realm or nonce: the client cannot compute credentials.",
        "RTSP-AUTH-CHALLENGE.comma":
            "Two challenges are not separated by a comma: strict clients parse only one, or none.",
        "RTSP-AUTH-CHALLENGE.scheme": "The client uses the scheme {0}, which the server did not offer.",
        "RTSP-AUTH-CHALLENGE.algorithm": "The client uses the algorithm {0}, which the server did not offer.",
        "RTSP-AUTH-CHALLENGE.nonce": "{0} has credentials for a nonce other than the latest one.",
        "RTSP-AUTH-CHALLENGE.number": "{0} with credentials reuses CSeq {1} of the rejected request.",
        "RTSP-AUTH-CLEAR.basic":
            "The password is sent with Basic authentication: anyone who can see this traffic can read it.",
        "RTSP-AUTH-CLEAR.uri":
            "The request's URL contains a password or a token: anyone who can see this traffic, or a log, can read it.",
        "RTSP-RECORD-FLOW.mode": "RECORD follows a SETUP without mode=record, which is for playing.",
        "RTSP-RECORD-FLOW.announce": "RECORD without ANNOUNCE: the server has no description of the media.",
        "RTSP-RECORD-FLOW.inconclusive": "The messages before RECORD were not captured.",
        "RTSP-TEARDOWN.reset":
            "The session ends with a TCP reset, without TEARDOWN: the server keeps its resources until the timeout.",
        "RTSP-TEARDOWN.closed":
            "The connection was closed without TEARDOWN: over UDP the server keeps sending until the timeout.",
        "RTSP-TEARDOWN.closedInterleaved":
            "The connection was closed without TEARDOWN: the server may keep the session until its timeout.",
        "RTSP-TEARDOWN.byServer": "The server closed the connection before any TEARDOWN.",
        "RTSP-TEARDOWN.unseen": "The capture does not show whether TEARDOWN was sent before the connection ended.",
        "RTSP-TEARDOWN.inconclusive": "The session was still open when the capture ended.",
        "rule.RTSP-VERSION": "Both sides use the same version, 1.0 or 2.0.",
        "rule.RTSP-REQLINE": "A request line is a method, an absolute URL or *, and the version.",
        "rule.RTSP-CRLF": "Lines end in CRLF.",
        "rule.RTSP-CSEQ-PRESENT": "Every message has a CSeq.",
        "rule.RTSP-CSEQ-ECHO": "A response has the CSeq of its request.",
        "rule.RTSP-CSEQ-UNIQUE": "Each request has its own CSeq.",
        "rule.RTSP-CSEQ-STEP": "CSeq increases by 1 with each request.",
        "rule.RTSP-TCP-NO-RETX": "Requests are not retransmitted over TCP.",
        "rule.RTSP-UNANSWERED": "Every request gets a response in time.",
        "rule.RTSP-CLEN-PRESENT": "Every body has a Content-Length.",
        "rule.RTSP-CLEN-MATCH": "Content-Length equals the length of the body.",
        "rule.RTSP-CTYPE": "Every body has a Content-Type.",
        "rule.RTSP-DATE-FORMAT": "Date has the format of RFC 1123.",
        "rule.RTSP-PUBLIC": "The server lists its methods in Public.",
        "rule.RTSP-PUBLIC-LIE": "The methods in Public are supported, and rejected methods are not retried.",
        "rule.RTSP-METHOD-501": "The response to an unknown method is 501.",
        "rule.RTSP-CONTENT-BASE": "Content-Base is one absolute RTSP URL.",
        "rule.RTSP-CONTROL-URI": "SETUP uses a control URL of the description.",
        "rule.RTSP-SETUP-TRANSPORT": "SETUP and its response have a Transport header.",
        "rule.RTSP-TRANSPORT-ONE": "The server chooses one of the offered transports.",
        "rule.RTSP-TRANSPORT-ECHO": "The server uses the client's ports and channels.",
        "rule.RTSP-TRANSPORT-PEER": "The server returns its own ports or channels.",
        "rule.RTSP-TRANSPORT-GRAMMAR": "Transport follows the grammar.",
        "rule.RTSP-PORT-PAIR": "RTP has an even port, RTCP the next one.",
        "rule.RTSP-PORT-REUSE": "Each stream has its own ports or channels.",
        "rule.RTSP-IL-CHANNEL": "Interleaved media uses assigned channels.",
        "rule.RTSP-IL-PARITY": "RTP uses the first channel, RTCP the second.",
        "rule.RTSP-IL-FRAMING": "Frames and messages are contiguous.",
        "rule.RTSP-IL-EARLY": "Interleaved media starts after PLAY was accepted.",
        "rule.RTSP-SESSION-SET": "The response to SETUP has a session id.",
        "rule.RTSP-SESSION-ECHO": "The client repeats the session id.",
        "rule.RTSP-SESSION-STABLE": "The server keeps the session id.",
        "rule.RTSP-SESSION-454": "The response to a missing or unknown session id is 454.",
        "rule.RTSP-SESSION-LENGTH": "A session id is long and random.",
        "rule.RTSP-KEEPALIVE": "The client sends a keep-alive within the timeout.",
        "rule.RTSP-KEEPALIVE-METHOD": "The keep-alive uses a method that the server accepts.",
        "rule.RTSP-PLAY-PENDING": "PLAY is sent after the responses to SETUP.",
        "rule.RTSP-STATE": "Methods are valid in the state of the session.",
        "rule.RTSP-UNSET-MEDIA": "Every media section is set up.",
        "rule.RTSP-RTPINFO": "The response to PLAY has RTP-Info for each stream.",
        "rule.RTSP-RTPINFO-SCOPE": "RTP-Info lists only streams that were set up.",
        "rule.RTSP-RTPINFO-SEQ": "The stream starts with the announced sequence number.",
        "rule.RTSP-RTPINFO-TIME": "The stream starts near the announced timestamp.",
        "rule.RTSP-RANGE-REPLY": "The response has a Range in the requested unit.",
        "rule.RTSP-SCALE-REPLY": "The response has the chosen Scale.",
        "rule.RTSP-TIMESTAMP-ECHO": "The response repeats the Timestamp.",
        "rule.RTSP-REQUIRE-551": "A 551 response lists the unsupported options.",
        "rule.RTSP-AUTH-CHALLENGE": "A 401 has a usable challenge, and the client answers it.",
        "rule.RTSP-AUTH-CLEAR": "Passwords are not sent in the clear.",
        "rule.RTSP-RECORD-FLOW": "RECORD follows ANNOUNCE and SETUP with mode=record.",
        "rule.RTSP-TEARDOWN": "A session ends with TEARDOWN.",
        "rule.RTSP2-CSEQ": "In RTSP 2.0, CSeq increases by 1, is unique, and is repeated in the response.",
    ]
}
