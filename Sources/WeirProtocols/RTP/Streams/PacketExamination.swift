import WeirEngine
import WeirPackets

// What only few packets need a look at: broken headers, padding, and header extensions.

extension RTPHeader {
    /// Whether it says more than the fixed fields do.
    @inline(__always)
    var isUnusual: Bool { hasExtension || hasInvalidPadding }
}

extension MediaStream {
    /// Looks at what `isUnusual` in a packet: `bytes` is the whole of it.
    @inline(never)
    mutating func examine(_ header: RTPHeader, _ bytes: RawSpan, _ time: Timestamp, _ frame: Int) {
        var found: PacketFaults = []
        var detail = 0
        // What is encrypted includes the count of padding octets (RFC 3711 §3.1).
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

    /// Whether the payloads are encrypted, as far as signalling says.
    var isEncrypted: Bool { agreement.isEncrypted || formats[payloadType]?.isEncrypted == true }
}

/// Walks over the elements of a header extension in the general form (RFC 8285 §4.2, §4.3) without keeping them.
struct ExtensionElements {
    private var offset: Int
    private let end: Int
    private let isShort: Bool
    /// What is wrong with the elements; those before were read.
    private(set) var fault: PacketFault?

    /// Begins at the first element of a packet's extension, if it is one of that form.
    init(_ header: RTPHeader, _ bytes: RawSpan) {
        isShort = header.extensionProfile == 0xBEDE
        let isGeneral = isShort || 0x1000...0x100F ~= header.extensionProfile
        offset = header.extensionRange.lowerBound
        end = isGeneral ? header.extensionRange.upperBound : offset
    }

    /// The next element: its identifier, and where its data is.
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
    /// A packet that a stream's source sent with a header that breaks RFC 3550. It is of the stream by its source, which
    /// stands where it always does; whatever else may share the port has other octets there.
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
        while let (gap, hole) = streams[stream].takeGap(at: place.time) { tell(gap, at: hole, entry, place) }
    }

    /// A packet that came in IP fragments.
    func noteFragments(_ header: RTPHeader, _ arrival: PacketArrival, _ packets: MediaFlow) {
        guard
            let stream = packets.keys.stream(header.ssrc, Int32(arrival.channel ?? -1), arrival.at.direction)
        else { return }
        streams[stream].note(
            PacketFaults(.fragmentedDatagram), header, time: arrival.at.time, frame: arrival.at.frame,
            detail: arrival.wireLength)
    }
}
