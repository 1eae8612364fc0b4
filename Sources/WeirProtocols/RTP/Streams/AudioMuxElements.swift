import WeirPackets

/// Tracks the audioMuxElements of one stream of MPEG-4 audio in LATM (RFC 6416).
package struct AudioMuxElements: Sendable {
    /// Faults of the last packet.
    private(set) var faults: PacketFaults = []
    private var configuration: StreamMuxConfiguration?
    private let isInBand: Bool
    private var lastMarker = true

    /// Creates a tracker from a description: `config`, and `cpresent`, which defaults to 1 (RFC 6416).
    init(_ format: MediaFormat) {
        configuration = format.parameter("config").flatMap { StreamMuxConfiguration(hexadecimal: $0) }
        isInBand = format.parameter("cpresent") != "0" && !format.isAssumed
    }

    /// Processes a packet that is not a duplicate. An element begins after a marker or at a new timestamp; two elements
    /// may share one.
    ///
    /// - Returns: the number of access units that begin.
    mutating func observe(_ bytes: RawSpan, _ order: PacketOrder) -> Int {
        faults = []
        defer { lastMarker = order.marker }
        // A fragment of an element with several frames may have its own timestamp: that of its first frame (RFC 6416
        // §6.2).
        if order.isTorn, (configuration?.units ?? 1) == 1 { faults.insert(.markerMissing) }
        guard order.isNewUnit || lastMarker && order.isNext else { return 0 }
        guard let element = AudioMuxElement(bytes, configuration, isInBand: isInBand) else { return 1 }
        // After a loss it may be the rest of an element.
        guard order.isNext else { return configuration?.units ?? 1 }
        configuration = element.configuration
        if order.marker ? element.isFragment || element.hasRest : !element.isFragment {
            faults.insert(.audioMuxLength)
        }
        return element.configuration.units
    }
}
