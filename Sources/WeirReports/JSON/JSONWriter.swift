import WeirEngine
import WeirPackets

/// Serializes JSON (RFC 8259) into a buffer: members in the order given, without white space, and deterministic.
struct JSONWriter {
    /// The octets since the buffer was last taken.
    private(set) var octets: [UInt8] = []
    /// Whether a comma precedes the next value.
    private var commaDue = false
    /// The last second written and its serialized form; most times are within the same second as the previous one.
    private var second: (number: Int64, opening: [UInt8]) = (.min, [])

    init(capacity: Int = 0) {
        octets.reserveCapacity(capacity)
    }

    /// Clears the buffer, keeping its capacity.
    mutating func clear() {
        octets.removeAll(keepingCapacity: true)
        commaDue = false
    }

    /// Continues after octets that were taken.
    mutating func goOn() { commaDue = true }

    // MARK: Structure

    mutating func beginObject() {
        separate()
        octets.append(UInt8(ascii: "{"))
        commaDue = false
    }

    mutating func endObject() {
        octets.append(UInt8(ascii: "}"))
        commaDue = true
    }

    mutating func beginArray() {
        separate()
        octets.append(UInt8(ascii: "["))
        commaDue = false
    }

    mutating func endArray() {
        octets.append(UInt8(ascii: "]"))
        commaDue = true
    }

    /// Writes a member's name, which is a constant without characters to escape.
    mutating func key(_ name: String) {
        separate()
        octets.append(UInt8(ascii: "\""))
        octets.append(name)
        octets.append(UInt8(ascii: "\""))
        octets.append(UInt8(ascii: ":"))
        commaDue = false
    }

    /// Writes a member's name with escaping.
    private mutating func anyKey(_ name: String) {
        string(name)
        octets.append(UInt8(ascii: ":"))
        commaDue = false
    }

    /// Ends a record of newline-delimited JSON.
    mutating func newline() {
        octets.append(ASCII.lineFeed)
        commaDue = false
    }

    /// Appends a part of a record between two values, with the comma before it and the name of the second one.
    @inline(__always)
    mutating func part(_ part: [UInt8]) {
        part.rawSpan.append(to: &octets)
        commaDue = false
    }

    /// Appends a part of a record that `words` appends.
    @inline(__always)
    mutating func append(_ words: (inout [UInt8]) -> Void) { words(&octets) }

    /// Writes the member `fields` of a message that serializes it itself; returns false if the message does not.
    mutating func ownFields(of message: any Message, _ secrets: SecretPolicy) -> Bool {
        let before = (count: octets.count, commaDue: commaDue)
        key("fields")
        commaDue = true
        if message.writeFields(secrets, to: &octets) { return true }
        octets.removeSubrange(before.count...)
        commaDue = before.commaDue
        return false
    }

    /// Writes serialized JSON that `words` appends.
    mutating func raw(_ words: (inout [UInt8]) -> Void) {
        separate()
        words(&octets)
        commaDue = true
    }

    // MARK: Values

    mutating func string(_ text: String) {
        raw { $0.appendJSON(text) }
    }

    /// Writes a string that `words` appends.
    mutating func string(_ words: (inout [UInt8]) -> Void) {
        raw { $0.appendJSON(words) }
    }

    /// Writes an address as a string.
    mutating func address(_ address: IPAddress) {
        guard address.isIPv4 else {
            string(address.description)
            return
        }
        separate()
        octets.append(UInt8(ascii: "\""))
        for index in 0..<4 {
            if index > 0 { octets.append(UInt8(ascii: ".")) }
            octets.appendDecimal(Int(truncatingIfNeeded: address.low >> UInt64(24 &- 8 &* index) & 0xFF))
        }
        octets.append(UInt8(ascii: "\""))
        commaDue = true
    }

    mutating func integer(_ value: Int) {
        separate()
        octets.appendDecimal(value)
        commaDue = true
    }

    mutating func bool(_ value: Bool) {
        separate()
        octets.append(contentsOf: (value ? "true" : "false").utf8)
        commaDue = true
    }

    /// Writes a number with up to `places` decimals, without trailing zeros.
    mutating func double(_ value: Double, places: Int = 9) {
        separate()
        octets.appendDecimal(value, places: places)
        commaDue = true
    }

    /// Writes a finite number with the minimum number of digits that preserves it.
    mutating func number(_ value: Double) {
        guard value.isFinite else {
            null()
            return
        }
        separate()
        octets.append(contentsOf: value.description.utf8)
        commaDue = true
    }

    /// Writes nanoseconds as seconds with nine decimals.
    mutating func seconds(nanoseconds: Int64) {
        separate()
        if nanoseconds < 0 { octets.append(UInt8(ascii: "-")) }
        let magnitude = nanoseconds.magnitude
        octets.appendDecimal(Int(magnitude / 1_000_000_000))
        octets.append(UInt8(ascii: "."))
        octets.appendDecimal(UInt(magnitude % 1_000_000_000), width: 9)
        commaDue = true
    }

    /// Writes an RFC 3339 time in UTC with nine decimals.
    mutating func time(_ time: Timestamp) {
        separate()
        var (number, fraction) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        if fraction < 0 {
            number -= 1
            fraction += 1_000_000_000
        }
        if number != second.number { second = (number, Self.opening(CivilTime(time))) }
        octets.append(contentsOf: second.opening)
        octets.appendDecimal(UInt(fraction), width: 9)
        octets.append(UInt8(ascii: "Z"))
        octets.append(UInt8(ascii: "\""))
        commaDue = true
    }

    /// Returns a time up to its fraction.
    static func opening(_ civil: CivilTime) -> [UInt8] {
        var octets = [UInt8(ascii: "\"")]
        for (number, width, end) in [
            (civil.year, 4, "-"), (civil.month, 2, "-"), (civil.day, 2, "T"), (civil.secondOfDay / 3600, 2, ":"),
            (civil.secondOfDay / 60 % 60, 2, ":"), (civil.secondOfDay % 60, 2, "."),
        ] {
            octets.appendDecimal(number.magnitude, width: width)
            octets.append(end)
        }
        return octets
    }

    /// Writes a value; secrets in its texts are masked, if not already done.
    mutating func value(_ value: FieldValue, _ secrets: SecretPolicy) {
        switch value {
        case .null: null()
        case .string(let text): string(secrets.apply(text: text))
        case .integer(let number): integer(number)
        case .double(let number): double(number)
        case .number(let number): self.number(number)
        case .bool(let flag): bool(flag)
        case .array(let items):
            beginArray()
            for item in items { self.value(item, secrets) }
            endArray()
        case .object(let members):
            beginObject()
            fields(members, secrets)
            endObject()
        }
    }

    /// Writes the members of an object, whose names may be from the wire.
    mutating func fields(_ fields: [Field], _ secrets: SecretPolicy) {
        for field in fields {
            anyKey(secrets.apply(text: field.name))
            value(field.value, secrets)
        }
    }
}

extension JSONWriter {
    private mutating func null() {
        separate()
        octets.append(contentsOf: "null".utf8)
        commaDue = true
    }

    @inline(__always)
    private mutating func separate() {
        if commaDue { octets.append(UInt8(ascii: ",")) }
    }
}
