/// A line that was put together in English, and that can be put into another language.
///
/// It remembers what it was made of: `"key frame \(number) at seq \(sequence)"` is the template `key frame {0} at seq {1}`
/// with two arguments, which a language other than English has under that template. What is added with `+=` is a piece
/// with a template of its own; what is filled in is printed as it is, unless it is itself a wording.
public struct Wording: Sendable, Hashable {
    /// The line in English.
    public private(set) var english: String
    /// What it was made of, piece by piece: the keys are templates in English.
    public private(set) var pieces: [Text]

    /// Words that are the same in every language, such as a name or what a peer wrote.
    public init(verbatim words: String) {
        english = words
        pieces = words.isEmpty ? [] : [Text("{0}", .string(words))]
    }

    /// Words that are one of a few, such as the kind of a medium: another language has them under themselves.
    public init(phrase words: String) {
        self.init(stringLiteral: words)
    }

    /// A sentence that came as it is: what is written with digits in it are its arguments.
    public init(counting sentence: String) {
        var template = ""
        var arguments: [Text.Argument] = []
        var number = ""
        func finish() {
            guard !number.isEmpty else { return }
            template += "{\(arguments.count)}"
            arguments.append(.string(number))
            number = ""
        }
        for character in sentence {
            if character.isASCII, character.isNumber {
                number.append(character)
            } else {
                finish()
                template.append(character)
            }
        }
        finish()
        english = sentence
        pieces = [Text(template, arguments: arguments)]
    }

    /// The line as one sentence.
    public var text: Text {
        if pieces.count == 1, let piece = pieces.first { return piece }
        return Text(pieces.indices.map { "{\($0)}" }.joined(), arguments: pieces.map { .text($0) })
    }

    /// Whether it says nothing.
    public var isEmpty: Bool { english.isEmpty }

    /// Goes on with another wording.
    public static func += (line: inout Wording, piece: Wording) {
        line.english += piece.english
        line.pieces += piece.pieces
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
        english = words
        pieces = words.isEmpty ? [] : [Text(words, arguments: [])]
    }

    /// Words with something to fill in.
    public init(stringInterpolation: Interpolation) {
        english = stringInterpolation.english
        pieces = [Text(stringInterpolation.template, arguments: stringInterpolation.arguments)]
    }

    /// Puts the English line and its template together at once.
    public struct Interpolation: StringInterpolationProtocol {
        fileprivate var english = ""
        fileprivate var template = ""
        fileprivate var arguments: [Text.Argument] = []

        /// Makes room.
        public init(literalCapacity: Int, interpolationCount: Int) {
            english.reserveCapacity(literalCapacity + 8 * interpolationCount)
            arguments.reserveCapacity(interpolationCount)
        }

        /// Words of the template.
        public mutating func appendLiteral(_ literal: String) {
            english += literal
            template += literal
        }

        /// Something to print as it is.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            fill(value.description)
        }

        /// A wording inside the wording.
        public mutating func appendInterpolation(_ wording: Wording) {
            english += wording.english
            place(.text(wording.text))
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
            let index = arguments.count
            fill(number)
            english += isOne ? " \(one)" : " \(many)"
            template += " {\(index)|\(one)|\(many)}"
        }

        private mutating func fill(_ words: String) {
            english += words
            place(.string(words))
        }

        private mutating func place(_ argument: Text.Argument) {
            template += "{\(arguments.count)}"
            arguments.append(argument)
        }
    }
}

extension Sequence where Element == Wording {
    /// One after the other, with what stands between them.
    public func joined(separator: Wording) -> Wording {
        var line: Wording = ""
        for (index, element) in enumerated() {
            if index > 0 { line += separator }
            line += element
        }
        return line
    }
}
