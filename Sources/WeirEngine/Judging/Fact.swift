/// A measurement that profile requirements can refer to, and how to read it from records.
public struct Fact: Sendable {
    /// The unit of a value.
    public enum Unit: String, Sendable {
        /// A word, such as a codec's name.
        case word
        /// A dimensionless number.
        case count
        /// Seconds.
        case seconds
        /// Hertz.
        case hertz
        /// Bits per second.
        case bitRate
        /// Percent.
        case percent
        /// Frames per second.
        case frameRate
        /// A Boolean value.
        case flag
    }

    /// The name used in profiles.
    public let name: String
    /// The unit used in profiles.
    public let unit: Unit
    /// The subjects that have this measurement.
    public let subjects: [Requirement.Subject]
    /// The relative tolerance on the bounds; values derived from packet arrival times are never exact.
    var tolerance = 0.0
    /// Extracts the value from a record; returns nil if the record does not contain it.
    let value: @Sendable (Facts) -> FieldValue?

    /// All facts that profiles can use.
    public static let all: [Self] = media + sessions

    private static let media: [Self] = [
        Self(name: "codec", unit: .word, subjects: [.video, .audio, .media]) { $0["codec"] ?? $0["encoding"] },
        Self(name: "profile", unit: .word, subjects: [.video, .audio]) { $0["profile"] },
        Self(name: "level", unit: .word, subjects: [.video]) { $0["level"] },
        Self(name: "size", unit: .word, subjects: [.video]) { facts in
            guard let width = facts.number("width"), let height = facts.number("height") else { return nil }
            return .string("\(Int(width))x\(Int(height))")
        },
        Self(name: "width", unit: .count, subjects: [.video]) { $0["width"] },
        Self(name: "height", unit: .count, subjects: [.video]) { $0["height"] },
        Self(name: "frame-rate", unit: .frameRate, subjects: [.video], tolerance: 0.01) { $0["frameRate"] },
        Self(name: "keyframe-interval", unit: .seconds, subjects: [.video], tolerance: 0.01) {
            $0["keyframeIntervalSeconds"]
        },
        Self(name: "max-keyframe-interval", unit: .seconds, subjects: [.video], tolerance: 0.01) {
            $0["maxKeyframeIntervalSeconds"]
        },
        Self(name: "sample-rate", unit: .hertz, subjects: [.audio]) { $0["sampleRate"] },
        Self(name: "channels", unit: .count, subjects: [.audio]) { $0["channels"] },
        Self(name: "bit-rate", unit: .bitRate, subjects: [.video, .audio, .media]) { $0["bitrate"] },
        Self(name: "loss", unit: .percent, subjects: [.video, .audio, .media]) { facts in
            guard let lost = facts.number("unrecovered") ?? facts.number("lost"), let all = facts.number("expected"),
                all > 0
            else { return nil }
            return .double(lost * 100 / all)
        },
        Self(name: "stall", unit: .seconds, subjects: [.video, .audio, .media]) { facts in
            facts.number("maxDeltaMs").map { .double($0 / 1_000) }
        },
        Self(name: "jitter", unit: .seconds, subjects: [.video, .audio, .media]) { facts in
            facts.number("jitterMs.mean").map { .double($0 / 1_000) }
        },
        Self(name: "continuity-errors", unit: .count, subjects: [.video, .media]) { $0["multiplex.continuityErrors"] },
        Self(name: "duration", unit: .seconds, subjects: [.video, .audio, .media]) { $0["durationSeconds"] },
    ]

    private static let sessions: [Self] = [
        Self(name: "setup", unit: .seconds, subjects: [.session]) { facts in
            facts.number("setupTimeMs").map { .double($0 / 1_000) }
        },
        Self(name: "first-media", unit: .seconds, subjects: [.session]) { facts in
            facts.number("timeToFirstMediaMs").map { .double($0 / 1_000) }
        },
        Self(name: "first-picture", unit: .seconds, subjects: [.session]) { facts in
            facts.number("timeToFirstKeyframeMs").map { .double($0 / 1_000) } ?? facts["firstPictureSeconds"]
        },
        Self(name: "media-time", unit: .seconds, subjects: [.session]) { $0["mediaSeconds"] },
        Self(name: "published", unit: .seconds, subjects: [.session]) { facts in
            facts["sendsMedia"] == .bool(true) ? facts["mediaSeconds"] : nil
        },
        Self(name: "role", unit: .word, subjects: [.session]) { $0["role"] },
        Self(name: "latency-per-rtt", unit: .count, subjects: [.session]) { $0["latencyPerRtt"] },
    ]
}

/// The members of a record by name; nested members use dotted paths.
struct Facts {
    private var values: [String: FieldValue] = [:]

    /// Creates facts from fields; the last of several fields with the same name wins.
    init(_ fields: [Field]) { add(fields, "") }

    private mutating func add(_ fields: [Field], _ prefix: String) {
        for field in fields {
            values[prefix + field.name] = field.value
            if case .object(let members) = field.value { add(members, prefix + field.name + ".") }
        }
    }

    subscript(name: String) -> FieldValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    func number(_ name: String) -> Double? { values[name]?.double }
}
