extension RTMPWords {
    /// Findings of the RTMP rules.
    static let englishRules: [String: String] = [
        "RTMP-HS-VERSION.encrypted": "{0} says version {1}: this is RTMPE, and what follows is encrypted.",
        "RTMP-HS-VERSION.forbidden": "{0} says version {1}, which is not allowed: such an octet begins text, not RTMP.",
        "RTMP-HS-VERSION.other": "{0} says version {1}, which nobody speaks; only 3 is in use.",
        "RTMP-HS-ORDER.part": "{0} was sent before {1} came: its sender did not wait.",
        "RTMP-HS-ORDER.client":
            "The client goes on before {0} came whole; a server may take this for a part of the handshake.",
        "RTMP-HS-ORDER.server": "The server goes on before {0} came whole.",
        "RTMP-HS-ORDER.inconclusive": "Whether {0} had come cannot be told from what was captured.",
        "RTMP-HS-SIZE.short":
            "Of {0} only {1} {1|octet|octets} came before the connection ended: the other side waits for the rest for "
            + "ever.",
        "RTMP-HS-SIZE.inconclusive": "{0} is not complete in the capture.",
        "RTMP-HS-C1ZERO.notZero": "Octets 4 to 7 of {0} hold {1} instead of zero, and no digest goes with them.",
        "RTMP-HS-ENTROPY.zeros": "The random octets of {0} are all zero.",
        "RTMP-HS-ENTROPY.constant": "The random octets of {0} are the same again and again.",
        "RTMP-HS-ENTROPY.text":
            "The random octets of {0} hold readable text: memory of the program that was not cleared.",
        "RTMP-HS-ENTROPY.sparse": "The random octets of {0} have very few values, as memory has that was not cleared.",
        "RTMP-HS-STALL.late": "connect came {0} s after the handshake.",
        "RTMP-HS-STALL.noC2":
            "All of S0, S1 and S2 was delivered, but the client never sent C2: it waits for something that "
            + "will not come, perhaps since it takes one read for one part.",
        "RTMP-HS-STALL.noConnect":
            "The handshake is complete, but the client never sent connect: it waits for something that will "
            + "not come, perhaps since it takes one read for one part.",
        "RTMP-HS-C2.time": "The time of C2 is not the one that S1 held.",
        "RTMP-HS-C2.ownFirstPart":
            "In the place of C2 the sender's own C1 comes a second time: the peer's octets are not sent back.",
        "RTMP-HS-C2.other": "C2 does not send S1 back: {0} {0|octet differs|octets differ}, from octet {1} on.",
        "RTMP-HS-C2.inconclusive": "The capture does not hold all of C2.",
        "RTMP-HS-S2.time": "The time of S2 is not the one that C1 held.",
        "RTMP-HS-S2.ownFirstPart":
            "In the place of S2 the sender's own S1 comes a second time: the peer's octets are not sent back.",
        "RTMP-HS-S2.other": "S2 does not send C1 back: {0} {0|octet differs|octets differ}, from octet {1} on.",
        "RTMP-HS-S2.inconclusive": "The capture does not hold all of S2.",
        "RTMP-HS-TIME2.zero": "The second time of {0} is 0, not the time at which the peer's part was read.",
        "RTMP-HS-TIME2.copied":
            "The second time of {0} is the peer's own field, copied with the rest, not the time of reading.",
        "RTMP-HS-TIME2.peerTime": "The second time of {0} is the peer's time, not that of reading.",
        "RTMP-CS-TYPE0.other": "Chunk stream {0} begins with a chunk of type {1}: what it leaves out was never said.",
        "RTMP-CS-TYPE0.stray":
            "A chunk of type {1} goes on with chunk stream {0}, on which nothing had begun: it cannot be read.",
        "RTMP-CS-TYPE0.inconclusive": "How chunk stream {0} began is not in the capture.",
        "RTMP-CS-CSID.long": "Chunk stream id {0} is written in {1} {1|octet|octets}, though fewer hold it.",
        "RTMP-CS-CONTROL.short": "{0} has {1} {1|octet|octets}; what it has to say takes {2}.",
        "RTMP-CS-CONTROL.chunkStream": "{0} is on chunk stream {1}: peers look for it on 2.",
        "RTMP-CS-CONTROL.messageStream": "{0} is on message stream {1} instead of 0.",
        "RTMP-CS-UCM.chunkStream": "A user control message is on chunk stream {0} instead of 2.",
        "RTMP-CS-UCM.messageStream": "A user control message is on message stream {0} instead of 0.",
        "RTMP-CS-UCM.chunks": "A user control message takes {0} chunks: the chunk size is too small.",
        "RTMP-CS-SIZE.exceeded":
            "A message of {0} octets on chunk stream {1} came in longer chunks than this side has announced: receivers lose the place where chunks begin.",
        "RTMP-CS-SIZE.ofPeer.client":
            "A message of {0} octets on chunk stream {1} comes in longer chunks than the client announced: it uses the chunk size "
            + "{2} that the server announced in frame {3} for its own direction.",
        "RTMP-CS-SIZE.ofPeer.server":
            "A message of {0} octets on chunk stream {1} comes in longer chunks than the server announced: it uses the chunk size "
            + "{2} that the client announced in frame {3} for its own direction.",
        "RTMP-CS-SIZE.firstBit": "The first bit of the chunk size is set; without it the size is {0}.",
        "RTMP-CS-SIZE.zero": "The chunk size is 0: no message can be sent in such chunks.",
        "RTMP-CS-SIZE.small": "The chunk size is {0}, below 128: many chunks for little data.",
        "RTMP-CS-LENGTH.unfinished":
            "On chunk stream {0} a message begins though only {1} of the {2} {2|octet|octets} of the one before have "
            + "come.",
        "RTMP-CS-LENGTH.continuation": "A message on chunk stream {0} goes on in {1} chunks that are not of type 3.",
        "RTMP-CS-LENGTH.inconclusive": "Octets of chunk stream {0} are missing from the capture.",
        "RTMP-CS-EXTTS.omitted":
            "This side leaves the extended timestamp out of chunks of type 3: receivers that expect it take "
            + "four octets of media for it.",
        "RTMP-CS-EXTTS.needless": "The extended field holds {0}, which 24 bits hold as well.",
        "RTMP-CS-TS24.wrapped":
            "On chunk stream {0} the timestamp starts again at {1} after 24 bits, without the extended "
            + "field: receivers take it for a leap of 4 h 39 min back.",
        "RTMP-CS-TSBACK.delta":
            "On chunk stream {0} a delta of {1} takes the time back: as an unsigned number it is a leap of "
            + "hours ahead.",
        "RTMP-CS-MSID-LE.bigEndian":
            "Message stream {0} is written with the highest octet first: peers read another number.",
        "RTMP-ACK.tooMuch": "The Acknowledgement says {0} {0|octet|octets} were received, but only {1} had been sent.",
        "RTMP-ACK.back":
            "The Acknowledgement says {0}, less than the one before ({1}): it does not count from the "
            + "beginning.",
        "RTMP-ACK.never.client":
            "The client received {0} {0|octet|octets} and never sent an Acknowledgement, though one was asked for each "
            + "{1}.",
        "RTMP-ACK.overdue.client":
            "The client received {0} {0|octet|octets} without an Acknowledgement, though one was asked for each {1}.",
        "RTMP-PEERBW.client": "The client never answered Set Peer Bandwidth {0} with a Window Acknowledgement Size.",
        "RTMP-ACK.never.server":
            "The server received {0} {0|octet|octets} and never sent an Acknowledgement, though one was asked for each "
            + "{1}.",
        "RTMP-ACK.overdue.server":
            "The server received {0} {0|octet|octets} without an Acknowledgement, though one was asked for each {1}.",
        "RTMP-PEERBW.server": "The server never answered Set Peer Bandwidth {0} with a Window Acknowledgement Size.",
        "RTMP-ACK.uncertain": "How many octets had been sent cannot be told from what was captured.",
        "RTMP-PING.other": "The Ping Response holds another time than the Ping Request.",
        "RTMP-PING.never": "A Ping Request was never answered.",
        "RTMP-AGGREGATE.size": "Message {0} of the aggregate is longer than what is left of it.",
        "RTMP-AGGREGATE.backPointer":
            "The back pointer behind message {0} of the aggregate is not the size of that message with its "
            + "header.",
        "RTMP-AGGREGATE.leftOver":
            "{0} {0|octet|octets} {0|is|are} left over behind the last message of the aggregate.",
        "RTMP-AGGREGATE.offset":
            "The first message of the aggregate has another timestamp than the aggregate: {0} ms are to be "
            + "added to all.",
        "RTMP-CONNECT.notFirst": "The first command is {0}, not connect: the server does not know the application.",
        "RTMP-CONNECT.transaction":
            "connect has another transaction than 1: servers answer with 1, and clients that compare find no "
            + "answer.",
        "RTMP-CONNECT.noObject": "connect has no command object, which is to say application and URL.",
        "RTMP-CONNECT.missing": "The object of connect has no {0}.",
        "RTMP-CONNECT.inconclusive": "Whether connect came first is not in the capture.",
        "RTMP-TCURL.form": "tcUrl is no URL of the form rtmp://server:port/application.",
        "RTMP-TCURL.address": "tcUrl names another address than that of the connection.",
        "RTMP-TCURL.port": "tcUrl names another port than that of the connection.",
        "RTMP-TCURL.application": "The path of tcUrl is not the application that app names.",
        "RTMP-CODEC-FLAGS.number":
            "{0} is {1}, as FLV numbers a codec; it is a set of flags, and these bits mean other codecs.",
        "RTMP-RESULT.never": "{0} (transaction {1}) was never answered.",
        "RTMP-RESULT.late": "The answer took {0} s.",
        "RTMP-RESULT.unasked": "No command with transaction {0} waits for this answer.",
        "RTMP-CMD-TYPE.data":
            "{0} is in a message of type {1}, which is for data: the server does not take it for a command.",
        "RTMP-ORDER.early": "{0} was sent on stream {1} before the answer to createStream.",
        "RTMP-ORDER.zero": "{0} is on message stream 0, that of the connection: no stream was made for it.",
        "RTMP-ORDER.unknown": "{0} is on message stream {1}, which no answer to createStream gave out.",
        "RTMP-ORDER.inconclusive": "Whether the stream of {0} was made before is not in the capture.",
        "RTMP-PUBLISH.notNull": "publish does not begin with null: servers take the wrong value for the name.",
        "RTMP-PUBLISH.noName": "publish has no name.",
        "RTMP-PUBLISH.noType": "publish has no type; servers take live.",
        "RTMP-PUBLISH.type": "publish has a type that is none of live, record and append.",
        "RTMP-TXID-ZERO.other": "{0} has a transaction, though no _result answers it: onStatus does, or nothing.",
        "RTMP-ONSTATUS.never": "{0} was never answered by onStatus.",
        "RTMP-ONSTATUS.noInformation": "onStatus has no information object.",
        "RTMP-ONSTATUS.missing": "The information of onStatus has no {0}.",
        "RTMP-ONSTATUS.level": "The level of onStatus is none of status, warning and error.",
        "RTMP-MEDIA-EARLY.early":
            "{0} begins before the server has agreed: some servers drop what comes before "
            + "NetStream.Publish.Start.",
        "RTMP-MEDIA-EARLY.inconclusive": "Whether the server had agreed is not in the capture.",
        "RTMP-EXT-CMD.releaseStream":
            "releaseStream is not in the specification: encoders send it to free a name that an earlier "
            + "connection may hold.",
        "RTMP-EXT-CMD.FCPublish":
            "FCPublish is not in the specification: encoders announce the name with it, and servers may "
            + "answer with onFCPublish.",
        "RTMP-EXT-CMD.FCUnpublish": "FCUnpublish is not in the specification: encoders say with it that they stop.",
        "RTMP-EXT-CMD._checkbw":
            "_checkbw is not in the specification: the client asks for a measurement of bandwidth.",
        "RTMP-EXT-CMD.onBWDone":
            "onBWDone is not in the specification: the server says that the bandwidth was measured.",
        "RTMP-EXT-CMD.getStreamLength":
            "getStreamLength is not in the specification: players ask how long a recording is.",
        "RTMP-EXT-CMD.onFCPublish": "onFCPublish is not in the specification: the server answers FCPublish.",
        "RTMP-EXT-CMD.onFCUnpublish": "onFCUnpublish is not in the specification: the server answers FCUnpublish.",
        "RTMP-EXT-CMD.FCSubscribe":
            "FCSubscribe is not in the specification: players announce with it what they want to receive.",
        "RTMP-KEY-CLEAR.name":
            "The name that is published can be read on the wire; where it is the key, who listens can "
            + "publish, too.",
        "RTMP-KEY-CLEAR.token": "A name with a token can be read on the wire: who listens can use it, too.",
    ]
}
