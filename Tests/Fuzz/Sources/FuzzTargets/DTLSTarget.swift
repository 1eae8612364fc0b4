import WeirEngine
import WeirPackets
import WeirProtocols

extension FuzzTarget {
    /// Feeds a reader of DTLS with hellos whose secrets are known, then with datagrams, each prefixed with a length of two
    /// octets: as they are, and as the content of decrypted records. The first octet chooses the version and the suite.
    static func dtlsSecrets(_ octets: [UInt8]) -> String? {
        let random = [UInt8](repeating: 7, count: 32)
        let digits = String(repeating: "07", count: 32)
        let lines = [
            ("CLIENT_RANDOM", 48), ("CLIENT_HANDSHAKE_TRAFFIC_SECRET", 32), ("SERVER_HANDSHAKE_TRAFFIC_SECRET", 32),
            ("CLIENT_TRAFFIC_SECRET_0", 32), ("SERVER_TRAFFIC_SECRET_0", 32),
        ].map { "\($0.0) \(digits) \(String(repeating: "5a", count: $0.1))\n" }
        let (log, _) = KeyLog.parse(Array(lines.joined().utf8), source: "keys")
        let suites: [[UInt8]] = [
            [0x13, 1], [0x13, 3], [0x13, 5], [0xC0, 0x2B], [0xCC, 0xA9], [0xC0, 0x23], [0xC0, 0xAE], [0xC0, 0x06],
        ]
        let suite = suites[Int(octets.first ?? 0) % suites.count]
        let version: [UInt8] = suite[0] == 0x13 ? [0, 43, 0, 2, 0xFE, 0xFC] : []
        func record(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
            let size = UInt8(body.count)
            return [22, 0xFE, 0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, size + 12]
                + [type, 0, 0, size, 0, 0, 0, 0, 0, 0, 0, size] + body
        }
        let client = record(1, [0xFE, 0xFD] + random + [0, 0, 0, 2] + suite + [1, 0, 0, 0])
        let server = record(2, [0xFE, 0xFD] + random + [0] + suite + [0, 0, UInt8(version.count)] + version)
        var reader = DTLSReader(keys: DecryptionKeys(logs: [log]), mostChannels: 4)
        _ = reader.read(client.rawSpan, isFromClient: true)
        guard !reader.read(server.rawSpan, isFromClient: false).isEmpty else { return "no hello" }
        let channels = DataChannels(most: 4)
        for (index, piece) in pieces(Array(octets.dropFirst())).enumerated() {
            let datagram = Array(piece)
            for message in reader.read(datagram.rawSpan, isFromClient: index % 2 == 0) {
                _ = (message.summary(.masked), message.fields(.masked))
            }
            _ = channels.take(datagram.rawSpan, isFromClient: index % 2 == 0)
        }
        return channels.channels.count <= 4 ? nil : "\(channels.channels.count) channels"
    }
}
