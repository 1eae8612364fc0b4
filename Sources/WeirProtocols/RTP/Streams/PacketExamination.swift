import WeirEngine
import WeirPackets

// Checks that only few packets need: malformed headers, padding, and header extensions.

extension RTPHeader {
    /// Whether the header has more than the fixed fields.
    @inline(__always)
    var isUnusual: Bool { hasExtension || hasInvalidPadding }
}

extension MediaStream {
    /// Examines a packet that `isUnusual`; `bytes` is the whole packet.
    @inline(never)
    mutating func examine(_ header: RTPHeader, _ bytes: RawSpan, _ time: Timestamp, _ frame: Int) {
        var found: PacketFaults = []
        var detail = 0
        // Encryption includes the padding count (RFC 3711 §3.1).
        if header.hasInvalidPadding, !isEncrypted {
            found.insert(.padding)
            detail = Int(bytes.byte(at: bytes.byteCount &- 1) ?? 0)
        }
        if header.hasExtension, header.extensionRange.upperBound <= bytes.byteCount {
            var elements = ExtensionElements(header, bytes)
            while let element = elements.next(bytes) {
                naming.note(element.id)
                guard let known = agreement.extensions, known[element.id] == nil else { continue }
                found.insert(.extensionUnknown)
                detail = Int(element.id)
            }
            if let fault = elements.fault { found.insert(fault) }
        }
        if !found.isEmpty { note(found, header, time: time, frame: frame, detail: detail) }
    }

    /// Whether the payloads are encrypted, according to signaling.
    var isEncrypted: Bool { agreement.isEncrypted || formats[payloadType]?.isEncrypted == true }
}

/// Iterates over the elements of a header extension in the general format (RFC 8285 §4.2, §4.3), without storing them.
struct ExtensionElements {
    private var offset: Int
    private let end: Int
    private let isShort: Bool
    /// The first fault; elements before it were parsed.
    private(set) var fault: PacketFault?

    /// Creates an iterator at the first element of a packet's extension, if it has the general format.
    init(_ header: RTPHeader, _ bytes: RawSpan) {
        isShort = header.extensionProfile == 0xBEDE
        let isGeneral = isShort || 0x1000...0x100F ~= header.extensionProfile
        offset = header.extensionRange.lowerBound
        end = isGeneral ? header.extensionRange.upperBound : offset
    }

    /// Returns the identifier and data range of the next element.
    mutating func next(_ bytes: RawSpan) -> (id: UInt8, data: Range<Int>)? {
        while offset < end, bytes.byte(at: offset) == 0 { offset &+= 1 }
        guard fault == nil, offset < end, let first = bytes.byte(at: offset) else { return nil }
        let id: UInt8
        let length: Int
        if isShort {
            id = first >> 4
            length = Int(first & 0x0F) &+ 1
            offset &+= 1
            guard id != 15 else {
                fault = .extensionReserved
                return nil
            }
        } else {
            guard offset &+ 1 < end, let octets = bytes.byte(at: offset &+ 1) else {
                fault = .extensionBlock
                return nil
            }
            id = first
            length = Int(octets)
            offset &+= 2
        }
        guard id != 0, length <= end &- offset else {
            fault = .extensionBlock
            return nil
        }
        defer { offset &+= length }
        return (id, offset..<offset &+ length)
    }
}

extension MediaStreams {
    /// Records a packet of a known source whose header violates RFC 3550. It is assigned by its SSRC, which is at the
    /// same offset; other protocols on the port have other octets there.
    func readBroken(_ bytes: RawSpan, _ error: DecodeError, _ arrival: PacketArrival, _ packets: MediaFlow) {
        guard let word = bytes.uint32(at: 0), let ssrc = bytes.uint32(at: 8) else { return }
        guard let stream = packets.keys.stream(ssrc, Int32(arrival.channel ?? -1), arrival.at.direction) else {
            return packets.probation.forget(ssrc, arrival.at.direction)
        }
        let flags = UInt8(truncatingIfNeeded: word >> 24)
        var fault: PacketFault?
        var detail = Int(flags >> 6)
        if flags >> 6 != 2 {
            fault = .version
        } else if case .malformed = error.kind, bytes.byteCount == arrival.wireLength {
            let isExtension = flags & 0x10 != 0 && 12 &+ Int(flags & 0x0F) &* 4 <= bytes.byteCount
            fault = isExtension ? .extensionLength : .length
            detail = Int(flags & 0x0F)
        }
        let place = arrival.at
        let news = streams[stream].observe(
            broken: fault, sequence: UInt16(truncatingIfNeeded: word), octets: max(0, arrival.wireLength &- 12),
            time: place.time, frame: place.frame, detail: detail)
        guard news.contains(.gap), let entry = entry(stream) else { return }
        while let (gap, hole) = streams[stream].takeGap(at: place.time) { emit(gap, at: hole, entry, place) }
    }

    /// Records a packet received in IP fragments.
    func noteFragments(_ header: RTPHeader, _ arrival: PacketArrival, _ packets: MediaFlow) {
        guard
            let stream = packets.keys.stream(header.ssrc, Int32(arrival.channel ?? -1), arrival.at.direction)
        else { return }
        streams[stream].note(
            PacketFaults(.fragmentedDatagram), header, time: arrival.at.time, frame: arrival.at.frame,
            detail: arrival.wireLength)
    }
}
