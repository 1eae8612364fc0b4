package import WeirEngine
import WeirPackets

extension RTPStreamDetails {
    /// The members of the record, and what profiles ask beyond them: what parameter sets and descriptions tell.
    package var facts: [Field] {
        var facts = fields(.masked)
        guard let format = stream.mainFormat else { return facts }
        if format.isRepair { facts.add("isRepair", true) }
        facts.add("codec", Self.codec(format.encoding))
        facts.add("firstKeyframeSeconds", stream.keyframes.first?.seconds(since: stream.startTime))
        if format.mediaType == "audio" { facts.add("sampleRate", sampleRate(format)) }
        return facts
    }

    /// The usual name of a codec that payload formats call otherwise (RFC 3640 §4.1, RFC 6416 §7.3).
    private static func codec(_ encoding: String) -> String? {
        switch encoding.uppercased() {
        case "MPEG4-GENERIC", "MP4A-LATM": "AAC"
        case "PCMU", "PCMA", "OPUS", "H264", "H265", "VP8", "VP9", "AV1": encoding.uppercased()
        default: nil
        }
    }

    /// Samples a second, where the clock tells them: that of G.722 counts half of them, that of MPEG audio none
    /// (RFC 3551 §4.5.2, RFC 2250 §3).
    private func sampleRate(_ format: MediaFormat) -> Int? {
        switch format.encoding.uppercased() {
        case "G722": 16_000
        case "MPA", "MPA-ROBUST": nil
        default: format.clockRate
        }
    }
}
