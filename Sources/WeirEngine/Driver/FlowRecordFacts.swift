import WeirPackets

// TCP statistics of flow records.

extension FlowRecord.TCPRecord {
    init(_ tcp: TCPConnection) {
        self.init(
            handshake: .init(tcp.handshake),
            handshakeRoundTrip: tcp.handshakeRTT.map { Int64(($0 * 1_000_000_000).rounded()) },
            retransmittedBytes: tcp.retransmittedOctets(.clientToServer) + tcp.retransmittedOctets(.serverToClient),
            outOfOrderSegments: tcp.outOfOrderSegments(.clientToServer) + tcp.outOfOrderSegments(.serverToClient),
            missingBytes: tcp.missingOctets(.clientToServer) + tcp.missingOctets(.serverToClient),
            closedBy: .init(tcp.closedBy))
    }
}

extension FlowRecord.TCPRecord.Handshake {
    init(_ handshake: TCPConnection.Handshake) {
        self =
            switch handshake {
            case .complete: .complete
            case .partial: .partial
            case .missing: .missing
            }
    }
}

extension FlowRecord.TCPRecord.Close {
    init(_ reason: TCPConnection.CloseReason) {
        self =
            switch reason {
            case .fin: .fin
            case .reset: .reset
            case .open: .open
            }
    }
}
