/// Why bytes could not be decoded, and where.
///
/// "Cut by the capture", "need more" and "malformed" are three different answers: a reader only says that bytes are
/// missing; whether that is the snap length's fault or the sender's is for the caller, who knows the original length.
public struct DecodeError: Error, Sendable, Equatable {
    /// What went wrong.
    public enum Kind: Sendable, Equatable {
        /// The field needs `needed` octets, `available` are left.
        case tooShort(needed: Int, available: Int)
        /// A value that the specification does not allow, in words.
        case malformed(String)
        /// A type or version that is not decoded here, in words.
        case unsupported(String)
    }

    /// What went wrong.
    public let kind: Kind
    /// The layer that was being decoded, such as `IPv4`.
    public let layer: String
    /// Octets from the start of the reader's bytes to the place where decoding failed.
    public let offset: Int

    /// Creates an error.
    public init(_ kind: Kind, layer: String, offset: Int) {
        self.kind = kind
        self.layer = layer
        self.offset = offset
    }
}

extension DecodeError: CustomStringConvertible {
    /// One line for people, such as `IPv4 at offset 14: needs 20 octets, 6 are left`.
    public var description: String {
        switch kind {
        case .tooShort(let needed, let available):
            "\(layer) at offset \(offset): needs \(needed) octets, \(available) are left"
        case .malformed(let reason), .unsupported(let reason):
            "\(layer) at offset \(offset): \(reason)"
        }
    }
}
