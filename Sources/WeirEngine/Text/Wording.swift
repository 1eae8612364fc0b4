/// A line composed in English that can be translated.
///
/// It stores its template and arguments: `"key frame \(number) at seq \(sequence)"` has the template `key frame {0} at
/// seq {1}` with two arguments, and other languages have a translation of that template. `+=` appends a piece with its
/// own template. Arguments are printed unchanged, unless they are wordings themselves.
public struct Wording: Sendable, Hashable {
    /// The components. Lines are assembled only when they are printed, mostly in English.
    fileprivate enum Part: Sendable, Hashable {
        /// Literal text of the template.
        case words(String)
        /// An argument.
        case value(String)
        /// The singular for the count in the preceding argument, and whether it applies.
        case one(String, fits: Bool)
        /// The plural, immediately after the singular, and whether it applies.
        case many(String, fits: Bool)
        /// The start of a nested wording, which is an argument.
        case begin
        /// The end of a nested wording or of a piece.
        case end
    }

    fileprivate var parts: [Part] = []

    /// Creates a wording that is not translated, such as a name or a peer's text.
    public init(verbatim words: String) {
        if !words.isEmpty { parts = [.value(words), .end] }
    }

    /// Creates a wording from one of a fixed set of words, such as a media type; the words are the template.
    public init(phrase words: String) {
        self.init(stringLiteral: words)
    }

    /// Creates a wording from a finished sentence; the numbers in it become arguments.
    public init(counting sentence: String) {
        var rest = Substring(sentence)
        while let first = rest.first {
            let isNumber = first.isASCII && first.isNumber
            let run = rest.prefix { ($0.isASCII && $0.isNumber) == isNumber }
            parts.append(isNumber ? .value(String(run)) : .words(String(run)))
            rest = rest.dropFirst(run.count)
        }
        if !parts.isEmpty { parts.append(.end) }
    }

    /// The line in English.
    public var english: String {
        var octets: [UInt8] = []
        write(to: &octets)
        return String(decoding: octets, as: UTF8.self)
    }

    /// Appends the line in English.
    public func write(to octets: inout [UInt8]) {
        for part in parts {
            switch part {
            case .words(let words), .value(let words): octets.append(contentsOf: words.utf8)
            case .one(let words, let fits), .many(let words, let fits):
                if fits { octets.append(contentsOf: words.utf8) }
            case .begin, .end: break
            }
        }
    }

    /// The pieces of the line: English templates with arguments.
    public var pieces: [Text] {
        var pieces: [Text] = []
        var index = 0
        while index < parts.count { pieces.append(contentsOf: readPiece(&index)) }
        return pieces
    }

    /// Reads the piece at `index` and advances the index; empty for a piece without text.
    private func readPiece(_ index: inout Int) -> [Text] {
        var template = ""
        var arguments: [Text.Argument] = []
        while index < parts.count {
            let part = parts[index]
            index += 1
            switch part {
            case .words(let words): template += words
            case .value(let words):
                template += "{\(arguments.count)}"
                arguments.append(.string(words))
            case .one(let word, _): template += "{\(arguments.count - 1)|\(word)"
            case .many(let word, _): template += "|\(word)}"
            case .begin:
                template += "{\(arguments.count)}"
                arguments.append(.text(readWording(&index)))
            case .end: return template.isEmpty ? [] : [Text(template, arguments: arguments)]
            }
        }
        return template.isEmpty ? [] : [Text(template, arguments: arguments)]
    }

    /// Reads the nested wording at `index` and advances the index past its end.
    private func readWording(_ index: inout Int) -> Text {
        var pieces: [Text] = []
        while index < parts.count, parts[index] != .end { pieces += readPiece(&index) }
        index += 1
        return Self.joined(pieces)
    }

    private static func joined(_ pieces: [Text]) -> Text {
        if pieces.count == 1, let piece = pieces.first { return piece }
        return Text(pieces.indices.map { "{\($0)}" }.joined(), arguments: pieces.map { .text($0) })
    }

    /// The line as one sentence.
    public var text: Text { Self.joined(pieces) }

    /// Whether the line is empty.
    public var isEmpty: Bool {
        !parts.contains { part in
            switch part {
            case .words(let words), .value(let words): !words.isEmpty
            case .one, .many: true
            case .begin, .end: false
            }
        }
    }

    /// Appends a wording.
    public static func += (line: inout Wording, piece: Wording) {
        line.parts += piece.parts
    }

    /// Concatenates two wordings.
    public static func + (first: Wording, second: Wording) -> Wording {
        var line = first
        line += second
        return line
    }
}

extension Wording: ExpressibleByStringInterpolation {
    /// Creates a wording without arguments.
    public init(stringLiteral words: String) {
        if !words.isEmpty { parts = [.words(words), .end] }
    }

    /// Creates a wording from an interpolated string.
    public init(stringInterpolation: Interpolation) {
        parts = stringInterpolation.parts
        if !parts.isEmpty { parts.append(.end) }
    }

    /// Collects the literals and arguments of an interpolated string.
    public struct Interpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        /// Reserves capacity.
        public init(literalCapacity: Int, interpolationCount: Int) {
            parts.reserveCapacity(2 * interpolationCount + 2)
        }

        /// Appends literal text of the template.
        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.words(literal)) }
        }

        /// Appends an argument, printed unchanged.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            parts.append(.value(value.description))
        }

        /// Appends a string argument, printed unchanged.
        public mutating func appendInterpolation(_ words: String) {
            parts.append(.value(words))
        }

        /// Appends a nested wording.
        public mutating func appendInterpolation(_ wording: Wording) {
            parts.append(.begin)
            parts += wording.parts
            parts.append(.end)
        }

        /// Appends a count with its singular or plural noun.
        public mutating func appendInterpolation(_ count: some BinaryInteger, _ one: String, _ many: String) {
            fill("\(count)", count == 1, one, many)
        }

        /// Appends a count with grouped thousands and its singular or plural noun.
        public mutating func appendInterpolation(grouped count: some BinaryInteger, _ one: String, _ many: String) {
            fill(grouped(count), count == 1, one, many)
        }

        private mutating func fill(_ number: String, _ isOne: Bool, _ one: String, _ many: String) {
            parts += [.value(number), .words(" "), .one(one, fits: isOne), .many(many, fits: !isOne)]
        }
    }
}

extension [Wording] {
    /// Returns the concatenation of the wordings, with a separator.
    public func joined(separator: Wording) -> Wording {
        var line = Wording(stringLiteral: "")
        line.parts.reserveCapacity(reduce(0) { $0 + $1.parts.count + separator.parts.count })
        for (index, element) in enumerated() {
            if index > 0 { line += separator }
            line += element
        }
        return line
    }
}
