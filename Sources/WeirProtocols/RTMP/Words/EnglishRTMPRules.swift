extension RTMPWords {
    /// Findings of the RTMP rules.
    static let englishRules: [String: String] = [
        "RTMP-HS-VERSION.encrypted": "{0} has version {1}: RTMPE, encrypted from here on.",
        "RTMP-HS-VERSION.forbidden":
            "{0} has version {1}, which is not allowed: text starts with such an octet, not RTMP.",
        "RTMP-HS-VERSION.other": "{0} has version {1}; only 3 is in use.",
        "RTMP-HS-ORDER.part": "{0} was sent before {1} arrived.",
        "RTMP-HS-ORDER.client":
            "The client continues before {0} is complete; a server may read this as a part of the handshake.",
        "RTMP-HS-ORDER.server": "The server continues before {0} is complete.",
        "RTMP-HS-ORDER.inconclusive": "Whether {0} had arrived was not captured.",
        "RTMP-HS-SIZE.early": "{0} begins {1} {1|octet|octets} early: {2} was too short.",
        "RTMP-HS-SIZE.late": "{0} begins {1} {1|octet|octets} late: {2} was too long.",
        "RTMP-HS-SIZE.peer": "The echo in {0} has {1} {1|octet|octets} that {2} lacks: {2} was too short.",
        "RTMP-HS-SIZE.chunk": "{0} is {1} {1|octet|octets} too short: the first chunk starts within it.",
        "RTMP-HS-SIZE.short":
            "Only {1} {1|octet|octets} of {0} arrived before the connection ended: the peer waits for the rest.",
        "RTMP-HS-SIZE.inconclusive": "{0} is incomplete in the capture.",
        "RTMP-HS-C1ZERO.notZero": "Octets 4 to 7 of {0} are {1} instead of zero, without a digest.",
        "RTMP-HS-ENTROPY.zeros": "The random data of {0} is all zero.",
        "RTMP-HS-ENTROPY.constant": "The random data of {0} repeats.",
        "RTMP-HS-ENTROPY.text": "The random data of {0} contains readable text: probably uninitialized memory.",
        "RTMP-HS-ENTROPY.sparse": "The random data of {0} has very few distinct values: probably uninitialized memory.",
        "RTMP-HS-STALL.late": "connect was sent {0} s after the handshake.",
        "RTMP-HS-STALL.noC2":
            "S0, S1 and S2 were delivered, but the client never sent C2: it may expect one part per read.",
        "RTMP-HS-STALL.noConnect":
            "The handshake is complete, but the client never sent connect: it may expect one part per read.",
        "RTMP-HS-C2.time": "The timestamp of C2 is not the one in S1.",
        "RTMP-HS-C2.ownFirstPart": "The client repeats C1 instead of C2: S1 is not echoed.",
        "RTMP-HS-C2.other": "C2 does not echo S1: {0} {0|octet differs|octets differ}, from octet {1} on.",
        "RTMP-HS-C2.inconclusive": "C2 is incomplete in the capture.",
        "RTMP-HS-S2.time": "The timestamp of S2 is not the one in C1.",
        "RTMP-HS-S2.ownFirstPart": "The server repeats S1 instead of S2: C1 is not echoed.",
        "RTMP-HS-S2.other": "S2 does not echo C1: {0} {0|octet differs|octets differ}, from octet {1} on.",
        "RTMP-HS-S2.inconclusive": "S2 is incomplete in the capture.",
        "RTMP-HS-TIME2.zero": "The second timestamp of {0} is 0, not the time at which the peer's part was read.",
        "RTMP-HS-TIME2.copied": "The second timestamp of {0} is copied from the peer's part, not the time of reading.",
        "RTMP-HS-TIME2.peerTime": "The second timestamp of {0} is the peer's timestamp, not the time of reading.",
        "RTMP-CS-TYPE0.other":
            "Chunk stream {0} starts with a type {1} chunk: the fields that it omits were never sent.",
        "RTMP-CS-TYPE0.stray":
            "A type {1} chunk continues chunk stream {0}, on which no message had started; it cannot be decoded.",
        "RTMP-CS-TYPE0.inconclusive": "The start of chunk stream {0} was not captured.",
        "RTMP-CS-CSID.long": "Chunk stream ID {0} is written in {1} {1|octet|octets}; fewer suffice.",
        "RTMP-CS-CONTROL.short": "{0} has {1} {1|octet|octets} instead of {2}.",
        "RTMP-CS-CONTROL.chunkStream": "{0} is on chunk stream {1} instead of 2.",
        "RTMP-CS-CONTROL.messageStream": "{0} is on message stream {1} instead of 0.",
        "RTMP-CS-UCM.chunkStream": "A user control message is on chunk stream {0} instead of 2.",
        "RTMP-CS-UCM.messageStream": "A user control message is on message stream {0} instead of 0.",
        "RTMP-CS-UCM.chunks": "A user control message takes {0} chunks: the chunk size is too small.",
        "RTMP-CS-SIZE.exceeded":
            "A message of {0} octets on chunk stream {1} uses longer chunks than this sender announced: receivers "
            + "lose sync.",
        "RTMP-CS-SIZE.ofPeer.client":
            "A message of {0} octets on chunk stream {1} uses longer chunks than the client announced: it uses the "
            + "chunk size {2} that the server announced in frame {3} for its own direction.",
        "RTMP-CS-SIZE.ofPeer.server":
            "A message of {0} octets on chunk stream {1} uses longer chunks than the server announced: it uses the "
            + "chunk size {2} that the client announced in frame {3} for its own direction.",
        "RTMP-CS-SIZE.firstBit": "The first bit of the chunk size is set; without it, the size is {0}.",
        "RTMP-CS-SIZE.zero": "The chunk size is 0: no message can be sent.",
        "RTMP-CS-SIZE.small": "The chunk size is {0}, below 128: high overhead.",
        "RTMP-CS-LENGTH.unfinished":
            "A message starts on chunk stream {0} after only {1} of {2} {2|octet|octets} of the previous one.",
        "RTMP-CS-LENGTH.continuation":
            "A message on chunk stream {0} continues in {1} {1|chunk|chunks} that {1|is|are} not of type 3: receivers may take "
            + "{1|it|each} for a new message.",
        "RTMP-CS-LENGTH.inconclusive": "Octets of chunk stream {0} are missing from the capture.",
        "RTMP-CS-EXTTS.omitted":
            "This sender omits the extended timestamp in type 3 chunks: receivers that expect it read four octets of "
            + "media as a timestamp.",
        "RTMP-CS-EXTTS.needless": "The extended timestamp is {0}, which fits in 24 bits.",
        "RTMP-CS-TS24.wrapped":
            "On chunk stream {0} the timestamp wraps at 24 bits, to {1}, without the extended timestamp: receivers "
            + "see a jump of 4 h 39 min back.",
        "RTMP-CS-TSBACK.delta":
            "On chunk stream {0} a delta of {1} moves the time back: as an unsigned number it is a jump of hours "
            + "ahead.",
        "RTMP-CS-MSID-LE.bigEndian": "Message stream ID {0} is in big-endian order: peers read another number.",
        "RTMP-ACK.tooMuch": "The Acknowledgement reports {0} {0|octet|octets} received, but only {1} had been sent.",
        "RTMP-ACK.back":
            "The Acknowledgement reports {0}, less than the previous one ({1}): it is not a total from the start.",
        "RTMP-ACK.same":
            "The last {1} Acknowledgements all report {0}, although {2} octets were sent meanwhile: it is not a total from "
            + "the start.",
        "RTMP-ACK.never.client":
            "The client received {0} {0|octet|octets} and never sent an Acknowledgement, although the window is {1}.",
        "RTMP-ACK.overdue.client":
            "The client received {0} {0|octet|octets} without an Acknowledgement, although the window is {1}.",
        "RTMP-PEERBW.client": "The client never answered Set Peer Bandwidth {0} with a Window Acknowledgement Size.",
        "RTMP-ACK.never.server":
            "The server received {0} {0|octet|octets} and never sent an Acknowledgement, although the window is {1}.",
        "RTMP-ACK.overdue.server":
            "The server received {0} {0|octet|octets} without an Acknowledgement, although the window is {1}.",
        "RTMP-PEERBW.server": "The server never answered Set Peer Bandwidth {0} with a Window Acknowledgement Size.",
        "RTMP-ACK.uncertain": "How many octets had been sent was not captured.",
        "RTMP-PING.other": "The timestamp of the Ping Response is not that of the Ping Request.",
        "RTMP-PING.never": "A Ping Request was never answered.",
        "RTMP-AGGREGATE.size": "Message {0} of the aggregate is longer than the rest of the aggregate.",
        "RTMP-AGGREGATE.backPointer":
            "The back pointer after message {0} of the aggregate is not the size of that message with its header.",
        "RTMP-AGGREGATE.leftOver": "{0} {0|octet|octets} {0|is|are} left after the last message of the aggregate.",
        "RTMP-AGGREGATE.offset":
            "The timestamps of the aggregate and its first message differ: {0} ms must be added to all messages.",
        "RTMP-CONNECT.notFirst": "The first command is {0}, not connect: the server cannot select the application.",
        "RTMP-CONNECT.transaction":
            "connect has another transaction than 1: servers answer with 1, and strict clients find no result.",
        "RTMP-CONNECT.noObject": "connect has no command object with application and URL.",
        "RTMP-CONNECT.empty": "The {0} in the command object of connect is empty.",
        "RTMP-CONNECT.missing": "The command object of connect has no {0}.",
        "RTMP-CONNECT.inconclusive": "Whether connect was the first command was not captured.",
        "RTMP-TCURL.form": "tcUrl is not a URL of the form rtmp://server:port/application.",
        "RTMP-TCURL.address": "The address in tcUrl is not that of the connection.",
        "RTMP-TCURL.port": "The port in tcUrl is not that of the connection.",
        "RTMP-TCURL.application": "The path of tcUrl is not the application in app.",
        "RTMP-CODEC-FLAGS.number":
            "{0} is {1}, a codec number of FLV; the field contains flags, and these bits mean other codecs.",
        "RTMP-RESULT.never": "{0} (transaction {1}) was never answered.",
        "RTMP-RESULT.late": "The result took {0} s.",
        "RTMP-RESULT.unasked": "No command with transaction {0} is pending.",
        "RTMP-CMD-TYPE.data": "{0} is in a type {1} message, which is data: servers do not execute it.",
        "RTMP-ORDER.early": "{0} was sent on stream {1} before the result of createStream.",
        "RTMP-ORDER.zero": "{0} is on message stream 0, that of the connection: no stream was created for it.",
        "RTMP-ORDER.unknown": "{0} is on message stream {1}, which no result of createStream returned.",
        "RTMP-ORDER.inconclusive": "Whether the stream of {0} had been created was not captured.",
        "RTMP-PUBLISH.notNull": "publish does not start with null: servers read the wrong value as the name.",
        "RTMP-PUBLISH.noName": "publish has no name.",
        "RTMP-PUBLISH.noType": "publish has no type; servers assume live.",
        "RTMP-PUBLISH.type": "The type of publish is not live, record or append.",
        "RTMP-TXID-ZERO.other": "{0} has a transaction ID, although it has no _result (only onStatus, or no answer).",
        "RTMP-ONSTATUS.never": "{0} was never answered with onStatus.",
        "RTMP-ONSTATUS.noInformation": "onStatus has no information object.",
        "RTMP-ONSTATUS.stream":
            "{0} is on message stream 0 instead of {1}: clients that assign onStatus by message stream miss it.",
        "RTMP-ONSTATUS.missing": "The information object of onStatus has no {0}.",
        "RTMP-ONSTATUS.level": "The level of onStatus is not status, warning or error.",
        "RTMP-MEDIA-EARLY.early": "{0} starts before NetStream.Publish.Start: some servers drop it.",
        "RTMP-MEDIA-EARLY.inconclusive": "Whether the server had accepted publish was not captured.",
        "RTMP-EXT-CMD.releaseStream":
            "releaseStream is not in the specification: encoders use it to free a name that an earlier connection may "
            + "still use.",
        "RTMP-EXT-CMD.FCPublish": "FCPublish is not in the specification: encoders use it to announce the stream name.",
        "RTMP-EXT-CMD.FCUnpublish":
            "FCUnpublish is not in the specification: encoders use it to announce the end of publishing.",
        "RTMP-EXT-CMD._checkbw":
            "_checkbw is not in the specification: clients use it to request a bandwidth measurement.",
        "RTMP-EXT-CMD.onBWDone":
            "onBWDone is not in the specification: servers use it to report the end of a bandwidth measurement.",
        "RTMP-EXT-CMD.getStreamLength":
            "getStreamLength is not in the specification: players use it to query the duration of a recording.",
        "RTMP-EXT-CMD.onFCPublish": "onFCPublish is not in the specification: servers use it to answer FCPublish.",
        "RTMP-EXT-CMD.onFCUnpublish":
            "onFCUnpublish is not in the specification: servers use it to answer FCUnpublish.",
        "RTMP-EXT-CMD.FCSubscribe":
            "FCSubscribe is not in the specification: players use it to announce the stream that they want.",
        "RTMP-KEY-CLEAR.name":
            "The stream name is sent in the clear; if it is the stream key, anyone who can see this traffic can "
            + "publish with it.",
        "RTMP-KEY-CLEAR.token": "A name with a token is sent in the clear: anyone who can see this traffic can use it.",
    ]
}
