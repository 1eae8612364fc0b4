extension SDPWords {
    /// What the rules about parameters of sound say.
    static let englishAudio: [String: String] = [
        "rule.AAC-CONFIG": "config agrees with rtpmap, and the mode's size lengths are there.",
        "AAC-CONFIG.clock": "Medium {0} ({1}), payload type {2}: config has {3} Hz, rtpmap another clock rate.",
        "AAC-CONFIG.channels": "Medium {0} ({1}), payload type {2}: config has {3} channels, rtpmap another number.",
        "AAC-CONFIG.sizes": "Medium {0} ({1}), payload type {2}: the mode needs {3}.",
        "rule.OPUS-CLOCK": "Opus is opus/48000/2.",
        "OPUS-CLOCK.other": "Medium {0} ({1}), payload type {2}: Opus has the clock rate 48000 and two channels.",
        "mend.AAC-CONFIG":
            "Announce the clock rate and channels of the AudioSpecificConfig, and sizeLength, indexLength and "
            + "indexDeltaLength of the mode.",
        "why.AAC-CONFIG": "Sound plays too fast or too slow, or access units cannot be told apart.",
        "mend.OPUS-CLOCK": "Write a=rtpmap:… opus/48000/2, whatever the signal is.",
        "why.OPUS-CLOCK": "Peers refuse the payload type, or play at a wrong speed.",
    ]
}
