import WeirEngine
import WeirPackets

/// Octets with replaceable numbers.
struct NumberedOctets {
    /// The format of a number.
    enum Form {
        /// Decimal digits, with a minus sign if negative.
        case decimal
        /// Decimal digits with thousands separators.
        case grouped
        /// `0x` and eight hexadecimal digits.
        case identifier
        /// The last nine digits.
        case fraction
    }

    private struct Place {
        let form: Form
        private(set) var start: Int
        private(set) var end: Int
        var number: Int
        /// The range of numbers with as many octets.
        let alike: ClosedRange<Int>

        init(_ form: Form, at start: Int, _ number: Int, octets: Int) {
            self.form = form
            self.start = start
            self.number = number
            end = start + octets
            alike = form.alike(number)
        }

        mutating func move(by change: Int) {
            start += change
            end += change
        }
    }

    private(set) var octets: [UInt8] = []
    private var places: [Place] = []

    mutating func append(_ words: some Sequence<UInt8>) {
        octets.append(contentsOf: words)
    }

    /// Appends a copy of the octets to a record. Here, since passing on the array counts a reference.
    @inline(__always)
    borrowing func write(to record: inout [UInt8]) { octets.rawSpan.append(to: &record) }

    /// Appends a number and records its position.
    mutating func append(_ number: Int, _ form: Form) {
        let start = octets.count
        octets.append(number, form)
        places.append(Place(form, at: start, number, octets: octets.count - start))
    }

    /// Replaces the numbers; `number` returns the one of an index.
    @inline(__always)
    mutating func put(_ number: (Int) -> Int) {
        var index = 0
        while index < places.count {
            index = Self.putAlike(from: index, &places, &octets, number)
            guard index < places.count else { return }
            replace(number(index), at: index)
            index &+= 1
        }
    }

    /// Replaces the numbers from an index on, up to the first that has another number of octets; returns its index.
    @inline(__always)
    private static func putAlike(
        from first: Int, _ places: inout [Place], _ octets: inout [UInt8], _ number: (Int) -> Int
    ) -> Int {
        var places = places.mutableSpan
        var written = octets.mutableSpan
        for index in first..<places.count {
            let new = number(index)
            let old = places[index].number
            guard old != new else { continue }
            // The next number, as of most events and packets, mostly differs in the last digit only.
            let last = places[index].end &- 1
            if new == old &+ 1, new > 0, written[last] < UInt8(ascii: "9") {
                places[index].number = new
                written[last] &+= 1
                continue
            }
            guard places[index].alike.contains(new) else { return index }
            places[index].number = new
            written.put(new, places[index].form, from: places[index].start, to: places[index].end)
        }
        return places.count
    }

    /// Replaces a number by one with a different number of octets, and moves what follows.
    @inline(never)
    private mutating func replace(_ number: Int, at index: Int) {
        let place = places[index]
        let width = place.form.width(number)
        let change = width &- (place.end &- place.start)
        if change > 0 {
            octets.insert(contentsOf: repeatElement(0, count: change), at: place.start)
        } else {
            octets.removeSubrange(place.start..<place.start &- change)
        }
        places[index] = Place(place.form, at: place.start, number, octets: width)
        var written = octets.mutableSpan
        written.put(number, place.form, from: place.start, to: place.start &+ width)
        for behind in index &+ 1..<places.count { places[behind].move(by: change) }
    }
}

extension NumberedOctets.Form {
    /// Returns the number of octets of a number.
    fileprivate func width(_ number: Int) -> Int {
        let digits = [UInt8].decimalWidth(number.magnitude)
        switch self {
        case .decimal: return digits + (number < 0 ? 1 : 0)
        // A thousands separator takes two octets.
        case .grouped: return digits + (digits - 1) / 3 * 2 + (number < 0 ? 1 : 0)
        case .identifier: return 10
        case .fraction: return 9
        }
    }

    /// Returns the range of numbers with as many octets; for a negative one, only itself.
    fileprivate func alike(_ number: Int) -> ClosedRange<Int> {
        switch self {
        case .identifier, .fraction: return .min ... .max
        case .decimal, .grouped:
            guard number >= 0 else { return number...number }
            var (low, high) = (0, 9)
            while number > high {
                low = high &+ 1
                let (next, isOverflow) = low.multipliedReportingOverflow(by: 10)
                high = isOverflow ? .max : next &- 1
            }
            return low...high
        }
    }
}

extension [UInt8] {
    /// Appends a formatted number.
    mutating func append(_ number: Int, _ form: NumberedOctets.Form) {
        switch form {
        case .decimal: appendDecimal(number)
        case .grouped: appendGrouped(number)
        case .identifier: appendIdentifier(UInt32(truncatingIfNeeded: number))
        case .fraction: appendDecimal(number.magnitude, width: 9)
        }
    }
}

extension MutableSpan<UInt8> {
    /// Overwrites a number by one with as many octets.
    @inline(__always)
    fileprivate mutating func put(_ number: Int, _ form: NumberedOctets.Form, from start: Int, to end: Int) {
        switch form {
        case .decimal: putDecimal(number.magnitude, from: putSign(of: number, at: start), to: end)
        case .grouped: putGrouped(number.magnitude, from: putSign(of: number, at: start), to: end)
        case .identifier: putHexadecimal(UInt32(truncatingIfNeeded: number), to: end)
        case .fraction: putDecimal(number.magnitude, from: start, to: end)
        }
    }

    /// Writes the sign, and returns the position of the digits.
    @inline(__always)
    private mutating func putSign(of number: Int, at start: Int) -> Int {
        guard number < 0 else { return start }
        self[start] = UInt8(ascii: "-")
        return start &+ 1
    }

    @inline(__always)
    private mutating func putDecimal(_ number: UInt, from start: Int, to end: Int) {
        putDecimal(number, at: start, width: end &- start)
    }

    private mutating func putGrouped(_ number: UInt, from start: Int, to end: Int) {
        var rest = number
        var place = end
        var digits = 0
        while place > start {
            if digits > 0, digits % 3 == 0 {
                place &-= 2
                self[place] = 0xC2
                self[place &+ 1] = 0xA0
            }
            place &-= 1
            self[place] = UInt8(truncatingIfNeeded: rest % 10) &+ UInt8(ascii: "0")
            rest /= 10
            digits &+= 1
        }
    }

    private mutating func putHexadecimal(_ number: UInt32, to end: Int) {
        var rest = number
        for place in stride(from: end &- 1, through: end &- 8, by: -1) {
            let digit = UInt8(truncatingIfNeeded: rest & 15)
            self[place] = digit < 10 ? digit &+ 0x30 : digit &+ 0x57
            rest >>= 4
        }
    }
}
