import WeirEngine
import WeirPackets
import WeirProtocols

/// The record of a stream's last packet without what its payload adds, with places for the next one's numbers.
final class PacketStencil {
    /// The record from its beginning to the timestamp in the summary, and from the end of the summary to the timestamp in
    /// the fields: in one piece, since with many streams it is memory that takes the time.
    private var octets: [UInt8]
    /// Octets of the first of the two parts.
    private let front: Int
    private let flow: Int
    private let direction: Direction
    private let source: Endpoint
    private let destination: Endpoint
    private let session: Int?
    private let stream: Int?
    private let ssrc: UInt32
    private let payloadType: UInt8
    private let parts: PacketParts
    /// The second since 1970 that the record names.
    private var second: Int64

    /// Whether the packet's record has nothing but the members that all have.
    static func isRegular(_ event: Event, _ packet: RTPPacket) -> Bool {
        event.firstFrame == nil && event.offset >= 0 && event.time.nanoseconds >= 0 && packet.header.csrcCount == 0
            && !packet.header.hasExtension && event.remarks.isEmpty && event.note == nil && !event.isAnswer
    }

    init(_ line: [UInt8], _ parts: PacketParts, _ event: Event, _ packet: RTPPacket) {
        self.parts = parts
        front = parts.content.lowerBound
        octets = Array(line[..<parts.content.lowerBound] + line[parts.content.upperBound..<parts.fields.lowerBound])
        flow = event.flow
        direction = event.direction
        source = event.source
        destination = event.destination
        session = event.session
        stream = event.stream
        ssrc = packet.header.ssrc
        payloadType = packet.header.payloadType
        second = event.time.nanoseconds / 1_000_000_000
    }

    /// Whether the packet's record differs in nothing but its time, numbers of as many digits, and its payload.
    func fits(_ event: Event, _ packet: RTPPacket) -> Bool {
        let header = packet.header
        return event.stream == stream && header.ssrc == ssrc && header.payloadType == payloadType
            && event.session == session && event.flow == flow && event.direction == direction
            && event.source == source && event.destination == destination
            && parts.id.fits(event.id.magnitude) && parts.frame.fits(event.frame.magnitude)
            && parts.offset.fits(UInt(event.offset.magnitude / 1_000_000_000))
            && parts.sequences.0.fits(UInt(header.sequenceNumber)) && parts.timestamps.0.fits(UInt(header.timestamp))
    }

    /// Puts the packet's time and numbers into their places.
    func put(_ event: Event, _ packet: RTPPacket, _ clock: PacketClock) {
        if clock.second != second {
            second = clock.second
            octets.replaceSubrange(parts.time..<parts.time + PacketClock.width, with: clock.octets)
        }
        parts.put(event, packet.header, &octets)
    }

    /// Appends the record.
    func write(_ content: PacketContent, _ packet: RTPPacket, _ json: inout JSONWriter) {
        json.append(octets[..<front])
        json.append(content.summary[...])
        json.append(octets[front...])
        json.append(content.fields[...])
        json.append(packet.header.payloadLength)
        json.append(PacketParts.end[...])
    }
}

/// Where the parts of a packet's record stand.
struct PacketParts {
    /// What stands behind the payload's length.
    static let end = Array("}}}\n".utf8)

    let id: NumberPlace
    let frame: NumberPlace
    /// Where the time begins.
    let time: Int
    let offset: NumberPlace
    /// In the summary, and in the fields, where what the payload adds to the summary is not counted.
    let sequences: (NumberPlace, NumberPlace)
    let timestamps: (NumberPlace, NumberPlace)
    /// What the payload adds to the summary.
    let content: Range<Int>
    /// What it adds to the fields, before its length.
    let fields: Range<Int>

