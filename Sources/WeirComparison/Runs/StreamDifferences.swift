internal import WeirEngine
internal import WeirPackets

/// Compares the figures of media streams, which follow from steps, or from the network.
enum StreamDifferences {
    /// The difference in percentage points of loss, in relative frame rate, and in milliseconds of jitter, from which
    /// figures differ; smaller ones differ between runs of the same programs.
    private static let lossPoints = 0.5
    private static let lossPackets = 3
    private static let rateShare = 0.2
    private static let jitterFactor = 3.0
    private static let jitterLeast = 10.0
    private static let intervalShare = 0.5

    /// Returns what differs between streams of two sessions that correspond in direction, medium and format.
    static func between(_ first: [StreamRecord], _ second: [StreamRecord]) -> [RunConsequence] {
        var rest = second
        var found: [RunConsequence] = []
        for stream in first {
            guard let place = rest.firstIndex(where: { isAlike($0, stream) }) else { continue }
            found += differences(stream, rest.remove(at: place))
        }
        return found
    }

    private static func isAlike(_ one: StreamRecord, _ other: StreamRecord) -> Bool {
        one.kind == other.kind && one.direction == other.direction && one.mediaType == other.mediaType
            && one.encoding == other.encoding
    }

    private static func differences(_ one: StreamRecord, _ other: StreamRecord) -> [RunConsequence] {
        let (a, b) = (one.details.figures, other.details.figures)
        let subject = name(one)
        var found: [RunConsequence] = []
        func add(_ name: String, _ first: String?, _ second: String?) {
            found.append(RunConsequence(name: name, subject: subject, a: first, b: second))
        }
        if let lostA = a.lost, let lostB = b.lost, (lostA - lostB).magnitude >= UInt(lossPackets),
            (percent(a) - percent(b)).magnitude >= lossPoints
        {
            add("lost", a.lostWords, b.lostWords)
        }
        if let first = a.frameRate, let second = b.frameRate, isFar(first, second, rateShare) {
            add("frameRate", rounded(first, places: 1), rounded(second, places: 1))
        }
        if let first = a.keyframeInterval, let second = b.keyframeInterval, isFar(first, second, intervalShare) {
            add("keyframeInterval", rounded(first, places: 1), rounded(second, places: 1))
        }
        if let first = a.jitter?.mean, let second = b.jitter?.mean, (first - second).magnitude >= jitterLeast,
            max(first, second) >= jitterFactor * min(first, second)
        {
            add("jitter", rounded(first, places: 1), rounded(second, places: 1))
        }
        if a.name != b.name { add("format", a.name.english, b.name.english) }
        return found
    }

    private static func percent(_ figures: StreamFigures) -> Double {
        guard let lost = figures.lost, let expected = figures.expected, expected > 0 else { return 0 }
        return Double(lost) * 100 / Double(expected)
    }

    private static func isFar(_ one: Double, _ other: Double, _ share: Double) -> Bool {
        (one - other).magnitude > share * max(one, other)
    }

    /// Returns a name for a stream that is the same in every run.
    static func name(_ stream: StreamRecord) -> String {
        let arrow = stream.direction == .clientToServer ? "→" : "←"
        return [arrow, stream.mediaType ?? stream.kind, stream.encoding].compactMap { $0 }.joined(separator: " ")
    }
}
