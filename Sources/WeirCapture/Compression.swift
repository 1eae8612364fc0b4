/// The compression of a capture file.
public enum Compression: String, Hashable, Sendable {
    /// gzip (RFC 1952), one or more members.
    case gzip
    /// Zstandard (RFC 8878), one or more frames.
    case zstd

    /// Recognizes the compression by the first four octets of a file, or nil if it is not compressed.
    init?(start octets: [UInt8]) {
        if octets.starts(with: [0x1F, 0x8B]) {
            self = .gzip
        } else if octets.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) || Self.isSkippableFrame(octets) {
            self = .zstd
        } else {
            return nil
        }
    }

    /// Whether a file starts with a skippable zstd frame, as written by parallel compressors (RFC 8878 section 3.1.2).
    private static func isSkippableFrame(_ octets: [UInt8]) -> Bool {
        octets.count >= 4 && octets[0] & 0xF0 == 0x50 && octets[1...3].elementsEqual([0x2A, 0x4D, 0x18])
    }
}

/// A failure that stops reading before the end of the file.
struct InputFailure: Error {
    let kind: CaptureError.Kind
    let reason: String
}
