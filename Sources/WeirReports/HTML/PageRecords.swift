import WeirEngine

/// Writes the records that the page's script reads: those of the JSON report, one in a line, with their texts in the
/// other language as `other` where they differ.
struct PageRecords {
    private let main: JSONRecords
    private let other: JSONRecords
    private let words: PageWords

    init(_ options: ReportOptions, _ words: PageWords) {
        self.words = words
        main = JSONRecords(options)
        var second = options
        second.language = words.languages.other
        other = JSONRecords(second)
    }

    func capture(_ capture: CaptureRecord) -> [UInt8] { line("capture") { main.capture(capture, &$0) } }

    func event(_ event: Event, _ findings: [Finding], summary: PageText) -> [UInt8] {
        line("event") { json in
            main.event(event, findings, &json)
            let note = main.options.explanations == .never ? nil : event.note ?? event.message.note
            let notes = note.map { PageText(main.catalogue.note($0) ?? "", other.catalogue.note($0) ?? "") }
            let remarks = event.remarks.map { PageText(main.catalogue.remark($0), other.catalogue.remark($0)) }
            let hasOther = summary.other != nil || notes?.other != nil || remarks.contains { $0.other != nil }
            guard hasOther else { return }
            json.key("other")
            json.beginObject()
            json.member("summary", summary.other)
            json.member("note", notes?.other)
            if remarks.contains(where: { $0.other != nil }) {
                json.key("remarks")
                json.value(.array(remarks.map { .string($0.other ?? $0.main) }), main.options.secrets)
            }
            json.endObject()
        }
    }

    func finding(_ finding: Finding) -> [UInt8] {
        line("finding") { json in
            main.finding(finding, &json)
            let mend = words.aboutFindings { $0.mend(finding) ?? "" }
            if !mend.main.isEmpty { json.member("mend", mend.main) }
            json.key("other")
            json.beginObject()
            json.member("message", other.catalogue.sentence(finding.message))
            json.member("expected", finding.expected.map { other.catalogue.words($0) })
            json.member("actual", finding.actual.map { other.catalogue.words($0) })
            if let other = mend.other { json.member("mend", other) }
            json.endObject()
        }
    }

    func flow(_ flow: FlowRecord) -> [UInt8] { line("flow") { main.flow(flow, &$0) } }

    func stream(_ stream: StreamRecord) -> [UInt8] { line("stream") { main.stream(stream, &$0) } }

    func session(_ session: SessionRecord, attempts: Int?) -> [UInt8] {
        line("session") { main.session(session, attempts: attempts, &$0) }
    }

    func summary(_ summary: SummaryRecord, _ findings: FindingCounts) -> [UInt8] {
        line("summary") { main.summary(summary, findings, &$0) }
    }

    private func line(_ name: String, _ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("record")
        json.string(name)
        members(&json)
        json.endObject()
        json.newline()
        return HTMLWriter.embedded(json.octets)
    }
}

extension JSONWriter {
    /// Writes a member unless its text is nil.
    fileprivate mutating func member(_ name: String, _ text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }
}
