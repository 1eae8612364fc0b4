import WeirEngine
import WeirPackets

// Handling of complete messages.

extension RTMPChunkStream {
    /// Returns the current message, which is complete.
    func message(_ limits: Limits) -> RTMPMessage {
        // A message entirely missing from the capture is not an empty message.
        let isMissing = kept.isEmpty && length > 0
        let isCut = hasUnfilledGap || isTooLong
        return RTMPMessage(
            chunkStreamID: id, typeID: typeID, messageStreamID: messageStreamID, timestamp: timestamp, length: length,
            chunks: chunks,
            payload: isMissing
                ? .unknown
                : RTMPPayload(
                    typeID: typeID, kept.rawSpan, length: length,
                    units: hasUnfilledGap ? nil : units.finished(length: length), limits: limits),
            framing: framing, firstFrame: firstFrame, isCut: isCut,
            aggregate: typeID == 22
                ? RTMPAggregate(kept.rawSpan, timestamp: timestamp, isCut: isCut, limits: limits) : nil)
    }
}

extension RTMPMessage {
    /// Creates a message from a part of an aggregate with the octets `bytes`.
    init(_ part: RTMPAggregate.Part, of whole: RTMPMessage, _ bytes: RawSpan, limits: Limits) {
        let bytes = bytes.clamped(part.payload.lowerBound, part.payload.upperBound)
        // The message stream ID of the aggregate applies (RTMP §7.1.6).
        var framing = RTMPFraming()
        framing.isInAggregate = true
        framing.chunkSize = whole.framing.chunkSize
        framing.position = whole.framing.position
        framing.isTimestampKnown = whole.framing.isTimestampKnown
        framing.isInferred = whole.framing.isInferred
        framing.isMessageStreamKnown = whole.framing.isMessageStreamKnown
        framing.losses = whole.framing.losses
        self.init(
            chunkStreamID: whole.chunkStreamID, typeID: part.typeID, messageStreamID: whole.messageStreamID,
            timestamp: part.timestamp, length: part.payload.count, chunks: whole.chunks,
            payload: RTMPPayload(typeID: part.typeID, bytes, length: part.payload.count, limits: limits),
            framing: framing, firstFrame: whole.firstFrame)
    }
}

extension RTMPChunkReader {
    /// Applies the effect of a message on the parsing of later ones.
    mutating func obey(
        _ message: inout RTMPMessage, _ connection: inout RTMPConnection, _ outlet: Outlet, _ range: Range<Int>
    ) {
        switch message.payload {
        case .setChunkSize(let size):
            if size & 0x7FFF_FFFF > 0 {
                chunkSize = Int(size & 0x7FFF_FFFF)
                isChunkSizeKnown = true
                isChunkSizeInferred = false
            }
            if size == 0 || size > 0x7FFF_FFFF {
                outlet.remark(Remark(Text("rtmp.remark.chunkSize"), reference: "RTMP 5.4.1"))
            }
        case .abort(let id):
            guard let index = index(of: Int(id)), index != current else { break }
            let octets = streams[index].abandon()
            keptOctets &-= octets
            connection.budget.returnBorrowed(octets)
        case .video(let video?):
            if video.packetTypeID == 0 { recordUnitLengths(video, message.messageStreamID) }
            if video.packetTypeID == 4 { remark(on: video.metadataFlaws, outlet) }
        case .command(let command), .data(let command):
            // Values skipped because of a limit are not missing from the message.
            if command.flaws.contains(where: \.isLimit) { message.isCut = true }
            if !connection.recordObserved(command, on: message.messageStreamID) {
                outlet.remark(Remark(Text("rtmp.remark.streamNames", .integer(limits[RTMPLimits.self].streamNames))))
            }
            let mayLackName = connection.mayLackName(of: message.messageStreamID)
            let makesStream = connection.follow(command, isClients: isClient)
            message.complete(
                streamKeys: connection.streamKeys, mayLackName: mayLackName,
                payload: makesStream ? .command(RTMPCommand(makingStream: command)) : nil)
            remark(on: command.flaws, outlet)
        case .sharedObject(let object):
            message.streamKeys = connection.streamKeys
            remark(on: object.flaws, outlet)
        default: break
        }
        if message.aggregate?.isLimited == true {
            outlet.remark(
                Remark(Text("rtmp.remark.aggregateLimit", .integer(limits[RTMPLimits.self].aggregatedMessages))))
        }
        if message.isCut, message.typeID != 8, message.typeID != 9 {
            let key = streams[current].isTooLong ? "rtmp.remark.tooLong" : "rtmp.remark.cut"
            outlet.remark(Remark(Text(key, .integer(streams[current].kept.count))))
        }
    }

    /// Reports that the values of a message exceeded a parser limit.
    private func remark(on flaws: [AMFFlaw], _ outlet: Outlet) {
        for flaw in flaws where flaw.isLimit {
            outlet.remark(Remark(Text("rtmp.remark.amfLimit", .string(flaw.description))))
        }
    }
}

extension RTMPChunkReader {
    /// Emits the messages of an aggregate.
    mutating func emitParts(
        of message: RTMPMessage, _ bytes: [UInt8], _ connection: inout RTMPConnection, _ outlet: Outlet,
        _ range: Range<Int>
    ) {
        for part in message.aggregate?.parts ?? [] where part.typeID != 22 {
            var inner = RTMPMessage(part, of: message, bytes.rawSpan, limits: limits)
            followUnits(of: &inner, bytes.rawSpan.clamped(part.payload.lowerBound, part.payload.upperBound))
            obey(&inner, &connection, outlet, range)
            if keepsMedia, inner.isMedia || inner.isData {
                inner.body = Array(bytes[part.payload])
            }
            outlet.message(inner, range)
        }
    }
}
