/// The objects of a message that references may name, in the order in which they begin.
struct ReferenceTable {
    /// What was read; nil while it is not complete.
    private var values: [AMFValue?] = []
    private var heights: [Int] = []

    /// An object begins.
    mutating func open() -> Int {
        values.append(nil)
        heights.append(0)
        return values.count &- 1
    }

    /// The object is complete; how deep it is nested in itself.
    mutating func close(_ index: Int, _ value: AMFValue, height: Int) {
        guard values.indices.contains(index) else { return }
        values[index] = value
        heights[index] = height
    }

    func has(_ index: Int) -> Bool { values.indices.contains(index) }

    func target(_ index: Int) -> (AMFValue?, height: Int) {
        values.indices.contains(index) ? (values[index], heights[index]) : (nil, 0)
    }
}
