/// Objects by the number of a session or flow: every step looks one up, the recent ones without hashing.
struct NumberedObjects<Object: AnyObject> {
    /// The number of recent objects, a power of two.
    private static var recents: Int { 64 }

    private var objects: [Int: Object] = [:]
    /// At the index of each number, modulo their count.
    private var recent = [(number: Int, object: Object?)](repeating: (0, nil), count: recents)

    /// All objects, in no particular order.
    var all: some Collection<Object> { objects.values }

    /// The object of a number, or nil if there is none.
    subscript(number: Int) -> Object? {
        let place = number & (Self.recents - 1)
        if recent[place].number == number, let known = recent[place].object { return known }
        return objects.isEmpty ? nil : objects[number]
    }

    /// Returns the object of a number, created if there is none.
    @discardableResult
    mutating func object(_ number: Int, _ make: () -> Object) -> Object {
        let place = number & (Self.recents - 1)
        if recent[place].number == number, let known = recent[place].object { return known }
        let known = objects[number]
        let object = known ?? make()
        if known == nil { objects[number] = object }
        recent[place] = (number, object)
        return object
    }

    /// Removes and returns the object of a number.
    @discardableResult
    mutating func remove(_ number: Int) -> Object? {
        let place = number & (Self.recents - 1)
        if recent[place].number == number { recent[place] = (0, nil) }
        return objects.removeValue(forKey: number)
    }
}
