package import WeirEngine

/// Serializes a document whose members are in memory.
package enum JSONDocument {
    /// Returns an object with these members, and a line feed; secrets must be masked already.
    package static func octets(_ fields: [Field]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.fields(fields, .masked)
        writer.endObject()
        writer.newline()
        return writer.octets
    }
}
