import WeirPackets

/// Writes H.264, H.265 and H.266 as a byte stream, with a start code before each NAL unit (Annex B of each).
///
/// Pictures with missing packets, or without their start, are omitted.
struct NALUnitDepacketizer: Depacketizer {
    let fileExtension: String
    var gathersPictures: Bool { true }
    private(set) var framesIn = 0
    private(set) var framesOut = 0
    private let kind: RTPPayloadFormat
    private let hasOrderNumbers: Bool
    /// Parameter sets from the session description.
    private let announced: [[UInt8]]
    private var hasBegun = false
    private var timestamp: UInt32?
    private var picture: [UInt8] = []
    private var isDamaged = false
    private var hasSlice = false
    /// Parameter sets and other units without a picture, which precede the next one: alone, decoders report them as a
    /// picture without a frame.
    private var lead: [UInt8] = []
    private static let mostLead = 64 * 1_024
    /// Whether the first slices of the current picture may be missing, because packets before it are.
    private var mayLackStart = false
    private var fragment: [UInt8]?
    /// A delimiter that no other unit of its access unit has followed.
    private var delimiter: [UInt8]?
    private var lastMarker = true

    private static let startCode: [UInt8] = [0, 0, 0, 1]

    init(_ format: MediaFormat) {
        kind = format.payload
        fileExtension = kind == .h266 ? "h266" : kind == .h265 ? "h265" : "h264"
        announced = format.parameterSets
        hasOrderNumbers = (format.parameter("sprop-max-don-diff").flatMap { Int($0) } ?? 0) > 0
    }

    mutating func take(_ packet: ExtractedPacket) -> [UInt8] {
        var written: [UInt8] = []
        if packet.missingBefore > 0 {
            fragment = nil
            // The end of the previous picture is missing, unless its last packet had the marker.
            if !lastMarker { isDamaged = true }
        }
        if packet.timestamp != timestamp {
            let isFirst = timestamp == nil
            written += flush()
            timestamp = packet.timestamp
            mayLackStart = isFirst || packet.missingBefore > 0
            // A continuation without its start.
            if packet.missingBefore > 0, !beginsPicture(packet.payload) { isDamaged = true }
        }
        if packet.isCut { isDamaged = true }
        read(packet.payload)
        lastMarker = packet.marker
        return written
    }

    mutating func finish() -> [UInt8] {
        let written = flush()
        defer { lead = [] }
        return hasBegun ? written + lead : written
    }

    /// Ends the current picture.
    private mutating func flush() -> [UInt8] {
        defer {
            picture = []
            delimiter = nil
            isDamaged = false
            hasSlice = false
            mayLackStart = false
            fragment = nil
        }
        guard timestamp != nil else { return [] }
        if hasSlice || isDamaged { framesIn += 1 }
        guard !isDamaged, fragment == nil, !picture.isEmpty else { return [] }
        guard hasSlice || lead.count > Self.mostLead else {
            lead += picture
            return []
        }
        if hasSlice { framesOut += 1 }
        let written = lead + picture
        lead = []
        guard !hasBegun else { return written }
        hasBegun = true
        return announced.filter { !$0.isEmpty }.flatMap { Self.startCode + $0 } + written
    }

    /// Returns whether a unit only delimits access units: type 9 of H.264, 35 of H.265, 20 of H.266.
    private func isDelimiter(_ unit: ArraySlice<UInt8>) -> Bool {
        guard let header = unit.first else { return false }
        return switch kind {
        case .h266: unit.dropFirst().first.map { $0 >> 3 == 20 } ?? false
        case .h265: header >> 1 & 0x3F == 35
        default: header & 0x1F == 9
        }
    }

    private func beginsPicture(_ payload: [UInt8]) -> Bool {
        switch kind {
        case .h266: payload.count > 2 && (payload[1] >> 3 != 29 || payload[2] & 0x80 != 0)
        case .h265: payload.count > 2 && (payload[0] >> 1 & 0x3F != 49 || payload[2] & 0x80 != 0)
        default: payload.count > 1 && (payload[0] & 0x1F != 28 || payload[1] & 0x80 != 0)
        }
    }

