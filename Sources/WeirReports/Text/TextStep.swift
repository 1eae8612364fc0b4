import WeirEngine
import WeirPackets

/// The line of a step.
extension TextPage {
    /// Writes time, frame, direction and protocol, before the text of a step.
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

    /// The column of the text of a step.
    var textColumn: Int {
        (page.showsTimeOfDay ? Self.timeOfDayColumns : Self.timeColumns) + Self.frameColumns + 3 + Self.labelColumns
    }

    /// The widths of seconds, of a date with time, and of a frame number with its separator.
    private static let (timeColumns, timeOfDayColumns, frameColumns) = (11, 26, 7)
    /// The width of a protocol's name with its separator.
    private static let labelColumns = 6

    /// Returns a protocol's name in uppercase, or its abbreviation in the catalogue if it is too long.
    func protocolLabel(_ name: String) -> String {
        let isLong = name.utf8.count >= Self.labelColumns
        return (isLong ? catalogue.translation("protocol.\(name)") ?? name : name).uppercased()
    }

    /// Returns the text at the right edge: the number that matches request and response, and the response time.
    func aside(_ event: Event, _ secrets: SecretPolicy) -> String {
        let pair = secrets.apply(text: event.message.pairedBy ?? "")
        guard let answers = event.answers else { return pair }
        let latency = "\(milliseconds(answers.latency)) ms"
        return pair.isEmpty ? latency : "\(latency)  \(pair)"
    }
}
