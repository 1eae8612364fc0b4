import WeirPackets

/// Writes the MPEG-4 Visual bitstream (RFC 6416) after the announced configuration headers.
///
/// Pictures with missing packets, or without their start, are omitted.
struct MPEG4VideoDepacketizer: Depacketizer {
    var fileExtension: String { "m4v" }
    var gathersPictures: Bool { true }
    private(set) var framesIn = 0
    private(set) var framesOut = 0
    private let announced: [UInt8]
    private var hasBegun = false
    private var timestamp: UInt32?
    private var picture: [UInt8] = []
    private var isDamaged = false
    private var hasPicture = false
    private var lastMarker = true

    init(_ format: MediaFormat) {
        announced =
            format.parameter("config").flatMap { TextSyntax.octets(hexadecimal: TextSyntax.unquote($0)) } ?? []
    }

    mutating func take(_ packet: ExtractedPacket) -> [UInt8] {
        var written: [UInt8] = []
        // The end of the previous picture is missing, unless its last packet had the marker.
        if packet.missingBefore > 0, !lastMarker { isDamaged = true }
        let payload = MPEG4VideoPayload(packet.payload.rawSpan)
        if packet.timestamp != timestamp {
            written = flush()
            timestamp = packet.timestamp
            // A continuation without its start.
            if payload?.startsUnit != true { isDamaged = true }
        } else if packet.missingBefore > 0 {
            isDamaged = true
        }
        if packet.isCut { isDamaged = true }
        if payload?.coding != nil { hasPicture = true }
        picture += packet.payload
        lastMarker = packet.marker
        return written
    }

    mutating func finish() -> [UInt8] { flush() }

    /// Ends the current picture.
    private mutating func flush() -> [UInt8] {
        defer {
            picture = []
            isDamaged = false
            hasPicture = false
        }
        guard timestamp != nil else { return [] }
        if hasPicture || isDamaged { framesIn += 1 }
        guard !isDamaged, !picture.isEmpty else { return [] }
        if hasPicture { framesOut += 1 }
        guard !hasBegun else { return picture }
        hasBegun = true
        return announced + picture
    }
}
