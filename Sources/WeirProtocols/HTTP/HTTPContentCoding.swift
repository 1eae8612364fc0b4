import WeirPackets

/// Content decoding of bodies (RFC 2068 §3.5).
enum HTTPContentCoding {
    /// Length of the gzip header without optional fields, in bytes (RFC 1952).
    private static let gzipHeader = 10

    /// Removes the content codings in reverse order. Returns nil if one is unknown, damaged, or exceeds `limit`.
    static func decode(_ body: [UInt8], _ codings: [String], upTo limit: Int) -> [UInt8]? {
        var octets = body
        for coding in codings.flatMap({ TextSyntax.split($0, at: ASCII.comma) }).reversed() {
            switch TextSyntax.lowercased(TextSyntax.trim(coding)) {
            case "", "identity": continue
            case "gzip", "x-gzip":
                guard let start = gzipStart(octets), let plain = inflate(octets[start...], limit) else { return nil }
                octets = plain
            case "deflate":
                // The zlib header (RFC 1950) is required, but some servers omit it.
                let hasHeader =
                    octets.count >= 2 && octets[0] & 0x0F == 8 && (Int(octets[0]) << 8 | Int(octets[1])) % 31 == 0
                guard let plain = inflate(octets[(hasHeader ? 2 : 0)...], limit) else { return nil }
                octets = plain
            default: return nil
            }
        }
        return octets
    }

    private static func inflate(_ octets: ArraySlice<UInt8>, _ limit: Int) -> [UInt8]? {
        var inflater = Inflater()
        return try? inflater.inflate(Array(octets), upTo: limit).octets
    }

    /// Returns the offset of the compressed data after the gzip header and its optional fields.
    private static func gzipStart(_ octets: [UInt8]) -> Int? {
        guard octets.count > gzipHeader, octets[0] == 0x1F, octets[1] == 0x8B, octets[2] == 8 else { return nil }
        let options = octets[3]
        var offset = gzipHeader
        if options & 0x04 != 0 {
            guard let length = octets.rawSpan.uint16(at: offset)?.byteSwapped else { return nil }
            offset &+= 2 &+ Int(length)
        }
        // File name and comment are each terminated by a zero.
        for bit in [UInt8(0x08), 0x10] where options & bit != 0 {
            guard offset < octets.count, let zero = octets[offset...].firstIndex(of: 0) else { return nil }
            offset = zero &+ 1
        }
        if options & 0x02 != 0 { offset &+= 2 }
        return offset < octets.count ? offset : nil
    }
}
