import WeirPackets

extension RTSPMessage {
    /// Reads what is there of a message whose end the capture does not hold: the complete lines, and of a request whose
    /// first line is cut the method and as much of the URI as there is.
    ///
    /// - Returns: nil when not even the kind of message is told.
    init?(cut bytes: RawSpan, limits: Limits) {
        let text = bytes.array()
        var whole: [UInt8]
        if let lastLineEnd = text.lastIndex(of: ASCII.lineFeed) {
            whole = text[...lastLineEnd] + [ASCII.carriageReturn, ASCII.lineFeed]
        } else {
            // The first line itself is cut: the version is what is missing last.
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
