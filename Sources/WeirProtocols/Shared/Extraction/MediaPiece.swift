package import WeirEngine

/// Media that stands in a file as it came: what is neither in packets nor has to be put together.
package struct MediaPiece: Sendable {
    /// The stream that it is of, as in reports.
    package var stream: Int
    /// The stream whose file it belongs to: several streams may share one.
    package var file: Int
    /// What the file holds, in words for people.
    package var encoding: String
    /// What such files are usually called.
    package var ending: String
    /// What stands at the beginning of such a file.
    package var fileHeader: [UInt8] = []
    /// The octets.
    package var octets: [UInt8]
    /// Whether it counts as a frame; what prepares a decoder does not.
    package var isFrame = true
    /// Whether the capture holds all of it: else it is left out.
    package var isWhole = true

    /// Describes a piece.
    package init(stream: Int, file: Int, encoding: String, ending: String, octets: [UInt8]) {
        self.stream = stream
        self.file = file
        self.encoding = encoding
        self.ending = ending
        self.octets = octets
    }
}

/// Is shown such media as it is read: who writes it into files.
package protocol PieceTap: AnyObject {
    /// A piece came.
    func take(_ piece: MediaPiece)
    /// A stream is over.
    ///
    /// - Parameter lacksOctets: the capture lacks octets of the connection that carried it.
    func end(piecesOf stream: Int, lacksOctets: Bool)
}

/// Who is shown media, for all protocols of an analysis; nobody, as a rule.
package final class PieceTaps: SharedState {
    /// Who it is.
    package var tap: (any PieceTap)?

    /// Begins with nobody.
    package init(_ outlet: StoryOutlet) {}
}
