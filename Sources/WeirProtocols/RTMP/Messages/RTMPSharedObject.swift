import WeirEngine
import WeirPackets

/// A shared object message: changes to data shared by several clients (RTMP §7.1.3).
///
/// The specification names the fields, not their sizes. In practice: a 16-bit length and the name, the version in 32
/// bits, 32 bits of flags that are 2 for a persistent object, 32 further bits; for each event an 8-bit type and a
/// 32-bit data length.
public struct RTMPSharedObject: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The version of the object known to the sender.
    public let version: UInt32
    /// The first four octets of flags: 2 for a persistent object.
    public let flags: UInt32
    /// The events, in order.
    public let events: [Event]
    /// Violations of AMF in the values of the events.
    package let flaws: [AMFFlaw]
    /// Why the events end before the message does.
    public let problem: String?
    /// The description of a parser limit that was exceeded; not a fault of the message.
    public var limit: String? { flaws.first(where: \.isLimit)?.description }

    /// Whether the server keeps the object after the last client disconnects.
    public var isPersistent: Bool { flags == 2 }

    /// A single event.
    public struct Event: Sendable, Hashable {
        /// The event type, 1 to 11.
        public var typeID: UInt8
        /// The affected properties; the value is nil if only the name is present.
        public var properties: [Property] = []
        /// The values of a message to all clients.
        public var values: [AMFValue] = []

        /// The type name in camel case, or nil for unspecified types.
        public var name: String? { RTMPSharedObject.eventNames[typeID] }
    }

    /// A property of the object.
    public struct Property: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The new value.
        public var value: AMFValue?
    }

    init(_ bytes: RawSpan, typeID: UInt8, limits: Limits) throws(DecodeError) {
        var reader = ByteReader(bytes, layer: "shared object")
        // Type 16 starts with the format selector 0, which some omit; the length of a name is never 0.
        if typeID == 16, bytes.uint16(at: 0) == 0 { try reader.skip(1) }
        name = try Self.string(&reader)
        version = try reader.uint32()
        flags = try reader.uint32()
        try reader.skip(4)
        var events: [Event] = []
        var reading = Reading(limits: limits)
        while !reader.isAtEnd, reading.problem == nil {
            guard events.count < limits[AMFLimits.self].values else {
                reading.note(AMFFlaw(kind: .tooManyValues, offset: reader.offset, isAMF3: false))
                break
            }
            do throws(DecodeError) {
                var event = Event(typeID: try reader.uint8())
                let length = Int(try reader.uint32())
                reading.start = reader.offset
                reading.read(try reader.span(length), into: &event)
                events.append(event)
            } catch {
                reading.problem = "\(error)"
            }
        }
        self.events = events
        problem = reading.problem
        flaws = reading.flaws
    }

    /// The parser state across the events of a message.
    fileprivate struct Reading {
        let limits: Limits
        var used = AMFReader.Use()
        var flaws: [AMFFlaw] = []
        var problem: String?
        /// The offset of the event data in the message.
        var start = 0

        init(limits: Limits) { self.limits = limits }
    }

    @_lifetime(reader: copy reader)
    fileprivate static func string(_ reader: inout ByteReader) throws(DecodeError) -> String {
        let length = Int(try reader.uint16())
        return try reader.span(length).text()
    }

    static let eventNames: [UInt8: String] = [
        1: "use", 2: "release", 3: "requestChange", 4: "change", 5: "success", 6: "sendMessage", 7: "status",
        8: "clear", 9: "remove", 10: "requestRemove", 11: "useSuccess",
    ]
}

extension RTMPSharedObject.Reading {
    /// Parses values of the event data from `offset` on.
    private mutating func values(_ data: RawSpan, from offset: Int, maximum: Int = .max) -> AMFReader {
        let read = AMFReader(data, from: offset, maximum: maximum, limits: limits, used: used)
        used = read.used
        for flaw in read.flaws {
            var flaw = flaw
            flaw.offset &+= start
            note(flaw)
        }
        return read
    }

    /// Records a flaw; parsing stops after a fatal one.
    mutating func note(_ flaw: AMFFlaw) {
        if flaw.isFatal, problem == nil { problem = flaw.description }
        if flaws.count < limits[AMFLimits.self].flaws || flaw.isFatal {
            flaws.append(flaw)
        } else if flaws.count == limits[AMFLimits.self].flaws {
            flaws.append(AMFFlaw(kind: .tooManyFlaws, offset: flaw.offset, isAMF3: flaw.isAMF3))
        }
    }

    /// Parses event data.
    mutating func read(_ data: RawSpan, into event: inout RTMPSharedObject.Event) {
        var reader = ByteReader(data, layer: "shared object event")
        do throws(DecodeError) {
            switch event.typeID {
            case 3, 4:
                // A change contains any number of names and values.
                while !reader.isAtEnd, problem == nil {
                    let name = try RTMPSharedObject.string(&reader)
                    let read = values(data, from: reader.offset, maximum: 1)
                    event.properties.append(.init(name: name, value: read.values.first))
                    try reader.seek(to: read.offset)
                }
            case 5, 9, 10: event.properties = [.init(name: try RTMPSharedObject.string(&reader))]
            case 6: event.values = values(data, from: 0).values
            case 7:
                event.values = [
                    .string(try RTMPSharedObject.string(&reader)), .string(try RTMPSharedObject.string(&reader)),
                ]
            default: break
            }
        } catch {
            if problem == nil { problem = "\(error)" }
        }
    }
}

extension RTMPSharedObject {
    /// Returns the object and its events in one line.
    func wording(_ text: (String) -> String) -> Wording {
        let said = events.prefix(8).map { event in
            let name: Wording = event.name.map { Wording(phrase: $0) } ?? "event \(event.typeID)"
            let properties = event.properties.prefix(4).map { text($0.name) }.joined(separator: ", ")
            return properties.isEmpty ? name : name + Wording(verbatim: " " + properties)
        }
        let more: Wording = events.count > 8 ? ", and \(events.count - 8) more" : ""
        return "shared object \"\(text(name))\": " + said.joined(separator: ", ") + more
    }

    /// Returns the object as a field value.
    ///
    /// - Parameters:
    ///   - secrets: The policy for values of secret names and for the content of application messages.
    ///   - text: Transforms all other texts.
    func fields(_ secrets: SecretPolicy, _ text: @escaping (String) -> String) -> FieldValue {
        let hide: (String?, String) -> String = { name, words in
            name.map(SecretNames.isSecret) == true ? secrets.apply(words) : text(words)
        }
        return .object([
            Field("name", .string(text(name))), Field("version", .integer(Int(version))),
            Field("flags", .integer(Int(flags))),
            Field(
                "events",
                .array(
                    events.map { event in
                        var fields = [Field("eventType", .integer(Int(event.typeID)))]
                        fields.add("event", event.name)
                        if !event.properties.isEmpty {
                            fields.append(
                                Field(
                                    "properties",
                                    .array(
                                        event.properties.map { property in
                                            var fields = [Field("name", .string(text(property.name)))]
                                            fields.add("value", property.value?.json(of: property.name, hide))
                                            return .object(fields)
                                        })))
                        }
                        if !event.values.isEmpty {
                            // The name of an application message is not secret, its content may be.
                            let values = event.values.enumerated().map { index, value in
                                value.json { index > 0 ? secrets.apply($1) : hide($0, $1) }
                            }
                            fields.append(Field("values", .array(values)))
                        }
                        return .object(fields)
                    })),
        ])
    }
}
