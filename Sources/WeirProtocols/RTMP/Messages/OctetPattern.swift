/// A string of octets to search for, in linear time (the Knuth–Morris–Pratt algorithm): peers choose both the stream name and
/// the text that may repeat it.
struct OctetPattern {
    private let octets: [UInt8]
    /// The failure function: for each prefix, the length of its longest proper suffix that is also a prefix.
    private let failure: [Int]

    /// Creates a pattern of octets; one without octets occurs nowhere.
    init(_ octets: [UInt8]) {
        self.octets = octets
        var failure = [Int](repeating: 0, count: octets.count)
        var count = 0
        for index in octets.indices.dropFirst() {
            while count > 0, octets[index] != octets[count] { count = failure[count - 1] }
            if octets[index] == octets[count] { count += 1 }
            failure[index] = count
        }
        self.failure = failure
    }

    /// Returns where the pattern starts in a text, also where occurrences overlap.
    func starts(in text: [UInt8]) -> [Int] {
        var starts: [Int] = []
        guard let first = octets.first else { return starts }
        var count = 0
        for index in text.indices {
            let octet = text[index]
            while count > 0, octet != octets[count] { count = failure[count - 1] }
            guard count > 0 || octet == first else { continue }
            count += 1
            guard count == octets.count else { continue }
            starts.append(index + 1 - count)
            count = failure[count - 1]
        }
        return starts
    }
}
