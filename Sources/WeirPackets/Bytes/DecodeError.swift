/// A decoding error: its kind, the layer and the offset.
///
/// A reader only reports that octets are missing. Whether the snap length or the sender is the cause is decided by the
/// caller, which has the original length.
public struct DecodeError: Error, Sendable, Equatable {
    /// The kind of error.
    public enum Kind: Sendable, Equatable {
        /// The field needs `needed` octets, but only `available` are left.
        case tooShort(needed: Int, available: Int)
        /// A value that the specification does not allow; the associated value describes it.
        case malformed(String)
        /// A type or version that Weir does not decode; the associated value describes it.
        case unsupported(String)
    }

    /// The kind of error.
    public let kind: Kind
    /// The layer being decoded, such as `IPv4`.
    public let layer: String
    /// The offset of the failure, in octets from the start of the reader's bytes.
    public let offset: Int

    /// Creates an error.
    public init(_ kind: Kind, layer: String, offset: Int) {
        self.kind = kind
        self.layer = layer
        self.offset = offset
    }
}

extension DecodeError: CustomStringConvertible {
    /// A one-line description, such as `IPv4 at offset 14: needs 20 octets, 6 are left`.
    public var description: String {
        switch kind {
        case .tooShort(let needed, let available):
            "\(layer) at offset \(offset): needs \(needed) octets, \(available) are left"
        case .malformed(let reason), .unsupported(let reason):
            "\(layer) at offset \(offset): \(reason)"
        }
    }
}
