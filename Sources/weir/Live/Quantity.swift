import ArgumentParser

/// A size in octets, such as `500`, `64k`, `100MB` or `2GiB`.
struct OctetCount: ExpressibleByArgument {
    let value: Int

    /// The value as it would be entered, in MiB if integral.
    var defaultValueDescription: String {
        value % (1 << 20) == 0 ? "\(value >> 20)MiB" : "\(value)"
    }

    init(_ value: Int) {
        self.value = value
    }

    init?(argument: String) {
        let units = [
            "": 1, "B": 1, "k": 1_000, "K": 1_000, "kB": 1_000, "KB": 1_000, "M": 1_000_000, "MB": 1_000_000,
            "G": 1_000_000_000, "GB": 1_000_000_000, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
        ]
        guard let value = quantity(argument, units.mapValues(Double.init)), value >= 1 else { return nil }
        self.value = Int(value)
    }
}

/// A duration, such as `90`, `1.5s`, `10m`, `1h` or `2d`.
struct Seconds: ExpressibleByArgument {
    let value: Double

    init?(argument: String) {
        let units = ["": 1.0, "s": 1, "m": 60, "min": 60, "h": 3_600, "d": 86_400]
        guard let value = quantity(argument, units), value > 0 else { return nil }
        self.value = value
    }
}

/// A limit at which a new file is started: a size or a duration, depending on the unit.
enum Rotation: ExpressibleByArgument {
    case octets(Int)
    case seconds(Double)

    init?(argument: String) {
        // Without a unit, a number is ambiguous.
        guard let last = argument.unicodeScalars.last, !("0"..."9").contains(last) else { return nil }
        if let time = Seconds(argument: argument) {
            self = .seconds(time.value)
        } else if let size = OctetCount(argument: argument) {
            self = .octets(size.value)
        } else {
            return nil
        }
    }
}

/// Parses a positive number and its unit. Returns nil if either is invalid, or the result is too large.
private func quantity(_ text: String, _ units: [String: Double]) -> Double? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(digits), let unit = units[String(text.dropFirst(digits.count))] else { return nil }
    let value = number * unit
    return value >= 0 && value < 1e15 ? value : nil
}
