import WeirCapture
import WeirPackets

/// What the segments and fragments of a capture carry, joined.
struct JoinedContents: Sendable {
    /// The directions of TCP connections.
    private(set) var streams: [StreamContent?] = []
    /// Fragmented datagrams, with zeros for what is missing.
    private(set) var datagrams: [[UInt8]?] = []
    /// Their addresses and protocols.
    private(set) var ends: [Int: (IPAddress, IPAddress, UInt8)] = [:]
    private var held = 0

    /// The octets that a direction of a connection, or a fragmented datagram, takes without its content.
    private static let trackedOctets = 512

    /// Reads a file up to damage.
    ///
    /// - Throws: `CaptureError` if the file cannot be opened; `RedactionError.limit` for more than so many octets.
    init(_ file: String, limit: Int) throws {
        var reader = PacketPlaces()
        do throws(CaptureError) {
            var capture = try CaptureFile(file)
            while held + reader.tracked * Self.trackedOctets <= limit, let frame = try capture.next() {
                add(frame.bytes.array(), frame.info, &reader)
            }
        } catch {
            guard error.frame != nil else { throw error }
        }
        guard held + reader.tracked * Self.trackedOctets <= limit else {
            throw RedactionError.limit("more than \(limit >> 20) MiB in TCP connections and fragments")
        }
    }

    private mutating func add(_ octets: [UInt8], _ info: FrameInfo, _ reader: inout PacketPlaces) {
        let layout = PacketLayout(octets, info.linkType)
        switch reader.place(octets, layout, info.time) {
        case .stream(let place, let direction, let range):
            while streams.count <= place.stream { streams.append(nil) }
            if streams[place.stream] == nil { streams[place.stream] = StreamContent(direction) }
            held += streams[place.stream]?.add(octets[range], at: place.offset) ?? 0
        case .fragment(let datagram, let offset, let range):
            while datagrams.count <= datagram { datagrams.append(nil) }
            var whole = datagrams[datagram] ?? []
            guard offset + range.count <= 65_536 else { break }
            if whole.count < offset + range.count {
                held += offset + range.count - whole.count
                whole += [UInt8](repeating: 0, count: offset + range.count - whole.count)
            }
            whole.put(octets[range], at: offset)
            datagrams[datagram] = whole
            ends[datagram] = reader.pair
        case nil: break
        }
    }
}
