import WeirEngine
import WeirPackets

// The end of an answer that is shorter than it should be.

extension RTMPHandshake {
    /// Returns the offset of the first chunk in octets of an answer, if the answer ends there early.
    func chunkStart(_ bytes: RawSpan, _ start: Int, _ passed: Int, _ isClient: Bool) -> Int? {
        let end = min(bytes.byteCount, start &+ (RTMPHandshakePart.Packet.c2.octets &- passed))
        let echoed = first(isClient: !isClient)
        var next = start
        // Chunks that are octets of the echo are not taken for chunks: only one that extends beyond the echo may be one.
        if bytes.clamped(start, end).equals(echoed.rawSpan.clamped(passed, passed &+ (end &- start))) {
            next = max(start, end &- (RTMPChunkHeader.firstChunkOctets &- 1))
        }
        while next < end, let last = bytes.byte(at: next &+ 11) {
            // The message stream ID, of a connection 0, stands apart in random octets. It may begin in none of the four
            // places before an octet that is not 0.
            guard last == 0 else {
                next &+= 4
                continue
            }
            let offset = next
            next &+= 1
            guard bytes.uint32(at: offset &+ 8) == 0, let basic = bytes.byte(at: offset), 2..<64 ~= basic,
                RTMPChunkHeader.isFirstChunk(bytes, at: offset)
            else { continue }
            // Random octets of the peer may be anything.
            let place = passed &+ (offset &- start)
            let echo = echoed.dropFirst(place).prefix(RTMPChunkHeader.firstChunkOctets)
            if echo.count == RTMPChunkHeader.firstChunkOctets,
                zip(echo, 0...).allSatisfy({ octet, index in bytes.byte(at: offset &+ index) == octet })
            {
                continue
            }
            return offset
        }
        return nil
    }
}

extension RTMPChunkHeader {
    /// The octets that identify a first chunk.
    static let firstChunkOctets = 12
    /// The length of each control message by type (RTMP §5.4, §6.2).
    private static let controlLengths: [UInt8: Int] = [1: 4, 3: 4, 5: 4, 6: 5]

    /// Returns whether a chunk starts at `start` with which a peer begins after the handshake: a control message of the
    /// right length on chunk stream 2, or the command `connect`. Random octets do not look like that.
    static func isFirstChunk(_ bytes: RawSpan, at start: Int) -> Bool {
        guard let header = RTMPChunkHeader(bytes, at: start), header.format == 0, header.basicOctets == 1,
            header.messageStreamID == 0, !header.isExtended
        else { return false }
        if let length = controlLengths[header.typeID] {
            return header.chunkStreamID == 2 && header.time == 0 && header.messageLength == length
        }
        guard header.typeID == 20 else { return false }
        // A string in AMF 0: marker, length, characters.
        let name: [UInt8] = [2, 0, 7] + Array("connect".utf8)
        return zip(name, 0...).allSatisfy { octet, index in
            bytes.byte(at: start &+ header.octets &+ index) == octet
        }
    }
}
