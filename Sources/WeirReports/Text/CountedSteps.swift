import WeirEngine

/// Steps of a phase that are counted instead of shown, by kind, in order of their first frames.
struct CountedSteps {
    private struct Kind {
        var protocolName: String
        var name: String
        /// Whether these answer requests of the name.
        var isAnswer: Bool
        var count: Int
        var firstFrame: Int
    }

    /// The maximum number of kinds; further ones are counted with the last.
    private static let mostKinds = 24

    private var kinds: [Kind] = []
    /// The range of the steps' frames.
    private(set) var frames: ClosedRange<Int>?

    var isEmpty: Bool { kinds.isEmpty }

    /// Counts a step of a protocol in a frame.
    ///
    /// - Parameter isAnswer: whether the name is that of the request that it answers.
    mutating func count(_ protocolName: String, frame: Int, _ name: String, isAnswer: Bool) {
        frames = frames.map { min($0.lowerBound, frame)...max($0.upperBound, frame) } ?? frame...frame
        if let index = kinds.firstIndex(where: {
            $0.name == name && $0.isAnswer == isAnswer && $0.protocolName == protocolName
        }) {
            kinds[index].count += 1
            moveUp(index, frame)
        } else if kinds.count < Self.mostKinds {
            if kinds.isEmpty { kinds.reserveCapacity(4) }
            kinds.append(Kind(protocolName: protocolName, name: name, isAnswer: isAnswer, count: 1, firstFrame: frame))
            moveUp(kinds.count - 1, frame)
        } else {
            kinds[kinds.count - 1].count += 1
        }
    }

    /// Moves a kind before those that first appear after a frame.
    private mutating func moveUp(_ index: Int, _ frame: Int) {
        guard frame <= kinds[index].firstFrame else { return }
        kinds[index].firstFrame = frame
        var index = index
        while index > 0, kinds[index - 1].firstFrame > frame {
            kinds.swapAt(index - 1, index)
            index -= 1
        }
    }

    /// Returns the counts by protocol, such as `RTCP sender report ×2, receiver report ×3; RTP key frame ×4`.
    func text(_ catalogue: Catalogue, label: (String) -> String) -> String {
        var names: [String] = []
        for kind in kinds where !names.contains(kind.protocolName) { names.append(kind.protocolName) }
        return names.map { name in
            let counts = kinds.filter { $0.protocolName == name }.map { kind in
                catalogue.line(kind.isAnswer ? "answer to \(Wording(phrase: kind.name))" : Wording(phrase: kind.name))
                    + (kind.count > 1 ? " ×\(kind.count)" : "")
            }
            return label(name) + " " + counts.joined(separator: catalogue.comma)
        }.joined(separator: catalogue.semicolon)
    }
}
