import WeirPackets

/// Replaces what the head of an RTSP or HTTP message says of someone: the URI, and values of headers. Methods, versions, names of
/// headers, and values that say how to talk are kept.
struct HeadRedactor {
    let text: TextRedactor

    /// Headers whose values are fixed, or are computed from others (RFC 9110, RFC 6455 §11.3).
    private static let kept: Set<String> = [
        "connection", "content-encoding", "content-length", "content-type", "cseq", "date", "sec-websocket-accept",
        "sec-websocket-extensions", "sec-websocket-key", "sec-websocket-version", "transfer-encoding", "upgrade",
    ]

    /// Whether the head is cut, so that the analysis may not have read it: each unknown word of values is replaced.
    var isCut = false

    /// Replaces the content of a head.
    func redact(_ octets: inout [UInt8], _ range: Range<Int>) {
        var start = range.lowerBound
        var isFirst = true
        while start < range.upperBound {
            let end = octets[start..<range.upperBound].firstIndex(of: ASCII.lineFeed) ?? range.upperBound
            if isFirst { firstLine(&octets, start..<end) } else { header(&octets, start..<end) }
            isFirst = false
            start = end + 1
        }
    }

    private func firstLine(_ octets: inout [UInt8], _ line: Range<Int>) {
        guard let space = octets[line].firstIndex(of: ASCII.space) else { return }
        let rest = space + 1..<line.upperBound
        let last = octets[rest].lastIndex(of: ASCII.space)
        // A request line ends with the version, a status line begins with it.
        let isRequest =
            last.map {
                octets.part($0 + 1, $0 + 6).elementsEqual(Array("RTSP/".utf8))
                    || octets.part($0 + 1, $0 + 6).elementsEqual(Array("HTTP/".utf8))
            } ?? false
        if isRequest {
            value(&octets, rest.lowerBound..<(last ?? rest.upperBound))
        } else {
            // The reason may say anything.
            text.redactAll(&octets, rest)
        }
    }

    private func header(_ octets: inout [UInt8], _ line: Range<Int>) {
        guard let colon = octets[line].firstIndex(of: ASCII.colon) else { return value(&octets, line) }
        let name = String(decoding: octets[line.lowerBound..<colon], as: UTF8.self).lowercased()
        if !Self.kept.contains(name) { value(&octets, colon + 1..<line.upperBound) }
    }

    private func value(_ octets: inout [UInt8], _ range: Range<Int>) {
        if isCut { text.redactAll(&octets, range, keepsNumbers: true) } else { text.redact(&octets, range) }
    }
}
