import WeirEngine
import WeirPackets

// The totals of the capture, and its limitations.

extension TextPage {
    /// Returns packets, time, flows and sessions in a line; `shown` is the number of printed steps.
    func totals(_ summary: SummaryRecord, flows: Int, sessions: Int, shown: Int, _ findings: FindingCounts) -> String {
        var parts = [extent(summary)]
        parts.append(count("flows", flows) + catalogue.comma + count("sessions", sessions))
        // Encrypted flows have a line of their own: they may carry anything.
        if shown == 0, summary.events > 0 || summary.encryptedFlows == 0 {
            parts.append(label(summary.events == 0 ? "nothing" : "notSelected"))
        }
        if let words = tally(findings) { parts.append(words) }
        return parts.joined(separator: catalogue.semicolon)
    }

    /// Returns the number of packets, their duration, and the start time.
    func extent(_ summary: SummaryRecord) -> String {
        let packets = summary.packets == 1 ? "packets.one" : "packets"
        var words = label(packets, .string(TextLayout.grouped(summary.packets)))
        if let start = summary.startTime, let end = summary.endTime {
            let seconds = max(0, end.seconds(since: start))
            if seconds >= 0.95 {
                words += " " + label("duration", .decimal(seconds, places: 1))
            } else if seconds > 0 {
                words += " " + label("duration.short", .decimal(seconds * 1_000, places: 0))
            }
            words += catalogue.comma + label("from", .string(CivilTime(start).readable))
        }
        return words
    }

    /// Returns the limitations of the capture, in a line each.
    func caveats(_ summary: SummaryRecord) -> [String] {
        var texts: [String] = []
        for (key, count) in [
            ("encrypted", summary.encryptedFlows), ("truncated", summary.truncatedPackets),
            ("undecoded", summary.undecodedPackets),
            ("checksums", summary.checksumErrors), ("captureDuplicates", summary.captureDuplicates),
            ("dropped", summary.droppedPackets ?? 0),
        ] where count > 0 {
            texts.append(label(count == 1 ? "\(key).one" : key, .string(TextLayout.grouped(count))))
            if key == "undecoded" { texts += summary.undecoded.map { describe($0) } }
        }
        if let first = summary.firstWrongTime {
            let key = summary.wrongTimes == 1 ? "wrongTimes.one" : "wrongTimes"
            texts.append(label(key, .string(TextLayout.grouped(summary.wrongTimes)), .integer(first)))
        }
        if let first = summary.firstStepBack {
            let key = summary.stepsBack == 1 ? "timesBack.one" : "timesBack"
            texts.append(label(key, .string(TextLayout.grouped(summary.stepsBack)), .integer(first)))
        }
        texts += summary.limitsReached.map { catalogue.sentence($0) }
        if let damage = summary.damage { texts.append(describe(damage)) }
        return texts
    }

    /// Returns a count with its noun in singular or plural.
    func count(_ key: String, _ number: Int) -> String {
        label(number == 1 ? "\(key).one" : key, .integer(number))
    }

    /// Returns why packets of a layer could not be decoded, and the first of them.
    func describe(_ undecoded: UndecodedPackets) -> String {
        let place = label("undecoded.place", .integer(undecoded.frame), .integer(undecoded.offset))
        let fault =
            undecoded.octets.map { label("undecoded.octets", .integer($0.needed), .integer($0.available)) }
            ?? undecoded.fault.map { catalogue.line(Wording(counting: $0)) } ?? ""
        let key = "undecoded.\(undecoded.reason.rawValue)" + (undecoded.packets == 1 ? ".one" : "")
        let packets = TextLayout.grouped(undecoded.packets)
        return label(key, .string(undecoded.layer), .string(packets), .string(place), .string(fault))
    }

    /// Returns where and why reading stopped.
    func describe(_ damage: Damage) -> String {
        let place =
            damage.offset.map { label("damageAt", .integer(damage.frame), .integer($0)) }
            ?? label("damageFrame", .integer(damage.frame))
        return label("damage", .string(place), .string(catalogue.line(Wording(counting: damage.reason))))
    }
}
