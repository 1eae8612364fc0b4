import WeirPackets

extension RTSPMessage {
    /// Parses a message whose end is not captured: its complete lines, or, if the request line itself is truncated, the
    /// method and the available part of the URI.
    ///
    /// - Returns: nil if request and response cannot be told apart.
    init?(cut bytes: RawSpan, limits: Limits) {
        let text = bytes.array()
        var whole: [UInt8]
        if let lastLineEnd = text.lastIndex(of: ASCII.lineFeed) {
            whole = text[...lastLineEnd] + [ASCII.carriageReturn, ASCII.lineFeed]
        } else {
            // The first line is truncated; the version comes last, so it is missing.
            let words = TextSyntax.words(bytes.text())
            guard let first = words.first, RTSPVersion(first) != nil || words.count > 1 else { return nil }
            let isResponse = RTSPVersion(first) != nil
            whole = Array((words.joined(separator: " ") + (isResponse ? "" : " RTSP/1.0") + "\r\n\r\n").utf8)
        }
        let result = HeaderBlock.parse(whole.rawSpan, limits: limits)
        guard case .complete(let headers) = result else { return nil }
        self.init(headers)
        isCut = true
    }
}
