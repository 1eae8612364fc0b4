package import WeirPackets

extension DecodeError {
    /// The error and its position, as a sentence.
    package var words: Text {
        switch kind {
        case .tooShort(let needed, let available):
            Text("decode.tooShort", .string(layer), .integer(offset), .integer(needed), .integer(available))
        case .malformed(let reason), .unsupported(let reason):
            Text("decode.other", .string(layer), .integer(offset), .string(reason))
        }
    }
}
