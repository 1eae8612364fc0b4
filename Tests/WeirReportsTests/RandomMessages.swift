import Testing
import WeirPackets
import WeirTesting

@testable import WeirEngine
@testable import WeirProtocols

extension SeededGenerator {
    /// Returns a number of any length up to `bits` bits.
    mutating func number(bits: Int) -> UInt64 {
        next() >> UInt64(64 - .random(in: 0...bits, using: &self))
    }

    /// Returns an RTP packet: one in eight has a CSRC, one in eight an extension, one in four padding.
    mutating func packet(_ format: RTPPayloadFormat) -> RTPPacket {
        let count: UInt8 = chance(8) ? 1 : 0
        let hasExtension = chance(8)
        let hasPadding = chance(4)
        var octets: [UInt8] = [0x80 | (hasPadding ? 0x20 : 0) | (hasExtension ? 0x10 : 0) | count]
        octets.append((chance(10) ? 97 : 96) | (chance(2) ? 0x80 : 0))
        octets.append16(Int(number(bits: 16)))
        octets.append32(UInt32(number(bits: 32)))
        octets.append32(UInt32(truncatingIfNeeded: next()))
        octets += self.octets(Int(count) * 4)
        if hasExtension { octets += hex("BEDE 0001 10AA 0000") }
        octets += payload(format)
        if hasPadding { octets += [0, 2] }
        do throws(DecodeError) {
            return RTPPacket(try RTPHeader(octets.rawSpan), octets.rawSpan, format: format)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Returns octets of few values, or of any.
    private mutating func payload(_ format: RTPPayloadFormat) -> [UInt8] {
        let rest = self.octets(.random(in: 0...1_500, using: &self))
        guard !chance(10) else { return rest }
        switch format {
        case .h264:
            let heads = ["65", "25", "41", "01", "7C85", "7C05", "7C45", "5C05", "18 0002 6742 0001 68"]
            return hex(heads.randomElement(using: &self) ?? "") + rest
        case .h265: return hex(["2601", "0201", "620193", "620113", "620153"].randomElement(using: &self) ?? "") + rest
        case .vp8: return hex(["1000", "1001", "0000"].randomElement(using: &self) ?? "") + rest
        case .h266: return hex(["0041", "0029", "00E993", "00E913"].randomElement(using: &self) ?? "") + rest
        case .vp9: return hex(["08", "0C", "48", "8011", "888234"].randomElement(using: &self) ?? "") + rest
        case .av1: return hex(["08", "90", "1030"].randomElement(using: &self) ?? "")
        case .jpeg: return hex(["00000000 0105140F", "00000578 0105140F"].randomElement(using: &self) ?? "") + rest
        case .mpeg4Video:
            let heads = ["000001B610", "000001B650", "000001B0F1 00000120 08D48D", "7F"]
            return hex(heads.randomElement(using: &self) ?? "") + rest
        case .mpeg4Generic:
            // One access unit that fills the payload, two of one octet, or the first fragment of a larger one.
            switch Int.random(in: 0...2, using: &self) {
            case 0: return [0, 16, UInt8(rest.count >> 5), UInt8(truncatingIfNeeded: rest.count << 3)] + rest
            case 1: return hex("0020 0008 0008 AABB")
            default: return hex("0010 FFF8") + rest
            }
        default: return rest
        }
    }

    /// Returns an audio or video message with random chunk properties; one in twenty has each oddity.
    mutating func mediaMessage() -> RTMPMessage {
        let isAudio = chance(2)
        // AAC and others; H.264, H.265, H.263, a command to the player, sequence headers, and invalid ones.
        let heads =
            isAudio
            ? ["AF01", "AF00 1210", "2E", "3F", "9101 4F707573", "AF02", ""]
            : [
                "1701 000050", "2701 FFFFD8", "2C01 000000", "22", "5700", "1700 000000 01", "91 61766331",
                "2702 000000", "",
            ]
        let octets = hex(heads.randomElement(using: &self) ?? "")
        let length = octets.isEmpty ? 0 : octets.count + Int(number(bits: 20))
        var units: NALUnits?
        if !isAudio, !chance(10) {
            var found = NALUnits()
            found.count = .random(in: 0...12, using: &self)
            found.types = [1 << 1, 1 << 5 | 1 << 7, 1 << 6].randomElement(using: &self) ?? 0
            found.hasRecoveryPoint = chance(10)
            if chance(10) { found.problem = .leftover(3) }
            units = found
        }
        var message = RTMPMessage(
            chunkStreamID: .random(in: 2...65_599, using: &self), typeID: isAudio ? 8 : 9,
            messageStreamID: UInt32(number(bits: 32)),
            timestamp: UInt32(number(bits: 32)), length: length,
            chunks: .random(in: 1...200, using: &self),
            payload: RTMPPayload(
                typeID: isAudio ? 8 : 9, octets.rawSpan, length: length, units: units, limits: Limits()))
        message.isCut = chance(20)
        message.framing.format = chance(10) ? .random(in: 0...3, using: &self) : 1
        message.framing.isExtended = chance(20)
        message.framing.extendedHabit = chance(20) ? .repeated : chance(20) ? .omitted : nil
        message.framing.isTimestampKnown = !chance(20)
        message.framing.isMessageStreamKnown = !chance(20)
        message.framing.passedOver = chance(20) ? 7 : 0
        message.framing.isInAggregate = chance(20)
        message.framing.prematureOf = chance(20) ? .s2 : nil
        return message
    }
}
