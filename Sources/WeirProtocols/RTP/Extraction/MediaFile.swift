/// The destination of a media file.
package protocol MediaFile: AnyObject {
    /// Appends octets.
    func write(_ octets: [UInt8])
    /// Overwrites octets at the beginning, if the destination supports it.
    func patch(_ patch: FilePatch)
    /// Closes the file.
    func close()
}

/// The result of extracting a stream.
package struct ExtractedStream: Sendable {
    /// The stream number.
    package let stream: Int
    /// The encoding, if known.
    package var encoding: String?
    /// Frames, or audio packets, received.
    package var framesIn = 0
    /// Frames, or audio packets, written.
    package var framesOut = 0
    /// Missing packets.
    package var missingPackets = 0
    /// Packets received.
    package var packets = 0
    /// The stream whose file contains this one, if not its own.
    package var file: Int?
    /// Whether octets of the carrying connection were not captured, so that media may be missing.
    package var lacksOctets = false
    /// Whether the capture has no decoder configuration, without which players cannot decode the stream.
    package var lacksConfiguration = false
    /// The stream of the same medium whose decoder configuration was written, since its own is missing.
    package var configurationOf: Int?
    /// Packets received before the stream was recognized, whose payload was not kept.
    package var earlyPackets = 0
    /// Truncated packets.
    package var cutPackets = 0
    /// Packets of other payload types, which were skipped.
    package var otherPackets = 0
    /// Pictures omitted because they exceed the buffer limit.
    package var tooLongPictures = 0
    /// Why nothing was written.
    package var problem: ExtractionProblem?
}
