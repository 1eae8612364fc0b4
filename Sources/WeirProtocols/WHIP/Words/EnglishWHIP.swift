extension WHIPWords {
    /// What is said of steps.
    static let english = [
        "whip.offer.publish":
            "Publishes over WebRTC with a single request (WHIP): the body offers what will be sent, with which codecs and addresses.",
        "whip.offer.play": "Asks to play over WebRTC with a single request (WHEP): the body says what can be received.",
        "whip.answer":
            "The server takes the offer: the body is its answer, Location the address at which the session is changed and ended.",
        "whip.redirect": "The offer is to be posted again, to another address.",
        "whip.unauthorized": "The server wants a token that it knows.",
        "whip.refused": "The server does not do what was asked.",
        "whip.candidates":
            "Tells further addresses at which the client may be reached, which were not known when it offered.",
        "whip.update":
            "Says how it goes on with the client's addresses: that there are no more, or that ICE begins anew.",
        "whip.updated": "The server has taken note.",
        "whip.delete": "Ends the session by giving up its address.",
        "whip.deleted": "The server has ended the session.",
        "whip.preflight": "A browser asks whether a page of another origin may post here (CORS preflight).",
        "whip.preflight.allowed": "The page may post.",
        "whip.preflight.refused": "The page may not post: the browser does not send the offer.",
    ]

    /// Findings of the rules, why they matter, and how to mend what breaks them.
    static let englishRules = [
        "WHIP-POST.offerType": "The offer was not posted as application/sdp.",
        "WHIP-POST.status": "The offer was taken with another status than 201.",
        "WHIP-POST.answerType": "The answer is not sent as application/sdp.",
        "WHIP-POST.location": "The answer has no Location, so nobody can change or end the session.",
        "why.WHIP-POST": "Clients check status, type and Location, and give up where one is missing.",
        "mend.WHIP-POST": "Answer 201 with Content-Type: application/sdp and the session's address in Location.",
        "WHIP-DIR.offer": "Medium {0} ({1}) of the offer would not send anything.",
        "WHIP-DIR.answer": "Medium {0} ({1}) of the answer is not recvonly.",
        "why.WHIP-DIR": "WHIP carries media to the server only; other directions fail at endpoints that check.",
        "mend.WHIP-DIR": "Offer sendonly and answer recvonly; play by WHEP.",
        "WHIP-DELETE.none": "The session that was made was never ended with DELETE.",
        "why.WHIP-DELETE":
            "The server keeps the session until consent is lost, and the stream looks alive for so long.",
        "mend.WHIP-DELETE": "Send DELETE to the Location when publishing ends.",
        "WHIP-PATCH.type": "The body of PATCH is not application/trickle-ice-sdpfrag.",
        "WHIP-PATCH.ifMatch": "The session has an ETag, and PATCH does not say If-Match.",
        "WHIP-PATCH.answer": "The 204 that takes candidates has a body or an ETag.",
        "why.WHIP-PATCH": "The server cannot tell to which generation of ICE the candidates belong, or refuses them.",
        "mend.WHIP-PATCH": "Send the fragment's own type, and the latest ETag in If-Match.",
        "WHIP-RESTART.ifMatch": "A restart of ICE does not say If-Match: *.",
        "WHIP-RESTART.answer": "The answer to a restart of ICE lacks 200, a new ETag, or new credentials.",
        "WHIP-RESTART.undecided": "The capture lacks the body that answers the restart of ICE.",
        "why.WHIP-RESTART":
            "The restart fails where versions are compared, and the call is lost when the network changes.",
        "mend.WHIP-RESTART": "Send If-Match: *, and answer 200 with new credentials and a new ETag.",
        "WHIP-CANDS.none": "The answer has no candidate, and none can come later.",
        "why.WHIP-CANDS":
            "Without an address of the server no connection comes about, unless the client's checks reach it by chance.",
        "mend.WHIP-CANDS": "Gather all candidates before answering.",
        "WHIP-BUNDLE.group": "Not all media of the offer are in one BUNDLE group.",
        "WHIP-BUNDLE.mux": "A medium of the offer lacks rtcp-mux.",
        "WHIP-BUNDLE.muxOnly": "A medium of the offer lacks rtcp-mux-only.",
        "WHIP-BUNDLE.streams": "The media of the offer belong to more than one stream.",
        "WHIP-BUNDLE.tracks": "The offer has several tracks of one kind.",
        "why.WHIP-BUNDLE": "Servers make one transport for each session, and take one stream of audio and video.",
        "mend.WHIP-BUNDLE":
            "Bundle all media with rtcp-mux, and publish one stream with one audio and one video track.",
        "WHIP-REDIRECT.status": "The POST is redirected in a way that lets clients go on with GET, without the offer.",
        "why.WHIP-REDIRECT": "Many HTTP clients drop the body, and publishing fails.",
        "mend.WHIP-REDIRECT": "Redirect with 307 or 308.",
        "WHIP-AUTH.without": "This request has no Bearer token, though those before had one.",
        "WHIP-AUTH.late": "This request has a Bearer token, though those before had none.",
        "why.WHIP-AUTH": "Servers refuse requests without the token: the session cannot be changed or ended.",
        "mend.WHIP-AUTH": "Send Authorization: Bearer with POST, PATCH and DELETE alike.",
    ]
}
