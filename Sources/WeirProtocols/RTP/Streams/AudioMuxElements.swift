import WeirPackets

/// Follows the elements of one stream of MPEG-4 audio in LATM (RFC 6416).
package struct AudioMuxElements: Sendable {
    /// What the last packet breaks.
    private(set) var faults: PacketFaults = []
    private var configuration: StreamMuxConfiguration?
    private let isInBand: Bool
    private var lastMarker = true

    /// Begins with what a description says: `config`, and `cpresent`, which is 1 where it does not say (RFC 6416).
    init(_ format: MediaFormat) {
        configuration = format.parameter("config").flatMap { StreamMuxConfiguration(hexadecimal: $0) }
        isInBand = format.parameter("cpresent") != "0" && !format.isAssumed
    }

    /// Takes a packet that is no duplicate: one behind a marker begins an element, as one with another timestamp does; two elements
    /// may have one.
    ///
    /// - Returns: how many access units begin.
    mutating func observe(_ bytes: RawSpan, _ order: PacketOrder) -> Int {
        faults = []
        defer { lastMarker = order.marker }
        // A part of an element with several frames may have a time of its own: that of its first frame (RFC 6416 §6.2).
        if order.isTorn, (configuration?.units ?? 1) == 1 { faults.insert(.markerMissing) }
        guard order.isNewUnit || lastMarker && order.isNext else { return 0 }
        guard let element = AudioMuxElement(bytes, configuration, isInBand: isInBand) else { return 1 }
        // Behind a loss it may be the rest of one.
        guard order.isNext else { return configuration?.units ?? 1 }
        configuration = element.configuration
        if order.marker ? element.isFragment || element.hasRest : !element.isFragment {
            faults.insert(.audioMuxLength)
        }
        return element.configuration.units
    }
}
