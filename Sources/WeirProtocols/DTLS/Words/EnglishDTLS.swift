extension DTLSWords {
    /// Steps of DTLS.
    static let english: [String: String] = [
        "dtls.clientHello":
            "One peer begins to agree on keys: it offers versions, ciphers, and profiles with which media may be encrypted.",
        "dtls.serverHello": "The other chooses from the offer.",
        "dtls.serverHello.hides":
            "The other chooses from the offer. In this version all that follows is encrypted, the certificates too: whether "
            + "they are those whose hashes were announced cannot be seen.",
        "dtls.retry": "The server asks the client to offer again, so that it knows that the client is really there.",
        "dtls.certificate":
            "The peer shows its certificate. Its hash must be the one that the session description announced: so each knows "
            + "that nobody stands between.",
        "dtls.certificate.alone": "One side shows its certificate, in the clear.",
        "dtls.certificate.matches":
            "The peer shows its certificate, and its hash is the one that the description in frame {0} announced.",
        "dtls.certificate.matchesBy":
            "The peer shows its certificate. Its hash by {1} is one that the description in frame {0} announced; that by "
            + "SHA-256, which stands in this line, is none of them.",
        "dtls.certificate.differs":
            "The peer shows its certificate, and its hash is not the one that the description in frame {0} announced: the "
            + "other must refuse it.",
        "dtls.alert": "The peer says what is wrong with the handshake.",
        "dtls.alert.close_notify": "The peer says that it closes the connection.",
        "dtls.alert.handshake_failure": "The peer found nothing in the offer that it can use.",
        "dtls.alert.bad_certificate":
            "The peer does not accept the certificate: often its hash is not the announced one.",
        "dtls.alert.certificate_unknown": "The peer does not accept the certificate.",
        "dtls.alert.unknown_ca": "The peer does not know who issued the certificate.",
        "dtls.finished":
            "From here on this side encrypts the handshake; when both do, the keys for media are agreed on.",
        "dtls.alert.encrypted":
            "An alert that is encrypted. What it says cannot be seen; after the handshake it is nearly always the end of the "
            + "connection.",
        "dtls.moved":
            "The connection whose handshake began in frame {0} goes on here, on another pair of candidates; what it carries "
            + "is encrypted.",
        "dtls.finished.late":
            "This side ends a handshake, or begins a further one; the capture lacks the hellos with which it began.",
        "dtls.applicationData.late":
            "The connection is under way: its handshake was before the capture, or elsewhere. What it carries is encrypted.",
        "dtls.applicationData":
            "The first data inside the connection: of data channels, which are encrypted, or a message of TLS itself.",
    ]
}
