/// The objects of a message that references may refer to, in order of their start.
struct ReferenceTable {
    /// The parsed values, nil while incomplete, with their nesting heights.
    private var targets: [(value: AMFValue?, height: Int)] = []

    /// Adds an incomplete object and returns its index.
    mutating func open() -> Int {
        targets.append((nil, 0))
        return targets.count &- 1
    }

    /// Completes an object with its nesting height.
    mutating func close(_ index: Int, _ value: AMFValue, height: Int) {
        guard targets.indices.contains(index) else { return }
        targets[index] = (value, height)
    }

    func has(_ index: Int) -> Bool { targets.indices.contains(index) }

    func target(_ index: Int) -> (AMFValue?, height: Int) {
        targets.indices.contains(index) ? (targets[index].value, targets[index].height) : (nil, 0)
    }
}
