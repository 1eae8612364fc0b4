import WeirPackets

// What the fast paths leave to the analyzer.

extension FastPaths {
    /// The remaining work for a frame.
    enum Answer: UInt8 {
        /// Nothing remains.
        case done
        /// The frame was not processed; the clock must advance first.
        case clock
        /// `unit` needs processing; its flow is in `lookup`.
        case packet
        /// The connection has accepted a segment: `taking` has the result.
        case segment
        /// Stream bytes of the frame, in `rest`, that a dissector must read.
        case rest
        /// The frame contains neither a segment nor a datagram; `other` has the content.
        case other
    }

    /// The latest segment or datagram.
    struct Packet {
        let unit: TransportUnit
        /// Its flow and path.
        let lookup: FlowTable.Lookup
        let path: FlowPath
        /// Whether it is a duplicate created by the capture, which is not counted.
        let isCaptureDuplicate: Bool
        /// The result from its connection, if any.
        let taking: TCPConnection.Reception
        /// Whether it is the first in its direction, after some in the other.
        let isFirstAnswer: Bool
    }

    /// The stream octets of the latest frame that its fast path has left to the dissector.
    struct Unread {
        /// The index of the flow, and its path.
        let index: Int
        let path: FlowPath
        let fastPath: any FastPath
        let direction: Direction
        /// The range in the frame.
        let range: Range<Int>
    }

    /// A frame with remaining work.
    struct Remainder: ~Escapable {
        let frame: Frame
        let answer: Answer
        /// Whether it is the last one to be processed.
        let isLast: Bool

        @_lifetime(copy frame)
        init(_ frame: borrowing Frame, _ answer: Answer, isLast: Bool) {
            self.frame = copy frame
            self.answer = answer
            self.isLast = isLast
        }
    }
}
