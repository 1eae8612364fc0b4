import WeirEngine
import WeirPackets

/// Splits a serialized record at its numbers.
struct RecordCutter {
    private let line: [UInt8]
    private var position = 0
    private(set) var text = NumberedOctets()

    init(_ line: [UInt8]) {
        self.line = line
    }

    /// Splits the record, in the order of `RecordTemplate.put`; returns false if a number is not at its expected
    /// position.
    mutating func cut(_ event: Event, _ outline: RecordOutline) -> Bool {
        guard pass(",\"summary\":\"".utf8) else { return false }
        for number in outline.numbers {
            guard let words = number.words else { continue }
            guard take(number.value, number.style.inSummary, behind: words.description.utf8) else { return false }
        }
        if let session = event.session, !take(session, .decimal, behind: ",\"session\":".utf8) { return false }
        if let stream = event.stream, !take(stream, .decimal, behind: ",\"stream\":".utf8) { return false }
        for number in outline.numbers {
            guard let field = number.field else { continue }
            let label = "\"\(field)\":" + (number.style == .identifier ? "\"" : "")
            guard take(number.value, number.style.inFields, behind: label.utf8) else { return false }
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
    private mutating func take(_ number: Int, _ form: NumberedOctets.Form, behind label: String.UTF8View) -> Bool {
        let label = Array(label)
        var digits: [UInt8] = []
        digits.append(number, form)
        var start = position
        while let end = end(of: label, from: start) {
            if line[end...].starts(with: digits), !isDigit(at: end + digits.count) {
                text.append(line[position..<end])
                text.append(number, form)
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
