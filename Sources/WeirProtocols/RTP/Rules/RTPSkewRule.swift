import WeirEngine
import WeirPackets

/// RTP-SKEW: audio and video clocks run at the same speed (RFC 3550 §5.1); otherwise the two drift apart during
/// playback.
///
/// The slopes of both against capture time give the drift, and which clock is further from its rate; differences within
/// the uncertainty of the slopes are ignored. A drift above 45 milliseconds over the common interval is noticeable.
struct RTPSkew: Rule {
    static let info = RuleInfo(
        "RTP-SKEW", .warning, .profile, reference: "RFC 3550 §5.1",
        check: "Audio and video of a session do not drift apart by more than 45 ms.",
        example: "video 1.6 % fast, audio on time: 80 ms apart after 5 s", limits: [longest])
    static let observes: [String] = []

    private static let longest = RuleLimit("RTP-SKEW.longest", 45, "ms")
    private static let shortest = 4.5
    /// The deviation from which on a clock has another rate instead of drifting, which RTP-TS-RATE reports.
    private static let otherRate = 0.05

    private struct Track {
        var slope: ClockSlope.Estimate
        var frame: Int
        var time: Timestamp
    }

    private var sound: Track?
    private var pictures: Track?

    mutating func observe(_ stream: StreamRecord, session: Session?, _ judgement: inout Judgement) {
        guard session != nil, let media = stream.media,
            let slope = media.slope.estimate, slope.seconds >= Self.shortest, media.mainFormat?.isRepair != true
        else { return }
        let track = Track(slope: slope, frame: media.firstFrame, time: media.startTime)
        switch stream.mediaType {
        case "audio": sound = sound ?? track
        case "video": pictures = pictures ?? track
        default: break
        }
    }

    mutating func finish(_ session: Session, _ judgement: inout Judgement) {
        guard let sound, let pictures else { return }
        let seconds = min(sound.slope.seconds, pictures.slope.seconds)
        let apart = (pictures.slope.rate - sound.slope.rate) * seconds * 1_000
        let variance =
            sound.slope.uncertainty * sound.slope.uncertainty
            + pictures.slope.uncertainty * pictures.slope.uncertainty
        let uncertainty = variance.squareRoot() * seconds * 1_000
        // The drifting clock is off throughout: a timestamp step or a burst is not drift.
        let isVideo = (pictures.slope.rate - 1).magnitude > (sound.slope.rate - 1).magnitude
        let off = isVideo ? pictures.slope : sound.slope
        guard (off.rate - 1).magnitude < Self.otherRate else {
            judgement.notApplicable()
            return
        }
        guard apart.magnitude > judgement.limit(Self.longest), apart.magnitude > 4 * uncertainty,
            off.isOff(by: (off.rate - 1).magnitude / 4)
        else {
            judgement.pass()
            return
        }
        judgement.fail(
            Text(
                isVideo ? "RTP-SKEW.video" : "RTP-SKEW.audio", .decimal(apart.magnitude, places: 0),
                .decimal(seconds, places: 1), .decimal(uncertainty, places: 1),
                .decimal(((isVideo ? pictures : sound).slope.rate - 1) * 100, places: 2)),
            frame: isVideo ? pictures.frame : sound.frame, time: isVideo ? pictures.time : sound.time)
    }
}
