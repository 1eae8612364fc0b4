import WeirEngine
import WeirPackets

/// The head of a session: outcome, causes, peers, members, streams and candidate pairs.
struct SessionSection {
    /// The members that the head shows otherwise.
    private static let shownElsewhere: Set<String> = [
        "candidatePairs", "candidates", "selectedPair", "media", "bundles", "clientPeer", "serverPeer", "causes",
    ]
    /// The maximum number of frames named for a cause.
    private static let mostFrames = 8

    /// The maximum number of frames of a cause that are described.
    private static let mostEvidence = 3

    private let session: PageCapture.Ended
    private let steps: [PageStep]
    private let streams: [StreamRecord]
    private let words: PageWords
    private let scale: TimeScale
    private let id: String

    init(
        _ session: PageCapture.Ended, _ steps: [PageStep], _ streams: [StreamRecord], _ words: PageWords,
        _ scale: TimeScale, capture: String
    ) {
        self.session = session
        self.steps = steps
        self.streams = streams
        self.words = words
        self.scale = scale
        id = capture
    }

    func write(isOpen: Bool, _ page: inout HTMLWriter, _ content: (inout HTMLWriter) -> Void) {
        let record = session.record
        let number = String(record.id)
        let look =
            session.counts.errors > 0 || record.attempt != nil
            ? "error" : session.counts.warnings > 0 ? "warning" : "well"
        page.open(
            "details",
            isOpen
                ? ["class": "session", "id": "\(id)s\(number)", "data-session": number, "open": ""]
                : ["class": "session", "id": "\(id)s\(number)", "data-session": number])
        page.element("summary", ["class": look]) { page in
            page.element("h3") { page in
                page.leaf("span", ["class": "number"], words.label("session", .integer(record.id)))
                page.leaf("span", ["class": "kind"], record.kind.uppercased())
                page.leaf("span", ["class": "mono title"], record.reference.title(words.secrets))
            }
            page.leaf("span", ["class": "outcome"], session.outcome)
        }
        page.markup("\n")
        causes(record, &page)
        page.element("div", ["class": "pair"]) { page in
            facts(record, &page)
            PageTables(words, scale, id: id).streams(streams, record.reference, &page)
        }
        PairTable(words, id: id).write(record.facts(words.secrets), &page)
        content(&page)
        page.close("details")
        page.markup("\n")
    }

    /// Writes the causes as a tree: by how certain they are, and below each the messages that show it.
    private func causes(_ record: SessionRecord, _ page: inout HTMLWriter) {
        guard !record.causes.isEmpty else { return }
        page.element("ul", ["class": "causes"]) { page in
            for verdict in [Cause.Verdict.proved, .likely, .ruledOut] {
                let causes = record.causes.filter { $0.verdict == verdict }
                guard !causes.isEmpty else { continue }
                page.element("li", ["class": verdict.rawValue]) { page in
                    page.leaf("span", ["class": "chip"], words.label("cause.\(verdict.rawValue)"))
                    page.element("ul") { page in
                        for cause in causes { self.cause(cause, &page) }
                    }
                }
            }
        }
    }

    private func cause(_ cause: Cause, _ page: inout HTMLWriter) {
        page.element("li") { page in
            page.leaf("span", [:], words.sentence(cause.text))
            guard !cause.frames.isEmpty else { return }
            page.element("ul") { page in
                for frame in cause.frames.prefix(Self.mostEvidence) {
                    page.element("li") { page in
                        link(frame, &page)
                        // The last step of a frame is the innermost message.
                        if let step = steps.last(where: { $0.frame == frame && $0.event != nil }) {
                            page.leaf("span", [:], step.text)
                        }
                    }
                }
                let others = cause.frames.dropFirst(Self.mostEvidence).prefix(Self.mostFrames - Self.mostEvidence)
                guard !others.isEmpty else { return }
                page.element("li") { page in
                    for frame in others { link(frame, &page) }
                }
            }
        }
    }

    private func link(_ frame: Int, _ page: inout HTMLWriter) {
        page.leaf(
            "a", ["class": "frame", "href": "#\(id)s\(session.record.id)", "data-frame": "\(frame)"], "#\(frame)")
    }

    /// What is known of the hosts of the session.
    var ends: LadderLanes.Ends {
        let facts = session.record.facts(words.secrets)
        func tool(_ peer: String, _ header: String) -> String? {
            if case .object(let members)? = MemberText.value(peer, in: facts),
                case .string(let name)? = MemberText.value("name", in: members)
            {
                return name
            }
            if case .string(let name)? = MemberText.value(header, in: facts) { return name }
            return nil
        }
        var ends = LadderLanes.Ends(
            client: session.record.reference.client, server: session.record.reference.server,
            tools: (tool("clientPeer", "userAgent"), tool("serverPeer", "server")))
        // Where peers look for a path to each other, hosts beside client, server and relay are peers.
        ends.isCall = MemberText.value("candidatePairs", in: facts) != nil
        if case .array(let allocations)? = MemberText.value("allocations", in: facts) {
            for case .object(let allocation) in allocations {
                if case .object(let server)? = MemberText.value("server", in: allocation),
                    case .string(let address)? = MemberText.value("address", in: server)
                {
                    ends.relays.insert(address)
                }
            }
        }
        return ends
    }

    private func facts(_ record: SessionRecord, _ page: inout HTMLWriter) {
        page.element("dl", ["class": "facts"]) { page in
            if !record.peers.isEmpty {
                page.element("div") { page in
                    page.leaf("dt", [:], words.label("peers"))
                    page.element("dd") { page in
                        for peer in record.peers { page.leaf("div", [:], words.sentence(peer)) }
                    }
                }
            }
            if let decryption = record.decryption {
                page.element("div") { page in
                    page.leaf("dt", [:], words.label("decryption"))
                    page.leaf("dd", [:], words.sentence(decryption))
                }
            }
            for field in record.facts(words.secrets) where !Self.shownElsewhere.contains(field.name) {
                guard let text = MemberText.line(field.value) else { continue }
                page.element("div") { page in
                    page.leaf("dt", [:], words.fact(field.name))
                    page.leaf("dd", [:], words.secrets.apply(text: text))
                }
            }
        }
    }
}
