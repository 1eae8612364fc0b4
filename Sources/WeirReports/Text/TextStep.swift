import WeirEngine
import WeirPackets

/// The line of a step.
extension TextPage {
    /// When, in which frame, which way and which protocol: what stands before the text of a step.
    mutating func head(_ place: TimelineLine.Place, arrow: String) {
        if page.showsTimeOfDay {
            part(CivilTime(place.time).precise)
        } else {
            seconds(nanoseconds: place.offset, right: Self.timeColumns)
        }
        number(place.frame, sign: UInt8(ascii: "#"), right: Self.frameColumns)
        part(" \(arrow) ")
        let label = protocolLabel(place.protocolName)
        part(label)
        spaces(max(1, Self.labelColumns - TextLayout.width(label)))
    }

    /// Columns before the text of a step.
    var textColumn: Int {
        (page.showsTimeOfDay ? Self.timeOfDayColumns : Self.timeColumns) + Self.frameColumns + 3 + Self.labelColumns
    }

    /// Columns of seconds, of a date with its time of day, and of a frame number with what separates it.
    private static let (timeColumns, timeOfDayColumns, frameColumns) = (11, 26, 7)
    /// Columns of a protocol's name, with what stands behind it.
    private static let labelColumns = 6

    /// A protocol's name in capitals, or the short form that its words have for one that is too long.
    func protocolLabel(_ name: String) -> String {
        let isLong = name.utf8.count >= Self.labelColumns
        return (isLong ? catalogue.translation("protocol.\(name)") ?? name : name).uppercased()
    }

    /// What stands at the right edge: the number that pairs request and answer, and how long the answer took.
    func aside(_ event: Event, _ secrets: SecretPolicy) -> String {
        let pair = secrets.apply(text: event.message.pairedBy ?? "")
        guard let answers = event.answers else { return pair }
        let latency = "\(milliseconds(answers.latency)) ms"
        return pair.isEmpty ? latency : "\(latency)  \(pair)"
    }
}
