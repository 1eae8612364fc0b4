import WeirEngine
import WeirPackets
import WeirProtocols

/// The members of the RTCP packets that come all the time, written without a list of fields: what `fields` of the
/// messages says, which the tests compare.
extension JSONWriter {
    /// Writes the member `fields` of a sender report, receiver report or source description; false for other messages.
    mutating func report(_ message: any Message) -> Bool {
        // A cast that fails costs more than a look at the type.
        let type = type(of: message)
        if type == SourceDescription.self, let description = message as? SourceDescription {
            key("fields")
            raw { $0.append(description) }
        } else if type == SenderReport.self, let report = message as? SenderReport {
            key("fields")
            raw { $0.append(report) }
        } else if type == ReceiverReport.self, let report = message as? ReceiverReport {
            key("fields")
            raw { $0.append(report) }
        } else {
            return false
        }
        return true
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ report: SenderReport) {
        append(#"{"ssrc":""#)
        appendIdentifier(report.ssrc)
        append(#"","ntpTimestamp":""#)
        append(NTPTime(report.ntpTimestamp))
        append(#"","ntpTimestampRaw":""#)
        appendIdentifier(UInt32(truncatingIfNeeded: report.ntpTimestamp >> 32))
        appendHexadecimal(UInt32(truncatingIfNeeded: report.ntpTimestamp))
        append(#"","rtpTimestamp":"#)
        appendDecimal(Int(report.rtpTimestamp))
        append(#","senderPacketCount":"#)
        appendDecimal(Int(report.packetCount))
        append(#","senderOctetCount":"#)
        appendDecimal(Int(report.octetCount))
        append(report.reports)
    }

    fileprivate mutating func append(_ report: ReceiverReport) {
        append(#"{"ssrc":""#)
        appendIdentifier(report.ssrc)
        append(UInt8(ascii: "\""))
        append(report.reports)
    }

    /// The last member of a report, and its end.
    private mutating func append(_ blocks: [ReportBlock]) {
        append(#","reports":["#)
        for (index, block) in blocks.enumerated() {
            append(index == 0 ? #"{"ssrc":""# : #",{"ssrc":""#)
            appendIdentifier(block.ssrc)
            append(#"","fractionLost":"#)
            appendDecimal(Int(block.fractionLost))
            append(#","cumulativeLost":"#)
            appendDecimal(Int(block.cumulativeLost))
            append(#","extendedHighestSequenceNumber":"#)
            appendDecimal(Int(block.extendedHighestSequence))
            append(#","jitter":"#)
            appendDecimal(Int(block.jitter))
            append(#","lastSr":"#)
            appendDecimal(Int(block.lastSenderReport))
            append(#","delaySinceLastSr":"#)
            appendDecimal(Int(block.delaySinceLastSenderReport))
            append(UInt8(ascii: "}"))
        }
        append("]}")
    }

    fileprivate mutating func append(_ description: SourceDescription) {
        append(UInt8(ascii: "{"))
        if let first = description.chunks.first {
            append(#""ssrc":""#)
            appendIdentifier(first.ssrc)
            append(#"","#)
        }
        append(#""chunks":["#)
        for (index, chunk) in description.chunks.enumerated() {
            append(index == 0 ? #"{"ssrc":""# : #",{"ssrc":""#)
            appendIdentifier(chunk.ssrc)
            append(#"","items":["#)
            for (index, item) in chunk.items.enumerated() {
                append(index == 0 ? #"{"type":"# : #",{"type":"#)
                appendDecimal(Int(item.type))
                append(#","name":""#)
                append(item.name)
                append(#"","text":"#)
                appendJSON(item.text)
                append(UInt8(ascii: "}"))
            }
            append("]}")
        }
        append("]}")
    }
}
