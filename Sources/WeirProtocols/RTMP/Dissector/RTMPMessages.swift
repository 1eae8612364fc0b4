import WeirEngine
import WeirPackets

// Handling of complete messages.

// Mutating, to access the stream in place instead of a copy.
extension RTMPChunkStream {
    /// Returns the payload of the current message, which is complete.
    mutating func payload(_ limits: LimitsReference) -> RTMPPayload {
        // A message entirely missing from the capture is not an empty message.
        guard length == 0 || !kept.isEmpty else { return .unknown }
        return RTMPPayload(
            typeID: typeID, kept.rawSpan, length: length,
            units: hasUnfilledGap ? nil : units.finished(length: length), limits: limits.values)
    }

    /// Returns the current message with its payload.
    mutating func message(_ payload: RTMPPayload, _ names: RTMPNames, _ limits: LimitsReference) -> RTMPMessage {
        let isCut = hasUnfilledGap || isTooLong
        return RTMPMessage(
            chunkStreamID: id, typeID: typeID, messageStreamID: messageStreamID, timestamp: timestamp, length: length,
            chunks: chunks, payload: payload, framing: framing, firstFrame: firstFrame,
            isCut: isCut || payload.exceedsLimits,
            aggregate: typeID == 22
                ? RTMPAggregate(kept.rawSpan, timestamp: timestamp, isCut: isCut, limits: limits.values) : nil,
            names: names)
    }
}

extension RTMPPayload {
    /// Whether values were skipped because of a limit. They are not missing from the message.
    fileprivate var exceedsLimits: Bool {
        switch self {
        case .command(let command), .data(let command): command.flaws.contains(where: \.isLimit)
        default: false
        }
    }
}

extension RTMPMessage {
    /// Creates a message from a part of an aggregate with its payload.
    init(_ part: RTMPAggregate.Part, of whole: RTMPMessage, _ payload: RTMPPayload, _ names: RTMPNames) {
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
            timestamp: part.timestamp, length: part.payload.count, chunks: whole.chunks, payload: payload,
            framing: framing, firstFrame: whole.firstFrame, isCut: payload.exceedsLimits, names: names)
    }
}

extension RTMPChunkReader {
    /// Applies the effect of a message on the parsing of later ones.
    ///
    /// - Parameter hasTooManyNames: Whether it is the first message that exceeds the limit of names.
    mutating func obey(
        _ message: RTMPMessage, hasTooManyNames: Bool, _ connection: borrowing RTMPConnection, _ outlet: Outlet
    ) {
        switch message.payload {
        case .setChunkSize(let size):
            if size & 0x7FFF_FFFF > 0 {
                chunkSize = Int(size & 0x7FFF_FFFF)
                sizeSource.announce()
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
            if hasTooManyNames {
                outlet.remark(Remark(Text("rtmp.remark.streamNames", .integer(limits[RTMPLimits.self].streamNames))))
            }
            remark(on: command.flaws, outlet)
        case .sharedObject(let object): remark(on: object.flaws, outlet)
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
            let octets = bytes.rawSpan.clamped(part.payload.lowerBound, part.payload.upperBound)
            var payload = RTMPPayload(
                typeID: part.typeID, octets, length: part.payload.count, limits: limitsReference.values)
            let (names, exceedsLimit) = connection.recordObserved(
                &payload, on: message.messageStreamID, isClients: isClient)
            var inner = RTMPMessage(part, of: message, payload, names)
            followUnits(of: &inner, octets)
            obey(inner, hasTooManyNames: exceedsLimit, connection, outlet)
            if keepsMedia, inner.isMedia || inner.isData {
                inner.body = Array(bytes[part.payload])
            }
            outlet.message(inner, range)
        }
    }
}
