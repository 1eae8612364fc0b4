import WeirKit

/// Parses the datagrams of a flow as NTP messages.
public struct NTPDissector: Dissector {
    /// Name, transport, port and how NTP is recognized.
    public static let descriptor = DissectorDescriptor(
        name: "ntp", carriers: [.udp], ports: [123],
        recognition: "a header of 48 octets with version 3 or 4, a known mode, and small root delay and dispersion")

    /// The transmit timestamp of the latest packet in each direction.
    private var sent: [Direction: NTPTime] = [:]

    /// NTP has no magic number, so the probe checks every field that has a limited range.
    public static func probe(_ opening: borrowing FirstBytes) -> ProbeAnswer {
        isNTP(opening.client) || isNTP(opening.server) ? .yes : .no
    }

    private static func isNTP(_ bytes: RawSpan) -> Bool {
        guard bytes.byteCount % 4 == 0, let header = try? NTPHeader(bytes) else { return false }
        // Dispersion is at most MAXDISP, 16 s (RFC 5905 §7.2); the probe applies the same limit to the delay.
        return 3...4 ~= header.version && header.stratum <= 16 && header.transmit.value != 0
            && header.rootDelay >> 20 == 0 && header.rootDispersion >> 20 == 0
    }

    /// Creates a dissector for a flow.
    public init(flow: FlowContext) {}

    /// Parses one datagram.
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

    /// A duplicate repeats the transmit timestamp of the previous packet (RFC 5905 §8). Matching answers to questions
    /// is left to a rule.
    private func oddity(of header: NTPHeader, _ direction: Direction) -> Remark? {
        guard sent[direction] == header.transmit else { return nil }
        return Remark(Text("ntp.remark.again"), reference: "RFC 5905 §8")
    }
}
