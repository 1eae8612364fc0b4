import NTP
import WeirKit

/// Sits between the analyzer and the report, and measures how far each server's clock is from the clock that stamped
/// the capture.
///
/// Messages stay typed on their way, so a program can work with them instead of with text. The times of the capture
/// stand in for T1 and T4, which are right when it was taken at the client (RFC 5905 §8).
final class ClockOffsets: TimelineSink {
    private struct Server {
        var exchanges = 0
        var offsets = 0.0
        var delay = Double.infinity
    }

    private let next: any TimelineSink
    /// The open question of each flow.
    private var asked: [Int: Event] = [:]
    private var servers: [Endpoint: Server] = [:]
    private var order: [Endpoint] = []

    init(_ next: any TimelineSink) {
        self.next = next
    }

    func event(_ event: Event, session: Session?) {
        if let message = event.message as? NTPMessage { observe(message.header, event) }
        next.event(event, session: session)
    }

    func begin(_ capture: CaptureRecord) { next.begin(capture) }
    func stream(_ stream: StreamRecord, session: Session?) { next.stream(stream, session: session) }
    func session(_ record: SessionRecord, session: Session) { next.session(record, session: session) }
    func end(_ summary: SummaryRecord) { next.end(summary) }

    /// A flow that ended will not be answered any more.
    func flow(_ flow: FlowRecord) {
        asked[flow.id] = nil
        next.flow(flow)
    }

    /// One line for each server that answered.
    var lines: [String] {
        order.map { endpoint in
            let server = servers[endpoint] ?? Server()
            let offset = server.offsets / Double(server.exchanges)
            return "\(endpoint): \(server.exchanges) answered, offset \(milliseconds(offset)), "
                + "delay at least \(milliseconds(server.delay))"
        }
    }

    private func observe(_ header: NTPHeader, _ event: Event) {
        switch header.mode {
        case .client, .symmetricActive:
            asked[event.flow] = event
        case .server, .symmetricPassive:
            guard let question = asked.removeValue(forKey: event.flow), header.isSynchronized,
                let received = seconds(header.receive, since: question.time),
                let left = seconds(header.transmit, since: question.time)
            else { return }
            let arrived = event.time.seconds(since: question.time)
            if servers[event.source] == nil { order.append(event.source) }
            var server = servers[event.source] ?? Server()
            server.exchanges += 1
            server.offsets += (received + (left - arrived)) / 2
            server.delay = min(server.delay, arrived - (left - received))
            servers[event.source] = server
        case .broadcast:
            break
        }
    }

    /// Seconds from a moment of the capture to a time on the wire.
    private func seconds(_ time: NTPTime, since start: Timestamp) -> Double? {
        guard time.isWallClock else { return nil }
        let nanoseconds = (Int64(time.seconds) - 2_208_988_800) * 1_000_000_000 + Int64(time.nanoseconds)
        return Timestamp(nanoseconds: nanoseconds).seconds(since: start)
    }

    private func milliseconds(_ seconds: Double) -> String {
        let microseconds = Int((abs(seconds) * 1_000_000).rounded())
        let fraction = String(1_000 + microseconds % 1_000).dropFirst()
        return "\(seconds < 0 && microseconds > 0 ? "-" : "")\(microseconds / 1_000).\(fraction) ms"
    }
}
