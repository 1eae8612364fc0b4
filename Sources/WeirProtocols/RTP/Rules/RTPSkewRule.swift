import WeirEngine
import WeirPackets

/// RTP-SKEW: the clocks of sound and pictures run alike (RFC 3550 §5.1): else the two drift apart while they play.
///
/// Both slopes over the capture's time tell by how much, and which of the two is farther from its clock rate; what the
/// uncertainty of the slopes explains is no fault. More than 45 milliseconds over the stretch that both were measured is
/// what viewers begin to see.
struct RTPSkew: Rule {
    static let info = RuleInfo(
        "RTP-SKEW", .warning, .profile, reference: "RFC 3550 §5.1",
        check: "Sound and pictures of a session do not drift apart by more than 45 ms.",
        example: "video 1.6 % fast, audio on time: 80 ms apart after 5 s", limits: [longest])
    static let observes: [String] = []

    private static let longest = RuleLimit("RTP-SKEW.longest", 45, "ms")
    private static let shortest = 4.5

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
        // The one that is off is so all the time: a step of its timestamps, or a burst, is no drift.
        let isVideo = (pictures.slope.rate - 1).magnitude > (sound.slope.rate - 1).magnitude
        let off = isVideo ? pictures.slope : sound.slope
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
