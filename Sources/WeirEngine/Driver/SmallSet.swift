/// A set whose elements are compared one by one as long as there are few, which takes less than hashing them.
struct SmallSet<Element: Hashable> {
    /// The largest number of elements that are compared.
    private static var most: Int { 16 }
    /// The elements, while there are few.
    private var few: [Element] = []
    /// All elements, once there are many.
    private var many: Set<Element> = []

    /// The number of elements.
    var count: Int { few.count + many.count }
    /// The elements, in no particular order.
    var elements: [Element] { many.isEmpty ? few : Array(many) }

    /// Whether it has an element.
    func contains(_ element: Element) -> Bool { many.isEmpty ? few.contains(element) : many.contains(element) }

    /// Inserts an element; returns whether it is new.
    @discardableResult
    mutating func insert(_ element: Element) -> Bool {
        guard many.isEmpty else { return many.insert(element).inserted }
        guard !few.contains(element) else { return false }
        if few.isEmpty { few.reserveCapacity(Self.most / 2) }
        few.append(element)
        if few.count > Self.most {
            many = Set(few)
            few = []
        }
        return true
    }

    /// Removes an element, if it is there.
    mutating func remove(_ element: Element) {
        if many.isEmpty { few.removeAll { $0 == element } } else { many.remove(element) }
    }
}
