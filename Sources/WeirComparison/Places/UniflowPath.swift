/// A packet that is missing somewhere on its path, or that appears there.
package struct PlacedPacket: Sendable {
    /// What happened to it.
    package enum Place: String, Sendable, CaseIterable {
        /// Missing at both places: lost before the first of them, or never sent.
        case before
        /// Captured at the first place of its path only.
        case between
        /// The receiver did not get it, though the last place captured it.
        case behind
        /// Captured at the last place of its path only: missed by the other capture, or sent from between.
        case onlyLater
        /// A further copy at the last place.
        case duplicated
        /// Missing from the second capture, which reports that it dropped packets then.
        case captureDrop
    }

    /// What happened to it.
    package var place: Place
    /// The frame in the first capture, and in the second.
    package var frameA: Int?
    package var frameB: Int?
    /// When it was captured, or would have been, in the first capture's time.
    package var time: Int64?
    /// The RTP source; nil for others.
    package var source: UInt32?
    /// The RTP or TCP sequence number; nil for other datagrams.
    package var sequence: UInt32?
    /// Its payload octets, if captured.
    package var length: Int?
}

/// TCP retransmissions on a uniflow, by what became of the first copy.
package struct Retransmissions: Sendable, Equatable {
    /// The first copy was lost before the first place.
    package var before = 0
    /// It was lost between the places.
    package var between = 0
    /// It passed both places: lost behind them, or its acknowledgment was, or it was not lost.
    package var passed = 0
    /// The captures do not show it.
    package var unknown = 0

    /// All of them.
    package var total: Int { before + between + passed + unknown }
}

/// Delay and its variation on a uniflow, in milliseconds.
package struct PathDelay: Sendable {
    /// One interval of time.
    package struct Interval: Sendable {
        /// The seconds from the start of the uniflow to its start.
        package var offset: Double
        /// The mean and the largest delay variation, and the packets.
        package var mean: Double
        package var max: Double
        package var packets: Int
    }

    /// The least one-way delay and its uncertainty; nil if only one direction is known.
    package var least: (value: Double, uncertainty: Double)?
    /// The mean, the 95th percentile and the maximum of the delay above the least one (RFC 5481 §6.1).
    package var mean: Double
    package var percentile95: Double
    package var max: Double
    /// Over time.
    package var intervals: [Interval]
}

/// What the two captures show of one direction of a flow.
package struct UniflowPath: Sendable {
    /// The uniflow.
    package var uniflow: UniflowPair
    /// The endpoints in each capture.
    package var a: PacketTrace.UniflowKey
    package var b: PacketTrace.UniflowKey
    /// The direction of its packets, and why it is known.
    package var direction: PathDirection
    package var evidence: DirectionEvidence
    /// Packets that identify themselves, in each capture and in both.
    package var packetsA = 0
    package var packetsB = 0
    package var matched = 0
    /// Packets of the first place of the path while both captures ran: the base of percentages.
    package var comparable = 0
    /// Packets outside of the time that both captures cover.
    package var outside = 0
    /// How many packets are at each place.
    package var counts: [PlacedPacket.Place: Int] = [:]
    /// Some of these packets, in order of time.
    package var placed: [PlacedPacket] = []
    /// Packets whose content differs.
    package var changedPayloads = 0
    /// The first of them, as frames in both captures.
    package var firstChanged: (a: Int, b: Int)?
    /// Segments whose octets are in segments of another size in the other capture.
    package var resegmented = 0
    /// Packets that arrive at the last place after one sent later, and by how many positions at most.
    package var reordered = 0
    package var reorderedBy = 0
    /// Retransmissions; nil for datagrams.
    package var retransmissions: Retransmissions?
    /// The delay.
    package var delay: PathDelay?

    /// The number of packets at a place.
    package func count(_ place: PlacedPacket.Place) -> Int { counts[place] ?? 0 }
}
