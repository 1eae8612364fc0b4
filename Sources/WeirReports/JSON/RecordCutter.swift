import WeirEngine
import WeirPackets

/// Splits a serialized record at its numbers.
struct RecordCutter {
    /// The indices of the identifiers of session and stream.
    static let session = -1
    static let stream = -2

    private let line: [UInt8]
    private var position = 0
    private(set) var text = NumberedOctets()
    /// For each number, its index in the outline, or that of an identifier of the event.
    private(set) var sources: [Int] = []

    init(_ line: [UInt8]) {
        self.line = line
    }

    /// Splits the record: the summary, session and stream, the fields. Returns false if a number is not at its expected
    /// position.
    mutating func cut(_ event: borrowing RoutineEvent, _ outline: borrowing RecordOutline) -> Bool {
        guard pass(",\"summary\":\"".utf8) else { return false }
        for (index, label) in outline.labels.enumerated() {
            guard let words = label.words?.description else { continue }
            guard take(index, outline.numbers[index], label.style.inSummary, behind: words) else { return false }
        }
        if let session = event.session, !take(Self.session, session, .decimal, behind: ",\"session\":") {
            return false
        }
        if let stream = event.stream, !take(Self.stream, stream, .decimal, behind: ",\"stream\":") {
            return false
        }
        for (index, label) in outline.labels.enumerated() {
            guard let field = label.field else { continue }
            let words = "\"\(field)\":" + (label.style == .identifier ? "\"" : "")
            guard take(index, outline.numbers[index], label.style.inFields, behind: words) else { return false }
        }
        text.append(line[position...])
        return true
    }

    /// Consumes everything up to the end of the next `label`.
    private mutating func pass(_ label: String.UTF8View) -> Bool {
        guard let end = end(of: Array(label), from: position) else { return false }
        text.append(line[position..<end])
        position = end
        return true
    }

    /// Consumes everything up to the number after the next `label` that has one, and the number.
    private mutating func take(_ source: Int, _ number: Int, _ form: NumberedOctets.Form, behind label: String) -> Bool
    {
        let label = Array(label.utf8)
        var digits: [UInt8] = []
        digits.append(number, form)
        var start = position
        while let end = end(of: label, from: start) {
            if line[end...].starts(with: digits), !isDigit(at: end + digits.count) {
                text.append(line[position..<end])
                text.append(number, form)
                sources.append(source)
                position = end + digits.count
                return true
            }
            start = max(end, start + 1)
        }
        return false
    }

    private func isDigit(at index: Int) -> Bool {
        index < line.count && ASCII.isDigit(line[index])
    }

    private func end(of label: [UInt8], from start: Int) -> Int? {
        var index = start
        while index + label.count <= line.count {
            let end = index + label.count
            if label.isEmpty || line[index] == label[0], line[index..<end].elementsEqual(label) { return end }
            index += 1
        }
        return nil
    }
}

extension RecordOutline.Style {
    fileprivate var inSummary: NumberedOctets.Form {
        switch self {
        case .decimal: .decimal
        case .grouped: .grouped
        case .identifier: .identifier
        }
    }

    /// The format of the number in `fields`: without separators.
    fileprivate var inFields: NumberedOctets.Form { self == .identifier ? .identifier : .decimal }
}
