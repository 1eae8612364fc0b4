extension SRTWords {
    /// Why each rule matters, and what to change.
    static let englishRules: [String: String] = [
        "why.SRT-INDUCTION":
            "A listener of the older protocol rejects another version, and extensions before the cookie allow floods.",
        "mend.SRT-INDUCTION": "Send version 4 and no extensions in the induction request.",
        "why.SRT-MAGIC":
            "A caller rejects a listener without the magic code: it may be another extension of UDT.",
        "mend.SRT-MAGIC": "Set the extension field of the induction response to 0x4A17.",
        "why.SRT-COOKIE":
            "A listener ignores or rejects a conclusion without its cookie.",
        "mend.SRT-COOKIE": "Copy the cookie of the induction response.",
        "why.SRT-FLAGS":
            "Without these flags the peer cannot use the fields for keys and retransmissions.",
        "mend.SRT-FLAGS": "Set CRYPT and REXMITFLG in the handshake extension.",
        "why.SRT-LATENCY":
            "With less latency than requested, retransmissions arrive too late to play.",
        "mend.SRT-LATENCY": "Answer with the greater of both latencies.",
        "why.SRT-KM-FORM":
            "A receiver cannot unwrap such keys, and drops the payload.",
        "mend.SRT-KM-FORM": "Send one or two wrapped keys, with their lengths in the message.",
        "why.SRT-KLEN":
            "The sides use keys of different lengths, and the payload cannot be decrypted.",
        "mend.SRT-KLEN": "Use the key length of the encryption field.",
        "why.SRT-STREAMID":
            "A listener may not find the resource, and rejects the connection.",
        "mend.SRT-STREAMID": "Write #!:: and pairs of key and value separated by commas, at most 512 octets.",
        "why.SRT-NAK-LIST":
            "A sender cannot serve such a range; the packets stay lost.",
        "mend.SRT-NAK-LIST": "Write the lower sequence number of a range first.",
    ]
}
