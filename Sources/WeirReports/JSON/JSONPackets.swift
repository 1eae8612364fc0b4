import WeirEngine
import WeirPackets
import WeirProtocols

/// Writes the records of RTP packets, of which there are a thousand for each other event.
///
/// The records of two packets of a stream differ in a few numbers, and in what their payloads hold, which comes in a few
/// forms. So a record that was written once, member by member, is cut into these parts, and the next packet's is put
/// together from them: numbers are written over those that stand there.
final class JSONPackets {
    /// Streams that are kept at once: each has one place, which the next with the same place takes over.
    private static let mostStreams = 1_024
    /// Forms of payloads that are kept.
    private static let mostContents = 64

    private var streams = [PacketStencil?](repeating: nil, count: mostStreams)
    /// Those that are used most come first.
    private var contents: [PacketContent] = []
    private var clock = PacketClock()

    /// Appends the record of an event to `json`; `write` writes it member by member.
    func record(_ event: Event, _ packet: RTPPacket, _ json: inout JSONWriter, _ write: (inout JSONWriter) -> Void) {
        guard PacketStencil.isRegular(event, packet) else {
            write(&json)
            return
        }
        let place = (event.stream ?? 0) & (Self.mostStreams - 1)
        guard let stencil = streams[place], stencil.fits(event, packet), let content = content(of: packet) else {
            var line = JSONWriter()
            write(&line)
            json.line(line.octets)
            keep(line.octets, event, packet, place)
            return
        }
        clock.set(event.time)
        stencil.put(event, packet, clock)
        stencil.write(content, packet, &json)
    }

    /// The known content that is the packet's.
    private func content(of packet: RTPPacket) -> PacketContent? {
        guard let index = contents.firstIndex(where: { $0.fits(packet) }) else { return nil }
        let content = contents[index]
        content.uses += 1
        if index > 0, content.uses > contents[index - 1].uses { contents.swapAt(index, index - 1) }
        return content
    }

    private func keep(_ line: [UInt8], _ event: Event, _ packet: RTPPacket, _ place: Int) {
        guard let parts = PacketParts(line, event, packet) else { return }
        streams[place] = PacketStencil(line, parts, event, packet)
        guard !contents.contains(where: { $0.fits(packet) }) else { return }
        if contents.count == Self.mostContents { contents.removeLast() }
        contents.append(PacketContent(line, parts, packet))
    }
}

/// A second as records write it: the next packet is nearly always of the same one.
struct PacketClock {
    /// Octets of `2024-01-01T00:00:00`.
    static let width = 19
    private(set) var second: Int64 = -1
    private(set) var octets: [UInt8] = []

    /// Moves on to the second of `time`.
    mutating func set(_ time: Timestamp) {
        let now = time.nanoseconds / 1_000_000_000
        guard now != second else { return }
        second = now
        var json = JSONWriter()
        json.time(time)
        octets = Array(json.octets.dropFirst().prefix(Self.width))
    }
}

/// What the payload adds to a packet's record.
final class PacketContent {
    /// How often it was used.
    var uses = 0
    private let payload: RTPPayload
    private let marker: Bool
    /// The end of the summary.
    let summary: [UInt8]
    /// The end of the fields, before the payload's length.
    let fields: [UInt8]

    init(_ line: [UInt8], _ parts: PacketParts, _ packet: RTPPacket) {
        payload = packet.payload
        marker = packet.header.marker
        summary = Array(line[parts.content])
        fields = Array(line[parts.fields])
    }

    /// Whether the packet's record says the same of its payload.
    func fits(_ packet: RTPPacket) -> Bool {
        guard packet.header.marker == marker else { return false }
        if case .accessUnits(let one) = packet.payload, case .accessUnits(let other) = payload {
            // Of the sizes only a fragment's is told.
            return one.count == other.count && !one.isFragment && !other.isFragment
        }
        return packet.payload == payload
    }
}
