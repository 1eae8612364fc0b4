package import WeirEngine

/// The properties of a stream carrying an MPEG transport stream, for rules.
package protocol TransportStreamDetails: StreamDetails {
    /// The transport stream, or nil if the stream carries something else.
    var transportStream: TransportStream? { get }
    /// The faults of its packets.
    var faults: FaultLog { get }
    /// The number of packets.
    var packets: Int { get }
    /// Whether packets have sequence numbers, so that missing ones are known.
    var isNumbered: Bool { get }
}

extension TransportStreamDetails {
    /// The details themselves.
    package var carrier: (any StreamDetails)? { self }
}

extension RTPStreamDetails: TransportStreamDetails {
    /// The transport stream in the payloads.
    package var transportStream: TransportStream? { stream.content.transportStream }
    /// The faults of its packets.
    package var faults: FaultLog { stream.faults }
    /// Packets, duplicates included.
    package var packets: Int { stream.packets }
    /// True: RTP packets have sequence numbers.
    package var isNumbered: Bool { true }
}

extension PacketFaults {
    /// Creates the packet faults for transport stream faults.
    package init(_ broken: TransportStream.Faults) {
        var found: Self = []
        for (fault, name) in PayloadContent.transportFaults where broken.contains(fault) { found.insert(name) }
        self = found
    }
}
