import WeirPackets

/// Writes MPEG-4 audio in LATM (RFC 6416) as ADTS, by extracting the access units from the audioMuxElements.
struct LATMDepacketizer: Depacketizer {
    var fileExtension: String { "aac" }
    private(set) var framesIn = 0
    private(set) var framesOut = 0
    private let isInBand: Bool
    private var configuration: StreamMuxConfiguration?
    private var timestamp: UInt32?
    /// The octets received of the current element, or nil if a part is missing.
    private var element: [UInt8]? = []
    private var isEnded = false
    /// Whether an element was fragmented over several packets.
    private var hasParts = false
    /// Octets of the longest buffered element: 64 access units of the maximum ADTS length.
    private static let longest = 64 * ADTSHeader.longest

    /// - Returns: nil if ADTS cannot represent the announced configuration.
    init?(_ format: MediaFormat) {
        isInBand = format.parameter("cpresent") != "0"
        if let config = format.parameter("config") {
            guard let read = StreamMuxConfiguration(hexadecimal: config), ADTSHeader(read.audio) != nil else {
                return nil
            }
            configuration = read
        } else if !isInBand {
            return nil
        }
    }

    mutating func take(_ packet: ExtractedPacket) -> [UInt8] {
        var written: [UInt8] = []
        if packet.timestamp != timestamp || isEnded {
            written = flush()
            timestamp = packet.timestamp
            element = []
            isEnded = false
            // If elements are fragmented, the missing packets may contain the start of this one.
            if packet.missingBefore > 0, hasParts || !packet.marker { element = nil }
        } else if packet.missingBefore > 0 {
            element = nil
        }
        if packet.isCut { element = nil }
        element?.append(contentsOf: packet.payload)
        if let count = element?.count, count > Self.longest { element = nil }
        if packet.marker { isEnded = true } else { hasParts = true }
        return written
    }

    mutating func finish() -> [UInt8] { flush() }

    /// Ends the current element.
    private mutating func flush() -> [UInt8] {
        guard timestamp != nil else { return [] }
        let octets = element ?? []
        guard isEnded, let read = AudioMuxElement(octets.rawSpan, configuration, isInBand: isInBand), !read.isFragment,
            !read.hasRest
        else {
            framesIn += configuration?.units ?? 1
            return []
        }
        configuration = read.configuration
        framesIn += read.configuration.units
        guard let header = ADTSHeader(read.configuration.audio) else { return [] }
        var written: [UInt8] = []
        for unit in read.units(octets.rawSpan) {
            guard let head = header.octets(before: unit.count) else { continue }
            framesOut += 1
            written += head + unit
        }
        return written
    }
}
