extension WebSocketWords {
    /// What is said of messages.
    static let english = [
        "protocol.websocket": "WS",
        "websocket.upgrade":
            "From here on the connection carries messages instead of bytes: either side sends one whenever it likes.",
        "websocket.upgrade.compressed":
            "From here on the connection carries messages instead of bytes, which either side may compress, referring to those before.",
        "websocket.text": "A message of text; browsers and signaling servers mostly send JSON in it.",
        "websocket.binary": "A message of octets: what they mean is between the two programs.",
        "websocket.ping": "Asks whether the other side is still there, and keeps the connection open in routers.",
        "websocket.pong": "Answers a ping, or says unasked that its sender is still there.",
        "websocket.close":
            "Ends the conversation without saying why; the other side answers with the same, then TCP is closed.",
        "websocket.close.normal": "Ends the conversation: what the connection was made for is done.",
        "websocket.close.leaving": "Ends the conversation: the page was left, or the server goes down.",
        "websocket.close.protocol": "Ends the conversation: the other side broke the protocol.",
        "websocket.close.data": "Ends the conversation: it got a kind of data that it cannot take.",
        "websocket.close.encoding":
            "Ends the conversation: a message was not what it said it was, such as text that is no UTF-8.",
        "websocket.close.policy": "Ends the conversation: a message breaks the rules of this service.",
        "websocket.close.tooBig": "Ends the conversation: a message was too big.",
        "websocket.close.extension":
            "Ends the conversation: the server did not agree to an extension that the client needs.",
        "websocket.close.unexpected": "Ends the conversation: the server met a condition that it cannot handle.",
        "websocket.close.service": "Ends the conversation: the service restarts, is overloaded, or its gateway failed.",
        "websocket.close.registered": "Ends the conversation with a code that a library or framework has registered.",
        "websocket.close.private": "Ends the conversation with a code whose meaning is between the two programs.",
        "websocket.close.unknown": "Ends the conversation with a code that has no meaning.",
    ]

    /// Findings of the rules, why they matter, and how to mend what breaks them.
    static let englishRules = [
        "WS-HANDSHAKE.inconclusive": "The capture lacks the request, so the answer's proof cannot be verified.",
        "WS-HANDSHAKE.noKey": "The request has no Sec-WebSocket-Key.",
        "WS-HANDSHAKE.noAccept":
            "The answer has no Sec-WebSocket-Accept, so nothing says that a WebSocket server gave it.",
        "WS-HANDSHAKE.accept": "Sec-WebSocket-Accept is not the hash of the client's key.",
        "WS-HANDSHAKE.version": "The request does not ask for version 13, the one that is specified.",
        "WS-HANDSHAKE.subprotocol": "The server chose a subprotocol that the client did not offer.",
        "WS-HANDSHAKE.extension": "The server accepts an extension that the client did not offer.",
        "why.WS-HANDSHAKE": "A client that checks it, as browsers do, fails the connection.",
        "mend.WS-HANDSHAKE":
            "Hash key and constant with SHA-1, answer in base64, and choose only from what the client offers.",
        "WS-MASK.client": "The client sent a frame without masking.",
        "WS-MASK.server": "The server masked a frame.",
        "why.WS-MASK":
            "Masking keeps a page from writing octets of its choice into a proxy's cache; who finds it wrong must close the connection.",
        "mend.WS-MASK": "Mask every frame of the client with a fresh key, and none of the server.",
        "WS-FRAME.length": "A length is written in more octets than it needs, or with its top bit set.",
        "WS-FRAME.reserved": "A reserved bit is set though no extension that was agreed on uses it.",
        "WS-FRAME.opcode": "The opcode of a frame has no meaning.",
        "WS-FRAME.compression": "A message that says it is compressed cannot be decompressed.",
        "why.WS-FRAME": "Receivers fail the connection on such frames, or lose their place in the stream.",
        "mend.WS-FRAME": "Write headers by the grammar, and use reserved bits only as an agreed extension says.",
        "WS-CONTROL.length": "A control frame has more than 125 octets.",
        "WS-CONTROL.fragment": "A control frame is one of several fragments.",
        "WS-CONTROL.ping": "The ping in frame {0} was never answered with a pong.",
        "WS-CONTROL.inconclusive":
            "The capture shows no pong to the ping in frame {0}, but does not hold the whole connection.",
        "why.WS-CONTROL": "Who waits for the pong takes the connection for dead and closes it.",
        "mend.WS-CONTROL": "Answer each ping at once with the same octets, and keep control frames short and whole.",
        "WS-FRAG.stray": "A continuation comes where no message is open.",
        "WS-FRAG.interrupted": "A new message begins before the last one has ended.",
        "why.WS-FRAG": "Receivers cannot put the message together, and fail the connection.",
        "mend.WS-FRAG": "End each message with a frame that has FIN before the next one begins.",
        "WS-UTF8.text": "A text message holds octets that are no UTF-8.",
        "WS-UTF8.reason": "The reason of a close frame holds octets that are no UTF-8.",
        "why.WS-UTF8": "Browsers fail the connection with code 1007.",
        "mend.WS-UTF8": "Send octets that are no text in binary messages, and cut text between characters only.",
        "WS-CLOSE.after": "A frame was sent behind the sender's own close frame.",
        "WS-CLOSE.length": "A close frame has a single octet, which is no code.",
        "WS-CLOSE.code": "A close frame has a code that must not be sent.",
        "WS-CLOSE.none": "TCP ended without a close frame of either side: the peers learn 1006, abnormal closure.",
        "WS-CLOSE.byClient": "The client's close frame was never answered.",
        "WS-CLOSE.byServer": "The server's close frame was never answered.",
        "WS-CLOSE.inconclusive":
            "The capture does not show that both sides closed, but does not hold the whole connection either.",
        "why.WS-CLOSE":
            "Without a close frame nobody learns why the connection ended, and messages under way may be lost.",
        "mend.WS-CLOSE": "Send a close frame with a fitting code, wait for the other one, then close TCP.",
    ]
}
