extension WHIPWords {
    /// Explanations of steps.
    static let english = [
        "whip.offer.publish": "WHIP: offers media to publish over WebRTC.",
        "whip.offer.play": "WHEP: offers to receive media over WebRTC.",
        "whip.answer": "Accepts the offer; Location is the session's URL.",
        "whip.redirect": "The offer must be sent to another URL.",
        "whip.unauthorized": "The server requires a valid token.",
        "whip.refused": "The server refused the request.",
        "whip.candidates": "Adds ICE candidates found after the offer.",
        "whip.update": "Ends the candidates, or restarts ICE.",
        "whip.updated": "The server accepted the update.",
        "whip.delete": "Ends the session.",
        "whip.deleted": "The session has ended.",
        "whip.preflight": "Asks whether a page of another origin may post (CORS).",
        "whip.preflight.allowed": "The page may post.",
        "whip.preflight.refused": "The page may not post: the browser sends no offer.",
    ]

    /// Findings, explanations and fixes of the rules.
    static let englishRules = [
        "WHIP-POST.offerType": "The offer was not sent as application/sdp.",
        "WHIP-POST.status": "The offer was accepted with a status other than 201.",
        "WHIP-POST.answerType": "The answer is not sent as application/sdp.",
        "WHIP-POST.location": "The answer has no Location: the session cannot be changed or ended.",
        "why.WHIP-POST": "Clients check status, type and Location, and give up where one is missing.",
        "mend.WHIP-POST": "Answer 201 with Content-Type: application/sdp and the session's address in Location.",
        "WHIP-DIR.offer": "Media section {0} ({1}) of the offer does not send anything.",
        "WHIP-DIR.answer": "Media section {0} ({1}) of the answer is not recvonly.",
        "why.WHIP-DIR": "WHIP carries media to the server only; strict endpoints refuse other directions.",
        "mend.WHIP-DIR": "Offer sendonly and answer recvonly; use WHEP to play.",
        "WHIP-DELETE.other":
            "DELETE is for another URL than the Location of the 201, which is relative to the URL of the offer.",
        "WHIP-DELETE.none": "The session was never ended with DELETE.",
        "why.WHIP-DELETE": "The server keeps the session until consent expires, and the stream looks alive until then.",
        "mend.WHIP-DELETE": "Send DELETE to the Location when publishing ends.",
        "WHIP-PATCH.type": "The body of PATCH is not application/trickle-ice-sdpfrag.",
        "WHIP-PATCH.ifMatch": "The session has an ETag, and the PATCH has no If-Match.",
        "WHIP-PATCH.answer": "The 204 that accepts candidates has a body or an ETag.",
        "WHIP-PATCH.status": "Candidates are accepted with {0}, not with 204.",
        "why.WHIP-PATCH": "The server cannot match the candidates to an ICE generation, or refuses them.",
        "mend.WHIP-PATCH": "Send the fragment's own type, and the latest ETag in If-Match.",
        "WHIP-RESTART.ifMatch": "An ICE restart does not have If-Match: *.",
        "WHIP-RESTART.answer": "The response to an ICE restart is not 200 with a new ETag and new credentials.",
        "WHIP-RESTART.undecided": "The body of the response to the ICE restart was not captured.",
        "why.WHIP-RESTART":
            "The restart fails where ETags are compared, and the call is lost when the network changes.",
        "mend.WHIP-RESTART": "Send If-Match: *, and answer 200 with new credentials and a new ETag.",
        "WHIP-CANDS.none": "The answer has no candidates, and none can follow.",
        "why.WHIP-CANDS":
            "Without an address of the server, ICE succeeds only if the client's checks reach it by chance.",
        "mend.WHIP-CANDS": "Gather all candidates before answering.",
        "WHIP-BUNDLE.group": "Not all media sections of the offer are in one BUNDLE group.",
        "WHIP-BUNDLE.mux": "A media section of the offer has no rtcp-mux.",
        "WHIP-BUNDLE.muxOnly": "A media section of the offer has no rtcp-mux-only.",
        "WHIP-BUNDLE.streams": "The media sections of the offer belong to several streams.",
        "WHIP-BUNDLE.tracks": "The offer has several tracks of the same kind.",
        "why.WHIP-BUNDLE": "Servers create one transport per session, and accept one stream of audio and video.",
        "mend.WHIP-BUNDLE":
            "Bundle all media with rtcp-mux, and publish one stream with one audio and one video track.",
        "WHIP-REDIRECT.status":
            "The POST is redirected with a status on which clients continue with GET, without the offer.",
        "why.WHIP-REDIRECT": "Many HTTP clients drop the body, and publishing fails.",
        "mend.WHIP-REDIRECT": "Redirect with 307 or 308.",
        "WHIP-AUTH.without": "This request has no Bearer token, unlike earlier ones.",
        "WHIP-AUTH.late": "This request has a Bearer token, unlike earlier ones.",
        "why.WHIP-AUTH": "Servers refuse requests without the token: the session cannot be changed or ended.",
        "mend.WHIP-AUTH": "Send Authorization: Bearer with POST, PATCH and DELETE.",
    ]
}
