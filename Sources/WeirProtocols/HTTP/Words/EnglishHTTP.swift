extension HTTPWords {
    /// What is said of messages.
    static let english = [
        "http.upgrade":
            "Asks to leave HTTP: from the answer on, both sides would send WebSocket messages on this connection whenever they like.",
        "http.upgraded": "The server agrees: what follows on this connection is WebSocket.",
        "http.notUpgraded": "The server does not go on in WebSocket.",
        "http.remark.malformed": "what stands here is no HTTP message ({0}); the rest of the connection is not read",
    ]
}
