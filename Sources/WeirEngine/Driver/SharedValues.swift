import Synchronization

/// Values that the dissectors of all flows of an analysis share, one of each type, such as a cache.
package final class SharedValues: Sendable {
    private let values = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    /// Creates an empty collection.
    package init() {}

    /// Returns the value of a type; `make` creates it when it is first requested.
    package func value<Value: AnyObject & Sendable>(_ type: Value.Type, _ make: () -> Value) -> Value {
        let key = ObjectIdentifier(type)
        return values.withLock { values in
            if let known = values[key] as? Value { return known }
            let value = make()
            values[key] = value
            return value
        }
    }
}
