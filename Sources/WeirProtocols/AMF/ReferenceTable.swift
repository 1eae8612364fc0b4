/// The objects of a message that references may refer to, in order of their start.
struct ReferenceTable {
    /// The parsed values, nil while incomplete.
    private var values: [AMFValue?] = []
    private var heights: [Int] = []

    /// Adds an incomplete object and returns its index.
    mutating func open() -> Int {
        values.append(nil)
        heights.append(0)
        return values.count &- 1
    }

    /// Completes an object with its nesting height.
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
