import WeirEngine
import WeirPackets

/// Graphs of what receivers report, and of what the sides of a session announce.
extension StreamGraphs {
    /// Returns what receivers report about a stream.
    func reported(_ stream: StreamRecord, _ fields: [Field]) -> [Graph] {
        guard case .string(let source)? = MemberText.value("ssrc", in: fields) else { return [] }
        let keys = capture.curves.points.keys.filter { $0.subject == source && $0.session == stream.session }
        return Self.ordered(keys).compactMap { key in
            guard let points = capture.curves.points[key], points.contains(where: { $0.value != 0 }) else { return nil }
            // The fraction is in 1/256 (RFC 3550 §6.4.1).
            let isShare = key.measure == "fractionLost"
            return Graph(
                title: words.name(key.measure), unit: isShare ? "%" : "ms", look: .points,
                tone: isShare ? "bad" : "plain",
                values: points.map { point in
                    let position = scale.position(point.offset)
                    return Graph.Value(from: position, to: position, value: point.value * (isShare ? 100.0 / 256 : 1))
                })
        }
    }

    /// Returns how long responses took, the sizes and windows that the sides of a session announce, and the octets that
    /// they confirm.
    func announced(_ session: Int) -> [Graph] {
        let keys = capture.curves.points.keys.filter {
            $0.session == session && !PageCurves.reported.contains($0.measure)
        }
        return Self.ordered(keys).compactMap { key in
            guard let points = capture.curves.points[key] else { return nil }
            return switch key.measure {
            case PageCurves.latency: responses(key, points)
            case PageCurves.resent, PageCurves.noRoom: delays(key, points)
            default: held(key, points)
            }
        }
    }

    /// Returns the times of responses, if there are enough for a picture.
    private func responses(_ key: PageCurves.Key, _ points: [PageCurves.Point]) -> Graph? {
        guard points.count > 2 else { return nil }
        let values = points.map { point in
            Graph.Value(from: scale.position(point.offset), to: scale.position(point.offset), value: point.value)
        }
        let name = words.both { $0.protocolLabel(key.subject) }
        return Graph(
            title: words.name(key.measure) + PageText(" (") + name + PageText(")"), unit: "ms", look: .points,
            values: values)
    }

    /// Returns delays by TCP: of which side, and how long.
    private func delays(_ key: PageCurves.Key, _ points: [PageCurves.Point]) -> Graph {
        let values = points.map { point in
            Graph.Value(from: scale.position(point.offset), to: scale.position(point.offset), value: point.value)
        }
        let side = words.page(key.isForward ? "byClient" : "byServer")
        return Graph(
            title: words.name(key.measure) + PageText(" (") + side + PageText(")"), unit: "ms", look: .points,
            tone: "bad", values: values)
    }

    /// Returns values that hold until the next.
    private func held(_ key: PageCurves.Key, _ points: [PageCurves.Point]) -> Graph {
        let ends = points.dropFirst().map { scale.position($0.offset) } + [Double(scale.milliseconds)]
        let values = zip(points, ends).map { point, end in
            Graph.Value(from: scale.position(point.offset), to: end, value: point.value)
        }
        let side = words.page(key.isForward ? "byClient" : "byServer")
        return Graph(
            title: words.name(key.subject) + PageText(" (") + side + PageText(")"), unit: "", look: .steps,
            values: values)
    }

    private static func ordered(_ keys: [PageCurves.Key]) -> [PageCurves.Key] {
        keys.sorted {
            ($0.measure, $0.subject, $0.isForward ? 0 : 1) < ($1.measure, $1.subject, $1.isForward ? 0 : 1)
        }
    }
}
