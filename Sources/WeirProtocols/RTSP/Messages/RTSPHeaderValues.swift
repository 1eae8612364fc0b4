import Synchronization
import WeirPackets

/// The parsed values of headers that messages of alike clients and servers repeat.
final class RTSPHeaderValues: Sendable {
    /// The latest different values of one header. Only of ASCII: other texts may be equal to one with other octets.
    private struct Recent<Value: Sendable>: Sendable {
        private static var most: Int { 8 }
        /// Longer texts are not kept.
        private static var mostOctets: Int { 256 }

        /// With the length of each text, so that the others are not read.
        private var known: [(length: Int, text: String, value: Value)] = []
        private var oldest = 0

        func value(of text: String) -> Value? {
            let length = text.utf8.count
            for index in known.indices where known[index].length == length {
                if known[index].text == text { return known[index].value }
            }
            return nil
        }

        mutating func insert(_ value: Value, of text: String) {
            let length = text.utf8.count
            guard length <= Self.mostOctets, text.isASCII else { return }
            if known.count < Self.most {
                known.append((length, text, value))
            } else {
                known[oldest] = (length, text, value)
                oldest = (oldest + 1) % Self.most
            }
        }
    }

    private let ranges = Mutex(Recent<RangeHeader?>())
    private let methods = Mutex(Recent<[String]>())

    /// Returns the value of `Range`.
    func range(_ text: String) -> RangeHeader? { Self.value(of: text, in: ranges) { RangeHeader(text) } }

    /// Returns the methods in `Public`.
    func methods(in headers: HeaderBlock) -> [String] {
        let texts = headers.all(.publicMethods)
        guard texts.count == 1, let text = texts.first else { return headers.list(.publicMethods) }
        return Self.value(of: text, in: methods) { headers.list(.publicMethods) }
    }

    private static func value<Value: Sendable>(
        of text: String, in recent: borrowing Mutex<Recent<Value>>, _ parse: () -> Value
    ) -> Value {
        if let known = recent.withLock({ $0.value(of: text) }) { return known }
        let value = parse()
        recent.withLock { $0.insert(value, of: text) }
        return value
    }
}
