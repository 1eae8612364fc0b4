public import WeirEngine
import WeirPackets

// Frequent packets write their fields directly, without building a list first. The output equals that of `fields`,
// which the tests check.

extension SenderReport {
    /// Writes the fields of the report.
    public func writeFields(_ secrets: SecretPolicy, to json: inout [UInt8]) -> Bool {
        json.append(#"{"ssrc":""#)
        json.appendIdentifier(ssrc)
        json.append(#"","ntpTimestamp":""#)
        json.append(NTPTime(ntpTimestamp))
        json.append(#"","ntpTimestampRaw":""#)
        json.appendIdentifier(UInt32(truncatingIfNeeded: ntpTimestamp >> 32))
        json.appendHexadecimal(UInt32(truncatingIfNeeded: ntpTimestamp))
        json.append(#"","rtpTimestamp":"#)
        json.appendDecimal(Int(rtpTimestamp))
        json.append(#","senderPacketCount":"#)
        json.appendDecimal(Int(packetCount))
        json.append(#","senderOctetCount":"#)
        json.appendDecimal(Int(octetCount))
        ReportBlock.writeMember(reports, to: &json)
        json.append(UInt8(ascii: "}"))
        return true
    }
}

extension ReceiverReport {
    /// Writes the fields of the report.
    public func writeFields(_ secrets: SecretPolicy, to json: inout [UInt8]) -> Bool {
        json.append(#"{"ssrc":""#)
        json.appendIdentifier(ssrc)
        json.append(UInt8(ascii: "\""))
        ReportBlock.writeMember(reports, to: &json)
        json.append(UInt8(ascii: "}"))
        return true
    }
}

extension ReportBlock {
    /// Appends the member with the report blocks, after another member.
    fileprivate static func writeMember(_ blocks: [ReportBlock], to json: inout [UInt8]) {
        json.append(#","reports":["#)
        for (index, block) in blocks.enumerated() {
            json.append(index == 0 ? #"{"ssrc":""# : #",{"ssrc":""#)
            json.appendIdentifier(block.ssrc)
            json.append(#"","fractionLost":"#)
            json.appendDecimal(Int(block.fractionLost))
            json.append(#","cumulativeLost":"#)
            json.appendDecimal(Int(block.cumulativeLost))
            json.append(#","extendedHighestSequenceNumber":"#)
            json.appendDecimal(Int(block.extendedHighestSequence))
            json.append(#","jitter":"#)
            json.appendDecimal(Int(block.jitter))
            json.append(#","lastSr":"#)
            json.appendDecimal(Int(block.lastSenderReport))
            json.append(#","delaySinceLastSr":"#)
            json.appendDecimal(Int(block.delaySinceLastSenderReport))
            json.append(UInt8(ascii: "}"))
        }
        json.append(UInt8(ascii: "]"))
    }
}

extension SourceDescription {
    /// Writes the chunks with their items.
    public func writeFields(_ secrets: SecretPolicy, to json: inout [UInt8]) -> Bool {
        json.append(UInt8(ascii: "{"))
        if let first = chunks.first {
            json.append(#""ssrc":""#)
            json.appendIdentifier(first.ssrc)
            json.append(#"","#)
        }
        json.append(#""chunks":["#)
        for (index, chunk) in chunks.enumerated() {
            json.append(index == 0 ? #"{"ssrc":""# : #",{"ssrc":""#)
            json.appendIdentifier(chunk.ssrc)
            json.append(#"","items":["#)
            for (index, item) in chunk.items.enumerated() {
                json.append(index == 0 ? #"{"type":"# : #",{"type":"#)
                json.appendDecimal(Int(item.type))
                json.append(#","name":""#)
                json.append(item.name)
                json.append(#"","text":"#)
                json.appendJSON(secrets.apply(text: item.text))
                json.append(UInt8(ascii: "}"))
            }
            json.append("]}")
        }
        json.append("]}")
        return true
    }
}
