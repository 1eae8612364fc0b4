/// The compression of a capture file.
public enum Compression: String, Hashable, Sendable {
    /// gzip (RFC 1952), one or more members.
    case gzip
    /// Zstandard (RFC 8878), one or more frames.
    case zstd
}

/// A failure that stops reading before the end of the file.
struct InputFailure: Error {
    let kind: CaptureError.Kind
    let reason: String
}
