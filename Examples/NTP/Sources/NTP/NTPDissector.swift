import WeirKit

/// Turns the datagrams of one flow into NTP messages.
public struct NTPDissector: Dissector {
    /// Name, carrier, port and how it is recognised.
    public static let descriptor = DissectorDescriptor(
        name: "ntp", carriers: [.udp], ports: [123],
        recognition: "a header of 48 octets with version 3 or 4, a known mode, and small root delay and dispersion")

    /// The transmit timestamp of the last packet of each side.
    private var sent: [Direction: NTPTime] = [:]

    /// NTP has no magic number, so every field that cannot hold just anything is looked at.
    public static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
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

    /// A duplicate has the transmit timestamp of the packet before it (RFC 5905 §8). Whether an answer belongs to a question
    /// is for a rule to say.
    private func oddity(of header: NTPHeader, _ direction: Direction) -> Remark? {
        guard sent[direction] == header.transmit else { return nil }
        return Remark(Text("ntp.remark.again"), reference: "RFC 5905 §8")
    }
}
