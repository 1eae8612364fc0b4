package import WeirEngine

/// Media data that is written to a file unchanged: neither RTP packets nor data to be reassembled.
package struct MediaPiece: Sendable {
    /// The number of the stream, as in reports.
    package var stream: Int
    /// The number of the stream that owns the file; several streams may share one.
    package var file: Int
    /// A description of the file content.
    package var encoding: String
    /// The usual file name extension.
    package var ending: String
    /// The bytes at the start of the file.
    package var fileHeader: [UInt8] = []
    /// The media data.
    package var octets: [UInt8]
    /// Whether the data counts as a frame; decoder configuration does not.
    package var isFrame = true
    /// Whether the data is the decoder configuration of its stream.
    package var isConfiguration = false
    /// Whether no decoder configuration precedes the frame, without which it cannot be decoded.
    package var lacksConfiguration = false
    /// The part of the data that is its time, or nil if it contains none.
    package var timeOctets: Range<Int>?
    /// What identifies the medium on other connections, whose decoder configuration is then the same.
    package var medium: Medium?
    /// Whether the data is completely captured; otherwise it is omitted.
    package var isWhole = true

    /// Creates a piece.
    package init(stream: Int, file: Int, encoding: String, ending: String, octets: [UInt8]) {
        self.stream = stream
        self.file = file
        self.encoding = encoding
        self.ending = ending
        self.octets = octets
    }

    /// A medium that several connections carry one after the other.
    package struct Medium: Sendable {
        /// The hosts, and the direction between them.
        package var ends: String
        /// The media type and the encoding.
        package var encoding: String
        /// The name of the stream, if known.
        package var name: String?

        /// Creates the description of a medium.
        package init(ends: String, encoding: String, name: String?) {
            self.ends = ends
            self.encoding = encoding
            self.name = name
        }

        /// Whether both may be the same medium: a capture begun late does not show the name.
        func isSame(as other: Medium) -> Bool {
            ends == other.ends && encoding == other.encoding
                && (name == nil || other.name == nil || name == other.name)
        }
    }

    /// Assigns the time of another piece, if both contain one.
    mutating func take(timeOf other: MediaPiece) {
        guard let own = timeOctets, let others = other.timeOctets, own.count == others.count,
            own.upperBound <= octets.count, others.upperBound <= other.octets.count
        else { return }
        octets.replaceSubrange(own, with: other.octets[others])
    }
}

/// A receiver of media data during analysis, such as a file writer.
package protocol PieceTap: AnyObject {
    /// Receives a piece.
    func take(_ piece: MediaPiece)
    /// Ends a stream.
    ///
    /// - Parameter lacksOctets: whether data of the carrying connection is missing from the capture.
    func end(piecesOf stream: Int, lacksOctets: Bool)
}

/// The receiver of media data for all protocols of an analysis; usually none.
package final class PieceTaps: SharedState {
    /// The receiver.
    package var tap: (any PieceTap)?

    /// Creates the state without a receiver.
    package init(_ outlet: SessionOutlet) {}
}
