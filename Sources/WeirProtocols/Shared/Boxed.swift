/// A large value in memory of its own, so that what contains it is small. Copies share the memory until one is changed.
@propertyWrapper
package struct Boxed<Value> {
    private var storage: [Value]

    package init(wrappedValue: consuming Value) {
        storage = [wrappedValue]
    }

    package var wrappedValue: Value {
        @inline(__always) _read { yield storage.span[0] }
        @inline(__always) _modify { yield &storage[0] }
    }
}

extension Boxed: Sendable where Value: Sendable {}

/// A large value that mostly is nil, in memory of its own if it is not. What reads the whole value copies it; `update` does not.
@propertyWrapper
package struct BoxedIfAny<Value> {
    private var storage: [Value] = []

    package init(wrappedValue: consuming Value?) {
        if let value = wrappedValue { storage.append(value) }
    }

    package var wrappedValue: Value? {
        @inline(__always) get { storage.first }
        @inline(__always) _modify {
            var value = storage.popLast()
            defer { if let value { storage.append(value) } }
            yield &value
        }
    }

    /// Whether there is a value.
    var hasValue: Bool { !storage.isEmpty }

    /// Calls a function with the value, in place, if there is one.
    @inline(__always)
    @discardableResult
    mutating func update<Result>(_ body: (inout Value) -> Result) -> Result? {
        storage.isEmpty ? nil : body(&storage[0])
    }
}

extension BoxedIfAny: Sendable where Value: Sendable {}
