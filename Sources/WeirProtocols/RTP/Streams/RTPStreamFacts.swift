package import WeirEngine
import WeirPackets

extension RTPStreamDetails {
    /// The members of the record, and further values for profiles, from parameter sets and descriptions.
    package var facts: [Field] {
        var facts = fields(.masked)
        guard let format = stream.mainFormat else { return facts }
        if format.isRepair { facts.add("isRepair", true) }
        facts.add("codec", Self.codec(format.encoding))
        facts.add("firstKeyframeSeconds", stream.keyframes.first?.seconds(since: stream.startTime))
        if format.mediaType == "audio" { facts.add("sampleRate", sampleRate(format)) }
        return facts
    }

    /// Returns the usual codec name where payload formats use another one (RFC 3640 §4.1, RFC 6416 §7.3).
    private static func codec(_ encoding: String) -> String? {
        switch encoding.uppercased() {
        case "MPEG4-GENERIC", "MP4A-LATM": "AAC"
        case "PCMU", "PCMA", "OPUS", "H264", "H265", "VP8", "VP9", "AV1": encoding.uppercased()
        default: nil
        }
    }

    /// Returns the sample rate, if it follows from the clock rate: G.722 counts half the samples, MPEG audio none (RFC
    /// 3551 §4.5.2, RFC 2250 §3).
    private func sampleRate(_ format: MediaFormat) -> Int? {
        switch format.encoding.uppercased() {
        case "G722": 16_000
        case "MPA", "MPA-ROBUST": nil
        default: format.clockRate
        }
    }
}
