extension RTSPWords {
    /// RTSP, its HTTP tunnel, and SDP.
    static let english: [String: String] = [
        "rtsp.request.OPTIONS": "Asks which methods the server supports.",
        "rtsp.request.DESCRIBE":
            "Asks for a description of the media: which tracks there are, how they are encoded and how to "
            + "address them (usually SDP).",
        "rtsp.request.ANNOUNCE":
            "Announces a description of media: a client that wants to record says what it will send, a "
            + "server that the description changed.",
        "rtsp.request.SETUP":
            "Asks to prepare one track, and says how its packets are to travel: over which transport, ports "
            + "or channels.",
        "rtsp.request.PLAY": "Asks the server to start sending the tracks that were set up.",
        "rtsp.request.PAUSE": "Asks to stop the media for now, keeping the session.",
        "rtsp.request.TEARDOWN": "Ends the session: the server stops sending and frees what it kept for it.",
        "rtsp.request.GET_PARAMETER": "Asks for a parameter's value; without a body it only keeps the session alive.",
        "rtsp.request.SET_PARAMETER": "Sets a parameter's value; without a body it only keeps the session alive.",
        "rtsp.request.REDIRECT": "The server asks the client to go on at another address.",
        "rtsp.request.RECORD": "Tells the server that the client starts sending the media it announced.",
        "rtsp.request.PLAY_NOTIFY":
            "The server tells of an event in the media being played, such as its end (RTSP 2.0).",
        "rtsp.request.airPlay.info": "Asks what the receiver is and can do.",
        "rtsp.request.airPlay.pairing": "Pairs the two devices, or shows that they are paired.",
        "rtsp.request.airPlay.keys": "Agrees on the keys that protect the media.",
        "rtsp.request.airPlay.feedback": "Says that the sender is still there.",
        "rtsp.request.airPlay.command": "Controls the receiver by a property list.",
        "rtsp.request.airPlay.flush": "Asks to throw away what was sent and not yet played.",
        "rtsp.remark.airPlay":
            "{0}: this is AirPlay (RAOP), which borrows the messages of RTSP; where it departs from RTSP nothing is wrong",
        "rtsp.request.unknown": "Uses the method {0}, which the RTSP specifications do not define.",
        "rtsp.response.100": "The server goes on working on the request; the final answer follows.",
        "rtsp.response.200": "The request succeeded.",
        "rtsp.response.200.OPTIONS": "Lists the methods the server supports.",
        "rtsp.response.200.DESCRIBE": "Delivers the description: tracks, encodings and control addresses.",
        "rtsp.response.200.ANNOUNCE": "Accepts the announced description.",
        "rtsp.response.200.SETUP":
            "The track is ready: names the session, and the ports or channels that both sides will use.",
        "rtsp.response.200.PLAY": "The server starts sending; RTP-Info says with which packet each track begins.",
        "rtsp.response.200.PAUSE": "The server has stopped sending; the session stays.",
        "rtsp.response.200.TEARDOWN": "The session has ended.",
        "rtsp.response.200.GET_PARAMETER": "Answers the question; the session stays alive.",
        "rtsp.response.200.SET_PARAMETER": "The parameter is set; the session stays alive.",
        "rtsp.response.200.RECORD": "The server is ready to receive the client's media.",
        "rtsp.response.200.REDIRECT": "The client will go on at the other address.",
        "rtsp.response.200.PLAY_NOTIFY": "The client has taken note of the event.",
        "rtsp.response.301": "The resource has moved for good to the address in Location.",
        "rtsp.response.302": "The resource is for now at the address in Location.",
        "rtsp.response.305": "The resource must be asked for through the proxy in Location.",
        "rtsp.response.400": "The server could not understand the request.",
        "rtsp.response.401":
            "The server wants a user name and password: the request must be repeated with credentials that "
            + "answer its challenge.",
        "rtsp.response.403": "The server understood the request and refuses it.",
        "rtsp.response.404": "There is no such stream on the server.",
        "rtsp.response.405": "The method is not allowed for this resource.",
        "rtsp.response.406": "The server has no description in a form that the client accepts.",
        "rtsp.response.407": "A proxy wants a user name and password first.",
        "rtsp.response.408": "The client took too long to finish its request.",
        "rtsp.response.415": "The server does not understand the type of the body.",
        "rtsp.response.451": "The server does not know one of the parameters.",
        "rtsp.response.453": "There is not enough bandwidth for the stream.",
        "rtsp.response.454":
            "The server knows no session with this identifier: it was never made, has timed out, or the "
            + "Session header is missing.",
        "rtsp.response.455": "The method does not fit the session's state, such as PLAY before SETUP.",
        "rtsp.response.456": "A header cannot be applied to this resource.",
        "rtsp.response.457": "The requested range lies outside the media.",
        "rtsp.response.458": "The parameter can be read but not set.",
        "rtsp.response.459": "The request may only name a single track, not the whole presentation.",
        "rtsp.response.460": "The request may only name the whole presentation, not a single track.",
        "rtsp.response.461": "The server offers none of the transports that the client asked for.",
        "rtsp.response.462": "The server cannot reach the address where the media should go.",
        "rtsp.response.500": "The server failed in a way it did not expect.",
        "rtsp.response.501": "The server does not implement this method.",
        "rtsp.response.503": "The server is overloaded or under maintenance for now.",
        "rtsp.response.505": "The server does not support this version of RTSP.",
        "rtsp.response.551": "The server does not support a feature that the client required.",
        "rtsp.response.class1": "The server goes on working ({0} {1}).",
        "rtsp.response.class2": "The request succeeded ({0} {1}).",
        "rtsp.response.class3": "The client must go elsewhere ({0} {1}).",
        "rtsp.response.class4": "The server refuses the request: the fault is the client's ({0} {1}).",
        "rtsp.response.class5": "The server failed ({0} {1}).",
        "rtsp.tunnel.get": "Opens the half of an HTTP tunnel on which the server will speak RTSP.",
        "rtsp.tunnel.post": "Opens the half of an HTTP tunnel on which the client speaks RTSP, in base64.",
        "rtsp.tunnel.answer": "Accepts the tunnel: RTSP follows on this connection.",
        "rtsp.tunnel.refused": "Refuses the tunnel.",
        "sdp.presentation": "Describes {0} {0|medium|media}: encoding, payload type and control address of each.",
        "sdp.offer": "Offers {0} media to the other side.",
        "sdp.answer": "Answers the offer with {0} media.",
        "rtsp.remark.skipped":
            "{0} {0|octet that is|octets that are} neither RTSP nor an interleaved frame were passed over.",
        "rtsp.remark.refused":
            "The credentials of the request were refused: the user name or the password is not what the server expects.",
        "rtsp.remark.refusedNonce":
            "The credentials of the request were refused: the user name or the password is not what the server "
            + "expects, or the challenge that they answer was no longer valid.",
        "rtsp.remark.staleNonce":
            "The credentials were right, but their nonce is too old: the client has to use the new one.",
        "rtsp.remark.malformed": "This is no readable header: {0}.",
        "rtsp.remark.lineEndsBefore": "{0} {0|octet|octets} of empty lines stand before an interleaved frame.",
        "rtsp.remark.bodyLonger": "The body is {0} {0|octet|octets} longer than Content-Length says.",
        "rtsp.remark.bodyShorter":
            "The next message begins {0} {0|octet|octets} before the end that Content-Length announces.",
        "rtsp.remark.base64": "The tunnel's body holds octets that are not base64.",
        "rtsp.remark.cut": "The capture holds only the beginning of this message.",
        "rtsp.interleaved":
            "Media travels inside the RTSP connection: a dollar sign, the channel, the length, and one RTP or RTCP packet.",
    ]
}