    /// Finds the parts; nil when one of them is not where it is looked for.
    init?(_ line: [UInt8], _ event: Event, _ packet: RTPPacket) {
        var search = NumberSearch(line)
        let header = packet.header
        guard let id = search.place(of: event.id.magnitude, behind: "\"id\":"),
            let frame = search.place(of: event.frame.magnitude, behind: ",\"frame\":"),
            let time = search.end(of: ",\"time\":\""),
            let offset = search.place(of: UInt(event.offset.magnitude / 1_000_000_000), behind: ",\"offset\":"),
            let sequence = search.place(of: UInt(header.sequenceNumber), behind: ", seq "),
            let timestamp = search.place(of: UInt(header.timestamp), behind: ", timestamp "),
            let quote = line[timestamp.end...].firstIndex(of: ASCII.quote),
            let again = search.place(
                of: UInt(header.sequenceNumber), behind: ",\"sequence\":", without: quote - timestamp.end),
            let timeAgain = search.place(
                of: UInt(header.timestamp), behind: ",\"timestamp\":", without: quote - timestamp.end),
            let length = search.last(of: header.payloadLength.magnitude, behind: "\"length\":"),
            line[length.end...].elementsEqual(Self.end)
        else { return nil }
        self.id = id
        self.frame = frame
        self.time = time
        self.offset = offset
        sequences = (sequence, again)
        timestamps = (timestamp, timeAgain)
        content = timestamp.end..<quote
        fields = timeAgain.end + content.count..<length.start
    }

    /// Puts the numbers of a packet into their places, all but the second of its time.
    func put(_ event: Event, _ header: RTPHeader, _ record: inout [UInt8]) {
        var digits = record.mutableSpan
        digits.put(event.id.magnitude, id)
        digits.put(event.frame.magnitude, frame)
        digits.putDecimal(
            UInt(event.time.nanoseconds.magnitude % 1_000_000_000), at: time + PacketClock.width + 1, width: 9)
        let (whole, fraction) = event.offset.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        digits.put(UInt(whole), offset)
        digits.putDecimal(UInt(fraction), at: offset.end + 1, width: 9)
        digits.put(UInt(header.sequenceNumber), sequences.0)
        digits.put(UInt(header.timestamp), timestamps.0)
        digits.put(UInt(header.sequenceNumber), sequences.1)
        digits.put(UInt(header.timestamp), timestamps.1)
    }
}

/// Where a number stands, for others that have as many digits.
struct NumberPlace {
    private let place: UInt32
    private let digits: UInt32

    var start: Int { Int(place) }
    var width: Int { Int(digits) }
    var end: Int { start + width }

    /// The place of a number; nil when it is too far behind.
    init?(start: Int, _ number: UInt) {
        guard let place = UInt32(exactly: start) else { return nil }
        self.place = place
        digits = UInt32([UInt8].decimalWidth(number))
    }

    /// Whether a number can take the place of the one that stands there.
    @inline(__always)
    func fits(_ number: UInt) -> Bool { [UInt8].decimalWidth(number) == width }
}

extension MutableSpan<UInt8> {
    /// Writes a number that fits into its place.
    @inline(__always)
    fileprivate mutating func put(_ number: UInt, _ place: NumberPlace) {
        putDecimal(number, at: place.start, width: place.width)
    }
}

/// Looks for numbers in a record, from its beginning on.
private struct NumberSearch {
    private let octets: [UInt8]
    private var position = 0

    init(_ octets: [UInt8]) {
        self.octets = octets
    }

    /// Where the next `label` ends.
    mutating func end(of label: StaticString) -> Int? {
        let label = Array(label.description.utf8)
        var start = position
        while start + label.count <= octets.count {
            if octets[start] == label[0], octets[start..<start + label.count].elementsEqual(label) {
                position = start + label.count
                return position
            }
            start += 1
        }
        return nil
    }

    /// The place of `number` behind the next `label`, when `cut` octets before it are left out; nil when another number
    /// stands there.
    mutating func place(of number: UInt, behind label: StaticString, without cut: Int = 0) -> NumberPlace? {
        guard let start = end(of: label), octets[start...].starts(with: String(number).utf8) else { return nil }
        return NumberPlace(start: start - cut, number)
    }

    /// The place of `number` behind the last `label`.
    mutating func last(of number: UInt, behind label: StaticString) -> NumberPlace? {
        var start: Int?
        while let further = end(of: label) { start = further }
        return start.flatMap { octets[$0...].starts(with: String(number).utf8) ? NumberPlace(start: $0, number) : nil }
    }
}
