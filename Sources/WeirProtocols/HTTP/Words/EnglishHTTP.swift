extension HTTPWords {
    /// Texts of HTTP messages.
    static let english = [
        "http.upgrade": "Asks to switch the connection to WebSocket.",
        "http.upgraded": "Accepts: the connection switches to WebSocket.",
        "http.notUpgraded": "Rejects the switch to WebSocket.",
        "http.remark.malformed": "not an HTTP message ({0}); the rest of the connection is not dissected",
    ]
}
