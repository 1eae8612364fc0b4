import WeirKit

/// Turns the datagrams of one flow into NTP messages, and checks that answers belong to questions.
public struct NTPDissector: Dissector {
    /// Name, carrier, port and how it is recognised.
    public static let descriptor = DissectorDescriptor(
        name: "ntp", carriers: [.udp], ports: [123],
        recognition: "a header of 48 octets with version 3 or 4, a known mode, and small root delay and dispersion")

    /// The transmit timestamp of the last packet of each side.
    private var sent: [Direction: NTPTime] = [:]

    /// NTP has no magic number, so every field that cannot hold just anything is looked at.
    public static func probe(_ opening: borrowing Opening) -> ProbeAnswer {
        isNTP(opening.client) || isNTP(opening.server) ? .yes : .no
    }

    private static func isNTP(_ bytes: RawSpan) -> Bool {
        guard bytes.byteCount % 4 == 0, let header = try? NTPHeader(bytes) else { return false }
        // No dispersion exceeds MAXDISP, 16 s (RFC 5905 §7.2); a delay that long has never been met either.
        return 3...4 ~= header.version && header.stratum <= 16 && header.transmit.value != 0
            && header.rootDelay >> 20 == 0 && header.rootDispersion >> 20 == 0
    }

    /// Begins a flow.
    public init(flow: FlowContext) {}

    /// Reads one datagram.
    public mutating func read(
        _ bytes: RawSpan, _ direction: Direction, _ outlet: Outlet
    ) throws(DissectionError) -> Int {
        let header: NTPHeader
        do throws(DecodeError) {
            header = try NTPHeader(bytes)
        } catch {
            throw DissectionError("\(error)", offset: error.offset)
        }
        if let oddity = oddity(of: header, direction) { outlet.remark(oddity) }
        sent[direction] = header.transmit
        outlet.message(
            NTPMessage(header: header, trailing: bytes.byteCount - NTPHeader.length), 0..<bytes.byteCount)
        return bytes.byteCount
    }

    /// The two checks of RFC 5905 §8: a duplicate has the transmit timestamp of the packet before it; an answer is
    /// bogus when its origin timestamp is not the transmit timestamp of what was asked.
    private func oddity(of header: NTPHeader, _ direction: Direction) -> Remark? {
        if sent[direction] == header.transmit {
            return Remark(
                Text("The same packet again: its transmit timestamp has not changed."), reference: "RFC 5905 §8")
        }
        guard header.mode == .server || header.mode == .symmetricPassive, let asked = sent[direction.opposite],
            asked != header.origin
        else { return nil }
        return Remark(
            Text("Answers a question that was not asked: the origin timestamp is not that of the last question."),
            reference: "RFC 5905 §8", range: 24..<32)
    }
}
