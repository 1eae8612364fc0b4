/// Octets to search for, in time proportional to the text whatever both contain (the algorithm of Knuth, Morris and Pratt):
/// peers choose both the stream name and the text that may repeat it.
struct OctetPattern {
    private let octets: [UInt8]
    /// For each number of octets from 1, how many at their end are also the first ones: the search goes on with these.
    private let repeated: [Int]

    /// Creates a pattern of octets; one without octets occurs nowhere.
    init(_ octets: [UInt8]) {
        self.octets = octets
        var repeated = [Int](repeating: 0, count: octets.count)
        var count = 0
        for index in octets.indices.dropFirst() {
            while count > 0, octets[index] != octets[count] { count = repeated[count - 1] }
            if octets[index] == octets[count] { count += 1 }
            repeated[index] = count
        }
        self.repeated = repeated
    }

    /// Returns where the pattern starts in a text, also where occurrences overlap.
    func starts(in text: [UInt8]) -> [Int] {
        var starts: [Int] = []
        guard let first = octets.first else { return starts }
        var count = 0
        for index in text.indices {
            let octet = text[index]
            while count > 0, octet != octets[count] { count = repeated[count - 1] }
            guard count > 0 || octet == first else { continue }
            count += 1
            guard count == octets.count else { continue }
            starts.append(index + 1 - count)
            count = repeated[count - 1]
        }
        return starts
    }
}
