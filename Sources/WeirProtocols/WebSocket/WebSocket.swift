public import WeirEngine

/// The WebSocket Protocol (RFC 6455), with compressed messages (RFC 7692).
public enum WebSocket: Plugin {
    /// `websocket`.
    public static let name = "websocket"
    /// On TCP connections that began as HTTP.
    public static var dissectors: [any Dissector.Type] { [WebSocketDissector.self] }
    /// How each rule looks broken, and how it looks kept.
    public static var examples: [String: RuleExample] { WebSocketExamples.all }
    /// Its sentences.
    public static func words(_ language: Language) -> [[String: String]] { WebSocketWords.all(language) }
    /// Its lines.
    public static func lines(_ language: Language) -> [String: String] { WebSocketWords.lines(language) }

    /// Its rules, in the order in which reports list them.
    public static var rules: [any Rule.Type] {
        [
            WebSocketHandshakeRule.self, WebSocketMasking.self, WebSocketFraming.self, WebSocketControl.self,
            WebSocketFragmentation.self, WebSocketText.self, WebSocketClosing.self,
        ]
    }
}
