import WeirPackets

extension TransportSpec {
    /// The names of the parameters that RFC 2326 §12.39 and RFC 7826 §18.54 define.
    enum ParameterName: UInt8 {
        case unicast, multicast, destination, source, interleaved, append, ttl, layers, port, clientPort, serverPort,
            ssrc, mode, sourceAddress, destinationAddress, setup, connection, rtcpMux, mikey

        /// The name as specified.
        private var text: String {
            switch self {
            case .unicast: "unicast"
            case .multicast: "multicast"
            case .destination: "destination"
            case .source: "source"
            case .interleaved: "interleaved"
            case .append: "append"
            case .ttl: "ttl"
            case .layers: "layers"
            case .port: "port"
            case .clientPort: "client_port"
            case .serverPort: "server_port"
            case .ssrc: "ssrc"
            case .mode: "mode"
            case .sourceAddress: "src_addr"
            case .destinationAddress: "dest_addr"
            case .setup: "setup"
            case .connection: "connection"
            case .rtcpMux: "rtcp-mux"
            case .mikey: "mikey"
            }
        }

        /// Returns the name at `range` of a text, ignoring case; nil for others.
        init?(_ octets: [UInt8], _ range: Range<Int>) {
            guard let first = octets[range].first else { return nil }
            // Length and first letter leave one: comparing with all would take longer.
            let candidate: ParameterName
            switch (range.count, ASCII.lowercased(first)) {
            case (3, _): candidate = .ttl
            case (4, UInt8(ascii: "p")): candidate = .port
            case (4, UInt8(ascii: "s")): candidate = .ssrc
            case (4, _): candidate = .mode
            case (5, UInt8(ascii: "s")): candidate = .setup
            case (5, _): candidate = .mikey
            case (6, UInt8(ascii: "s")): candidate = .source
            case (6, UInt8(ascii: "a")): candidate = .append
            case (6, _): candidate = .layers
            case (7, _): candidate = .unicast
            case (8, UInt8(ascii: "s")): candidate = .sourceAddress
            case (8, _): candidate = .rtcpMux
            case (9, UInt8(ascii: "m")): candidate = .multicast
            case (9, _): candidate = .destinationAddress
            case (10, _): candidate = .connection
            case (11, UInt8(ascii: "c")): candidate = .clientPort
            case (11, UInt8(ascii: "s")): candidate = .serverPort
            case (11, UInt8(ascii: "i")): candidate = .interleaved
            case (11, _): candidate = .destination
            default: return nil
            }
            guard TextSyntax.isWord(octets, range, candidate.text) else { return nil }
            self = candidate
        }
    }
}
