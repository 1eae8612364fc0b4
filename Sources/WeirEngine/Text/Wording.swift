/// A line that was put together in English, and that can be put into another language.
///
/// It remembers what it was made of: `"key frame \(number) at seq \(sequence)"` is the template `key frame {0} at seq {1}`
/// with two arguments, which a language other than English has under that template. What is added with `+=` is a piece
/// with a template of its own; what is filled in is printed as it is, unless it is itself a wording.
public struct Wording: Sendable, Hashable {
    /// What it is made of. A line is mostly printed in English: it is put together only when it is printed.
    fileprivate enum Part: Sendable, Hashable {
        /// Words of the template.
        case words(String)
        /// What is filled in.
        case value(String)
        /// The word for one of what the value before counts, and whether it fits.
        case one(String, fits: Bool)
        /// The word for any other number, which stands right behind that for one.
        case many(String, fits: Bool)
        /// What stands between here and the matching end is a wording that is filled in.
        case begin
        /// The end of a wording that is filled in, or of a piece.
        case end
    }

    fileprivate var parts: [Part] = []

    /// Words that are the same in every language, such as a name or what a peer wrote.
    public init(verbatim words: String) {
        if !words.isEmpty { parts = [.value(words), .end] }
    }

    /// Words that are one of a few, such as the kind of a medium: another language has them under themselves.
    public init(phrase words: String) {
        self.init(stringLiteral: words)
    }

    /// A sentence that came as it is: what is written with digits in it are its arguments.
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

    /// The pieces of the line as templates in English, with what is filled in.
    public var pieces: [Text] {
        var pieces: [Text] = []
        var index = 0
        while index < parts.count { pieces.append(contentsOf: readPiece(&index)) }
        return pieces
    }

    /// Puts the template of the piece at `index` together, and goes behind it. Nothing comes of a piece without words.
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

    /// The wording that is filled in at `index`, which goes behind its end.
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

    /// Whether it says nothing.
    public var isEmpty: Bool {
        !parts.contains { part in
            switch part {
            case .words(let words), .value(let words): !words.isEmpty
            case .one, .many: true
            case .begin, .end: false
            }
        }
    }

    /// Goes on with another wording.
    public static func += (line: inout Wording, piece: Wording) {
        line.parts += piece.parts
    }

    /// One wording behind the other.
    public static func + (first: Wording, second: Wording) -> Wording {
        var line = first
        line += second
        return line
    }
}

extension Wording: ExpressibleByStringInterpolation {
    /// Words without anything to fill in.
    public init(stringLiteral words: String) {
        if !words.isEmpty { parts = [.words(words), .end] }
    }

    /// Words with something to fill in.
    public init(stringInterpolation: Interpolation) {
        parts = stringInterpolation.parts
        if !parts.isEmpty { parts.append(.end) }
    }

    /// Takes the words and what is filled in as they come.
    public struct Interpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        /// Makes room.
        public init(literalCapacity: Int, interpolationCount: Int) {
            parts.reserveCapacity(2 * interpolationCount + 2)
        }

        /// Words of the template.
        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.words(literal)) }
        }

        /// Something to print as it is.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            parts.append(.value(value.description))
        }

        /// Words to print as they are.
        public mutating func appendInterpolation(_ words: String) {
            parts.append(.value(words))
        }

        /// A wording inside the wording.
        public mutating func appendInterpolation(_ wording: Wording) {
            parts.append(.begin)
            parts += wording.parts
            parts.append(.end)
        }

        /// A number, and the word that fits it: the first for one, else the second.
        public mutating func appendInterpolation(_ count: some BinaryInteger, _ one: String, _ many: String) {
            fill("\(count)", count == 1, one, many)
        }

        /// A number with thousands set apart, and the word that fits it.
        public mutating func appendInterpolation(grouped count: some BinaryInteger, _ one: String, _ many: String) {
            fill(grouped(count), count == 1, one, many)
        }

        private mutating func fill(_ number: String, _ isOne: Bool, _ one: String, _ many: String) {
            parts += [.value(number), .words(" "), .one(one, fits: isOne), .many(many, fits: !isOne)]
        }
    }
}

extension [Wording] {
    /// One after the other, with what stands between them.
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
