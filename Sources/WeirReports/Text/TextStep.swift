import WeirEngine
import WeirPackets

/// The line of a step.
extension TextPage {
    /// When, in which frame, which way, which protocol, and what was said, which goes on under its beginning at `column`.
    mutating func step(_ event: Event, isForward: Bool, _ secrets: SecretPolicy, column: Int) {
        if page.showsTimeOfDay {
            part(CivilTime(event.time).precise)
        } else {
            seconds(nanoseconds: event.offset, right: 12)
        }
        number(event.frame, sign: UInt8(ascii: "#"), right: 9)
        part(isForward ? " → " : " ← ")
        protocolLabel(event.message.protocolName)
        let catalogue = catalogue
        let words = write { octets in
            catalogue.write(event.message, to: &octets)
        }
        end(from: words, aside: aside(event, secrets), column: column)
    }

    /// The protocol in its column: its name in capitals, or the short form that its words have for one that is too long.
    private mutating func protocolLabel(_ name: String) {
        let isLong = name.utf8.count >= Self.labelColumns
        let label = isLong ? catalogue.translation("protocol.\(name)") ?? name : name
        let start = write { octets in
            for octet in label.utf8 { octets.append(octet &- 0x61 < 26 ? octet & 0xDF : octet) }
        }
        spaces(max(1, Self.labelColumns - (octets.count - start)))
    }

    /// Columns of a protocol's name, with what stands behind it.
    private static let labelColumns = 6

    /// What stands at the right edge: the number that pairs request and answer, and how long the answer took.
    private func aside(_ event: Event, _ secrets: SecretPolicy) -> String {
        let pair = secrets.apply(text: event.message.pairedBy ?? "")
        guard let answers = event.answers else { return pair }
        let latency = "\(milliseconds(answers.latency)) ms"
        return pair.isEmpty ? latency : "\(latency)  \(pair)"
    }
}
