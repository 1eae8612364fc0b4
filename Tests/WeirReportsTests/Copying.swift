import CaptureTesting
import Testing
import WeirPackets
import WeirTesting

@testable import WeirEngine
@testable import WeirReports

/// Compares the records of messages written with and without templates.
struct Copying {
    private let records = JSONRecords(ReportOptions())
    private var templates: RecordTemplates
    private var outline = RecordOutline(isLabeled: false)
    private var number = 0
    private var time = Timestamp(nanoseconds: 0)
    /// Number of records written from a template.
    private(set) var copied = 0

    init() {
        templates = RecordTemplates(records.ways)
    }

    mutating func expectSame(
        _ message: some Message, _ random: inout SeededGenerator, at location: SourceLocation = #_sourceLocation
    ) {
        let event = event(message, &random)
        let records = records
        var plain = JSONWriter()
        Self.write(event, records, &plain)
        var json = JSONWriter()
        var isAnew = false
        let isWritten = templates.record(event, &outline, &json) {
            isAnew = true
            Self.write(event, records, &$0)
        }
        guard isWritten else { return }
        if !isAnew { copied += 1 }
        #expect(
            String(decoding: json.octets, as: UTF8.self) == String(decoding: plain.octets, as: UTF8.self),
            sourceLocation: location)
    }

    private static func write(_ event: Event, _ records: JSONRecords, _ json: inout JSONWriter) {
        json.beginObject()
        json.key("record")
        json.string("event")
        records.event(event, [], &json)
        json.endObject()
        json.newline()
    }

    /// Returns the next event, with numbers of any length; about one in ten has rare members.
    private mutating func event(_ message: any Message, _ random: inout SeededGenerator) -> Event {
        number += random.chance(300) ? number : 1
        time = Timestamp(nanoseconds: time.nanoseconds + Int64(random.number(bits: 31)))
        let direction: Direction = random.chance(2) ? .clientToServer : .serverToClient
        let side = Endpoint(address: IPAddress(ipv4: 0xC000_0200 + .random(in: 0...3, using: &random)), port: 5_004)
        let other = Endpoint(
            address: IPAddress(ipv6High: 0x2001_0DB8_0000_0000, low: 1), port: .random(in: 1...3, using: &random))
        var event = Event(
            id: number, frame: number * 3, time: time, offset: time.nanoseconds / .random(in: 1...3, using: &random),
            flow: .random(in: 1...3, using: &random), direction: direction, source: side, destination: other,
            message: message)
        event.firstFrame = random.chance(3) ? number * 3 - .random(in: 1...2, using: &random) : nil
        event.session = random.chance(10) ? nil : Int(random.number(bits: 11))
        event.stream = random.chance(10) ? nil : Int(random.number(bits: 11))
        switch Int.random(in: 0...50, using: &random) {
        case 0: event.note = Text("A note of its own.")
        case 1: event.remarks = [Remark(Text("Odd."), reference: "RFC 0 §0")]
        case 2: event.offset = -1
        case 3:
            event.answers = Event.Exchange(requestEvent: 1, request: message, latency: 5_000_000, pairing: .order)
        default: break
        }
        return event
    }
}

/// A message of an external protocol: a sensor reading.
struct Reading: Message {
    var sensor: UInt32
    var level: Int
    var count: Int
    var battery: Int?
    var unit: String

    var protocolName: String { "telemetry" }
    var kind: String { "reading" }
    var note: Text? { Text("A sensor says how much of \(unit) it measures.") }

    func wording(_ secrets: SecretPolicy) -> Wording {
        "\(level) \(unit) of \(hexadecimal(sensor)), \(grouped(count)) times"
    }

    func fields(_ secrets: SecretPolicy) -> [Field] {
        var fields: [Field] = []
        fields.add("unit", unit)
        fields.add("sensor", hexadecimal(sensor))
        fields.add("measured", .object([Field("level", .integer(level)), Field("count", .integer(count))]))
        fields.add("battery", battery)
        return fields
    }

    func outline(_ record: inout RecordOutline) -> Bool {
        record.number(level, field: nil, after: "")
        record.number(Int(sensor), field: "sensor", after: " of ", as: .identifier)
        record.number(level, field: "level")
        record.number(count, field: "count", after: ", ", as: .grouped)
        if let battery { record.number(battery, field: "battery") }
        var octets: UInt64 = 0
        for octet in unit.utf8 { octets = octets << 8 | UInt64(octet) }
        record.rest(octets)
        return true
    }
}

/// A message with a wrong description of its record.
struct Liar: Message {
    enum Lie: CaseIterable {
        /// A number that differs is not declared.
        case silent
        /// A number is declared at the position of another, which is equal in the first message.
        case misplaced
        /// A number is declared where there is none.
        case absent
        /// The numbers are declared in another order.
        case disordered
        /// The position of a number is not declared.
        case nowhere
    }

    var lie: Lie
    var number: Int
    var other: Int

    var protocolName: String { "lies" }
    var kind: String { "lie" }

    func wording(_ secrets: SecretPolicy) -> Wording { "one \(number), other \(other)" }

    func fields(_ secrets: SecretPolicy) -> [Field] {
        [Field("one", .integer(number)), Field("other", .integer(other))]
    }

    func outline(_ record: inout RecordOutline) -> Bool {
        switch lie {
        case .silent: record.number(number, field: "one", after: "one ")
        case .misplaced:
            record.number(other, field: "one", after: "one ")
            record.number(number, field: "other", after: "other ")
        case .absent:
            record.number(number, field: "one", after: "one ")
            record.number(other, field: "another", after: "other ")
        case .disordered:
            record.number(other, field: "other", after: "other ")
            record.number(number, field: "one", after: "one ")
        case .nowhere: record.number(-1, field: nil, after: "")
        }
        return true
    }
}

/// A message that declares a number without a position if another is even.
struct Uneven: Message {
    var number: Int

    var protocolName: String { "uneven" }
    var kind: String { "number" }

    func wording(_ secrets: SecretPolicy) -> Wording { "number \(number)" }

    func fields(_ secrets: SecretPolicy) -> [Field] { [Field("number", .integer(number))] }

    func outline(_ record: inout RecordOutline) -> Bool {
        if number.isMultiple(of: 2) { record.number(7, field: nil) }
        record.number(number, field: "number", after: "number ")
        return true
    }
}
