import WeirEngine
import WeirPackets

/// Values over time that events report, for graphs: what receivers report about streams, and announced sizes and
/// windows. Bounded.
struct PageCurves {
    /// A value at a time.
    struct Point {
        /// Nanoseconds since the first packet.
        var offset: Int64
        var value: Double
        var event: Int
    }

    /// What a curve shows.
    struct Key: Hashable {
        var session: Int
        /// The stream's source identifier, or the type of the message.
        var subject: String
        var measure: String
        var isForward: Bool
    }

    private static let (mostCurves, mostPoints) = (256, 2_000)
    /// Members of reception reports (RFC 3550 §6.4.1) that are drawn.
    static let reported: Set<String> = ["fractionLost", "roundTripMs"]
    /// Members of messages that announce a size or confirm octets.
    private static let announced: Set<String> = ["chunkSize", "windowSize", "sequenceNumber"]

    /// The measure of responses: the time from the request, by protocol.
    static let latency = "latencyMs"

    /// The measures of delays by TCP: retransmissions, and closed receive windows.
    static let (resent, noRoom) = ("resentMs", "noRoomMs")

    private(set) var points: [Key: [Point]] = [:]

    mutating func add(_ event: Event, _ session: Int?, isForward: Bool, _ secrets: SecretPolicy) {
        if let session { for remark in event.remarks { add(remark, event, session) } }
        guard let session, !event.message.isRoutine, !event.isOneOfMany else { return }
        if let latency = event.answers?.latency {
            let name = event.message.protocolName
            let key = Key(session: session, subject: name, measure: Self.latency, isForward: true)
            add(Double(latency) / 1_000_000, event, key)
        }
        var type: String?
        for field in event.message.fields(secrets) {
            switch field.value {
            case .string(let text) where field.name == "type": type = text
            case .integer(let number) where type != nil && Self.announced.contains(field.name):
                let key = Key(session: session, subject: type ?? "", measure: field.name, isForward: isForward)
                add(Double(number), event, key)
            case .array(let reports) where field.name == "reports":
                for case .object(let report) in reports { add(report, event, session, isForward) }
            default: break
            }
        }
    }

    /// Adds a delay by TCP that a remark states (`tcp.resent.client` and so on).
    private mutating func add(_ remark: Remark, _ event: Event, _ session: Int) {
        let parts = remark.text.key.split(separator: ".")
        guard parts.count == 3, parts[0] == "tcp", case .decimal(let value, _)? = remark.text.arguments.first else {
            return
        }
        let isClient = parts[2] == "client"
        switch parts[1] {
        case "resent", "resentUnseen":
            add(value, event, Key(session: session, subject: "tcp", measure: Self.resent, isForward: isClient))
        case "noRoom":
            add(value * 1_000, event, Key(session: session, subject: "tcp", measure: Self.noRoom, isForward: isClient))
        default: break
        }
    }

    private mutating func add(_ report: [Field], _ event: Event, _ session: Int, _ isForward: Bool) {
        guard case .string(let source)? = report.first(where: { $0.name == "ssrc" })?.value else { return }
        for field in report where Self.reported.contains(field.name) {
            let key = Key(session: session, subject: source, measure: field.name, isForward: isForward)
            switch field.value {
            case .integer(let number): add(Double(number), event, key)
            case .double(let number), .number(let number): add(number, event, key)
            default: break
            }
        }
    }

    private mutating func add(_ value: Double, _ event: Event, _ key: Key) {
        guard points[key] != nil || points.count < Self.mostCurves,
            points[key, default: []].count < Self.mostPoints
        else { return }
        points[key, default: []].append(Point(offset: event.offset, value: value, event: event.id))
    }
}