    private mutating func append(_ unit: ArraySlice<UInt8>) {
        guard let header = unit.first else { return }
        let isSlice =
            switch kind {
            // VCL NAL unit types are those below 12.
            case .h266: unit.dropFirst().first.map { $0 >> 3 < 12 } ?? false
            case .h265: header >> 1 & 0x3F < 32
            default: 1...5 ~= header & 0x1F
            }
        if isSlice {
            if mayLackStart, !hasSlice, !isFirstSlice(unit) { isDamaged = true }
            hasSlice = true
        }
        // A delimiter is written only before the units that it delimits.
        if isDelimiter(unit) {
            delimiter = Array(unit)
            return
        }
        if let delimiter {
            picture += Self.startCode + delimiter
            self.delimiter = nil
        }
        picture += Self.startCode
        picture += unit
    }

    /// Returns whether a slice is the first of its picture. H.264: first_mb_in_slice is 0, a single 1 bit, except in
    /// partitions B and C. H.265: the first bit. H.266: no simple flag, so assumed possible.
    private func isFirstSlice(_ unit: ArraySlice<UInt8>) -> Bool {
        let octets = unit.prefix(3)
        switch kind {
        case .h266: return true
        case .h265: return octets.dropFirst(2).first.map { $0 & 0x80 != 0 } ?? false
        default:
            guard let header = octets.first, ![3, 4].contains(header & 0x1F) else { return false }
            return octets.dropFirst().first.map { $0 & 0x80 != 0 } ?? false
        }
    }

    private mutating func read(_ payload: [UInt8]) {
        switch kind {
        case .h266: readH266(payload)
        case .h265: readH265(payload)
        default: readH264(payload)
        }
    }

    private mutating func readH264(_ payload: [UInt8]) {
        guard let parsed = H264Payload(payload.rawSpan) else { return }
        switch parsed.structure {
        case .single: append(payload[...])
        case .fuA, .fuB:
            let body = payload.dropFirst(parsed.structure == .fuA || !parsed.startsUnit ? 2 : 4)
            readFragment(
                [payload[0] & 0xE0 | parsed.firstType], body, starts: parsed.startsUnit, ends: parsed.endsUnit)
        default:
            var units = H264AggregatedUnits(parsed.structure, payload.count)
            while let range = units.next(payload.rawSpan) { append(payload[range]) }
            if !units.addsUp { isDamaged = true }
        }
    }

    private mutating func readH265(_ payload: [UInt8]) {
        guard let parsed = H265Payload(payload.rawSpan) else { return }
        let extra = hasOrderNumbers ? 2 : 0
        switch parsed.packetType {
        case 48: readAggregation(payload, from: 2 + extra)
        case 49:
            guard payload.count > 3 else { return }
            let first = payload[0] & 0x81 | (payload[2] & 0x3F) << 1
            readFragment(
                [first, payload[1]], payload.dropFirst(3 + (parsed.startsUnit ? extra : 0)), starts: parsed.startsUnit,
                ends: parsed.endsUnit)
        case 0...47: append(hasOrderNumbers ? payload[..<2] + payload.dropFirst(4) : payload[...])
        default: break
        }
    }

    private mutating func readH266(_ payload: [UInt8]) {
        guard let parsed = H266Payload(payload.rawSpan) else { return }
        let extra = hasOrderNumbers ? 2 : 0
        switch parsed.packetType {
        case 28: readAggregation(payload, from: 2 + extra)
        case 29:
            guard payload.count > 3 else { return }
            // The type of the NAL unit replaces that of the fragment in the second octet.
            let second = payload[1] & 0x07 | (payload[2] & 0x1F) << 3
            readFragment(
                [payload[0], second], payload.dropFirst(3 + (parsed.startsUnit ? extra : 0)), starts: parsed.startsUnit,
                ends: parsed.endsUnit)
        default: append(hasOrderNumbers ? payload[..<2] + payload.dropFirst(4) : payload[...])
        }
    }

    private mutating func readAggregation(_ payload: [UInt8], from first: Int) {
        var offset = first
        while offset + 2 <= payload.count {
            let size = Int(payload[offset]) << 8 | Int(payload[offset + 1])
            guard size > 0, offset + 2 + size <= payload.count else {
                isDamaged = true
                break
            }
            append(payload[(offset + 2)..<(offset + 2 + size)])
            offset += 2 + size + (hasOrderNumbers ? 1 : 0)
        }
    }

    private mutating func readFragment(_ header: [UInt8], _ body: ArraySlice<UInt8>, starts: Bool, ends: Bool) {
        if starts {
            fragment = header + body
        } else if fragment != nil {
            fragment?.append(contentsOf: body)
        } else {
            isDamaged = true
        }
        guard ends, let unit = fragment else { return }
        append(unit[...])
        fragment = nil
    }
}
