package import WeirEngine

/// What rules about MPEG transport streams ask of a stream that carries one.
package protocol TransportStreamDetails: StreamDetails {
    /// The transport stream; nil when the stream carries something else.
    var transportStream: TransportStream? { get }
    /// What the packets that carry it break.
    var faults: FaultLog { get }
    /// How many there are.
    var packets: Int { get }
    /// Whether they have numbers of their own, so that a missing one is known.
    var isNumbered: Bool { get }
}

extension RTPStreamDetails: TransportStreamDetails {
    /// What the payloads carry.
    package var transportStream: TransportStream? { stream.content.transportStream }
    /// What its packets break.
    package var faults: FaultLog { stream.faults }
    /// Packets, duplicates included.
    package var packets: Int { stream.packets }
    /// They have.
    package var isNumbered: Bool { true }
}

extension PacketFaults {
    /// What of a transport stream a packet breaks.
    package init(_ broken: TransportStream.Faults) {
        var found: Self = []
        for (fault, name) in PayloadContent.transportFaults where broken.contains(fault) { found.insert(name) }
        self = found
    }
}
