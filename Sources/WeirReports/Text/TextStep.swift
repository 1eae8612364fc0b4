import WeirEngine
import WeirPackets

/// The line of a step.
extension TextPage {
    /// When, in which frame, which way, which protocol, and what was said, which goes on under its beginning at `column`.
    mutating func step(_ event: Event, _ secrets: SecretPolicy, column: Int) {
        if page.showsTimeOfDay {
            part(CivilTime(event.time).precise)
        } else {
            seconds(nanoseconds: event.offset, right: 12)
        }
        number(event.frame, sign: UInt8(ascii: "#"), right: 9)
        part(event.direction == .clientToServer ? " → " : " ← ")
        let start = write { octets in
            for octet in event.message.protocolName.utf8 { octets.append(octet &- 0x61 < 26 ? octet & 0xDF : octet) }
        }
        spaces(max(1, 6 - (octets.count - start)))
        let catalogue = catalogue
        let words = write { octets in
            catalogue.write(event.message, to: &octets)
        }
        end(from: words, aside: aside(event, secrets), column: column)
    }

    /// What stands at the right edge: the number that pairs request and answer, and how long the answer took.
    private func aside(_ event: Event, _ secrets: SecretPolicy) -> String {
        let pair = secrets.apply(text: event.message.pairedBy ?? "")
        guard let answers = event.answers else { return pair }
        let latency = "\(milliseconds(answers.latency)) ms"
        return pair.isEmpty ? latency : "\(latency)  \(pair)"
    }
}
