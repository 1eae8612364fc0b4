public import WeirEngine

/// The WebSocket Protocol (RFC 6455), with permessage-deflate (RFC 7692).
public enum WebSocket: Plugin {
    /// The plugin name, `websocket`.
    public static let name = "websocket"
    /// The dissector, on TCP connections upgraded from HTTP.
    public static var dissectors: [any Dissector.Type] { [WebSocketDissector.self] }
    /// Examples of each rule, violated and met.
    public static var examples: [String: RuleExample] { WebSocketExamples.all }
    /// The texts in a language.
    public static func words(_ language: Language) -> [[String: String]] { WebSocketWords.all(language) }
    /// The line templates in a language.
    public static func lines(_ language: Language) -> [String: String] { WebSocketWords.lines(language) }

    /// The rules, in report order.
    public static var rules: [any Rule.Type] {
        [
            WebSocketHandshakeRule.self, WebSocketMasking.self, WebSocketFraming.self, WebSocketControl.self,
            WebSocketFragmentation.self, WebSocketText.self, WebSocketClosing.self,
        ]
    }
}
