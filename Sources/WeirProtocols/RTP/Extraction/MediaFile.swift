/// Where the octets of a file go.
package protocol MediaFile: AnyObject {
    /// Appends octets.
    func write(_ octets: [UInt8])
    /// Writes over what stands at the beginning, where that can be done.
    func patch(_ patch: FilePatch)
    /// Nothing more comes.
    func close()
}

/// What became of a stream that was to be written.
package struct ExtractedStream: Sendable {
    /// The stream's number.
    package let stream: Int
    /// The encoding, if known.
    package var encoding: String?
    /// Frames, or packets of sound, that came.
    package var framesIn = 0
    /// Those that were written.
    package var framesOut = 0
    /// Packets that are missing.
    package var missingPackets = 0
    /// Packets that came.
    package var packets = 0
    /// The stream whose file it is in, where that is another's.
    package var file: Int?
    /// Whether the capture lacks octets of the connection that carried it, so that some may be missing.
    package var lacksOctets = false
    /// Packets that came before the stream was recognised, of which no payload was kept.
    package var earlyPackets = 0
    /// Packets of which the capture lacks the end.
    package var cutPackets = 0
    /// Packets of other payload types, which were left out.
    package var otherPackets = 0
    /// Pictures that were longer than is kept, and left out.
    package var tooLongPictures = 0
    /// Why nothing was written.
    package var problem: ExtractionProblem?
}
