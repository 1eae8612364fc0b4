import WeirPackets

/// A shared object message: changes of data that several clients share (RTMP §7.1.3).
///
/// The text names the fields, not their sizes. As players and servers write them: the name behind 16 bits of length, the
/// version in 32 bits, 32 bits that are 2 for an object that the server keeps, 32 further bits; of each event the type in
/// 8 bits and the length of its data in 32.
public struct RTMPSharedObject: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// Version of the object that the sender knows.
    public let version: UInt32
    /// The first four octets of flags: 2 for an object that the server keeps after the last client has left.
    public let flags: UInt32
    /// What happens to it, in order.
    public let events: [Event]
    /// Why the events end before the message does.
    public let problem: String?

    /// Whether the server keeps it.
    public var isPersistent: Bool { flags == 2 }

    /// One change.
    public struct Event: Sendable, Hashable {
        /// Its type, 1 to 11.
        public var typeID: UInt8
        /// Names and values of the properties that it is about; of a name alone the value is nil.
        public var properties: [Property] = []
        /// Values of a message to all clients.
        public var values: [AMFValue] = []

        /// Name of the type, camelCase; nil for types that the text does not have.
        public var name: String? { RTMPSharedObject.eventNames[typeID] }
    }

    /// A property of the object.
    public struct Property: Sendable, Hashable {
        /// Its name.
        public var name: String
        /// Its new value.
        public var value: AMFValue?
    }

    init(_ bytes: RawSpan, typeID: UInt8, limits: Limits) throws(DecodeError) {
        var reader = ByteReader(bytes, layer: "shared object")
        // Type 16 begins with a format selector, 0, which some leave out; the length of a name is never 0.
        if typeID == 16, bytes.uint16(at: 0) == 0 { try reader.skip(1) }
        name = try Self.string(&reader)
        version = try reader.uint32()
        flags = try reader.uint32()
        try reader.skip(4)
        var events: [Event] = []
        var problem: String?
        var used = AMFReader.Use()
        while !reader.isAtEnd, problem == nil {
            guard events.count < limits.amfValues else {
                problem = "\(reader.malformed("too many events"))"
                break
            }
            do throws(DecodeError) {
                var event = Event(typeID: try reader.uint8())
                let length = Int(try reader.uint32())
                problem = Self.read(try reader.span(length), into: &event, limits, &used)
                events.append(event)
            } catch {
                problem = "\(error)"
            }
        }
        self.events = events
        self.problem = problem
    }

    @_lifetime(reader: copy reader)
    private static func string(_ reader: inout ByteReader) throws(DecodeError) -> String {
        let length = Int(try reader.uint16())
        return try reader.span(length).text()
    }

    /// Reads an event's data; returns why it cannot be read.
    private static func read(
        _ data: RawSpan, into event: inout Event, _ limits: Limits, _ used: inout AMFReader.Use
    ) -> String? {
        var reader = ByteReader(data, layer: "shared object event")
        switch event.typeID {
        case 3, 4:
            // A change holds as many names and values as there is room for.
            do throws(DecodeError) {
                while !reader.isAtEnd {
                    let name = try string(&reader)
                    let read = AMFReader(data, from: reader.offset, maximum: 1, limits: limits, used: used)
                    used = read.used
                    event.properties.append(Property(name: name, value: read.values.first))
                    if let flaw = read.flaws.first(where: { $0.isFatal }) { return flaw.description }
                    try reader.seek(to: read.offset)
                }
            } catch {
                return "\(error)"
            }
        case 5, 9, 10:
            guard let name = try? string(&reader) else { return "\(reader.tooShort(2))" }
            event.properties = [Property(name: name)]
        case 6:
            let read = AMFReader(data, limits: limits, used: used)
            used = read.used
            event.values = read.values
            return read.flaws.first { $0.isFatal }?.description
        case 7:
            guard let code = try? string(&reader), let level = try? string(&reader) else {
                return "\(reader.tooShort(2))"
            }
            event.values = [.string(code), .string(level)]
        default: break
        }
        return nil
    }

    static let eventNames: [UInt8: String] = [
        1: "use", 2: "release", 3: "requestChange", 4: "change", 5: "success", 6: "sendMessage", 7: "status",
        8: "clear", 9: "remove", 10: "requestRemove", 11: "useSuccess",
    ]
}

extension RTMPSharedObject {
    /// The object and its events in one line.
    func summary(_ text: (String) -> String) -> String {
        let said = events.prefix(8).map { event in
            let name = event.name ?? "event \(event.typeID)"
            return event.properties.isEmpty
                ? name : name + " " + event.properties.prefix(4).map { text($0.name) }.joined(separator: ", ")
        }
        let more = events.count > 8 ? ", and \(events.count - 8) more" : ""
        return "shared object \"\(text(name))\": " + said.joined(separator: ", ") + more
    }

    func fields(_ text: @escaping (String) -> String) -> FieldValue {
        let hide: (String?, String) -> String = { text($1) }
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
                                            fields.add("value", property.value?.json(hide))
                                            return .object(fields)
                                        })))
                        }
                        if !event.values.isEmpty {
                            fields.append(Field("values", .array(event.values.map { $0.json(hide) })))
                        }
                        return .object(fields)
                    })),
        ])
    }
}
