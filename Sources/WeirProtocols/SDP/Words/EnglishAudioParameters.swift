extension SDPWords {
    /// Findings of the rules for audio parameters.
    static let englishAudio: [String: String] = [
        "rule.AAC-CONFIG": "config matches rtpmap, and the mode's size lengths are present.",
        "AAC-CONFIG.clock":
            "Media section {0} ({1}), payload type {2}: config has {3} Hz, unlike the clock rate of rtpmap.",
        "AAC-CONFIG.stream":
            "config has {0} Hz, rtpmap {1}: access units of 1024 samples at {1} Hz are not those of config.",
        "AAC-CONFIG.channels": "Media section {0} ({1}), payload type {2}: config has {3} channels, unlike rtpmap.",
        "AAC-CONFIG.sizes": "Media section {0} ({1}), payload type {2}: the mode requires {3}.",
        "rule.OPUS-CLOCK": "Opus is always opus/48000/2.",
        "OPUS-CLOCK.other":
            "Media section {0} ({1}), payload type {2}: Opus requires the clock rate 48000 and two channels.",
        "mend.AAC-CONFIG":
            "Announce the clock rate and channels of the AudioSpecificConfig, and the mode's sizeLength, indexLength "
            + "and indexDeltaLength.",
        "why.AAC-CONFIG": "Audio plays at the wrong speed, or access units cannot be separated.",
        "mend.OPUS-CLOCK": "Write a=rtpmap:… opus/48000/2, whatever the audio has.",
        "why.OPUS-CLOCK": "Peers reject the payload type, or play at the wrong speed.",
    ]
}
