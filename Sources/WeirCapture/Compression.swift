/// How a capture file is compressed.
public enum Compression: String, Hashable, Sendable {
    /// gzip (RFC 1952), one member or several.
    case gzip
    /// Zstandard (RFC 8878), one frame or several.
    case zstd
}

/// Why the octets of a file stopped before its end.
struct InputFailure: Error {
    let kind: CaptureError.Kind
    let reason: String
}
