extension DTLSWords {
    /// DTLS messages.
    static let english: [String: String] = [
        "dtls.clientHello": "Starts the key exchange: versions, ciphers, SRTP profiles.",
        "dtls.serverHello": "Selects version, cipher and SRTP profile.",
        "dtls.serverHello.hides": "Selects parameters; what follows is encrypted (DTLS 1.3).",
        "dtls.retry": "Asks the client to repeat its hello with a cookie.",
        "dtls.certificate": "Must match a=fingerprint in the session description.",
        "dtls.certificate.alone": "The certificate of one side, unencrypted.",
        "dtls.certificate.matches": "Matches the fingerprint in frame {0}.",
        "dtls.certificate.matchesBy": "Matches the {1} fingerprint in frame {0}, not this SHA-256.",
        "dtls.certificate.differs": "Mismatch with the fingerprint in frame {0}: must be refused.",
        "dtls.alert": "Reports why the handshake failed.",
        "dtls.alert.close_notify": "Closes the connection.",
        "dtls.alert.handshake_failure": "No acceptable parameters in the offer.",
        "dtls.alert.bad_certificate": "Certificate refused, often for a wrong fingerprint.",
        "dtls.alert.certificate_unknown": "Certificate refused.",
        "dtls.alert.unknown_ca": "Certificate refused: unknown issuer.",
        "dtls.finished": "Media keys are established once both sides send this.",
        "dtls.alert.encrypted": "Encrypted alert; nearly always the end of the connection.",
        "dtls.moved": "Continues the connection of frame {0} on another pair.",
        "dtls.finished.late": "The hellos of this handshake were not captured.",
        "dtls.applicationData.late": "The handshake was not captured here; the data is encrypted.",
        "dtls.dataChannel": "Opens a data channel (DCEP); decrypted.",
        "dtls.applicationData": "First data: data channels (encrypted) or a TLS message.",
    ]
}
