/// A value stored in an object that is taken out while it changes, and put back.
///
/// A change in place is a long access to the object, which is checked for exclusivity at run time; taking and putting
/// back are short ones, for which the compiler proves it. Another access during the change ends the program, as the
/// check would.
public struct Lent<Value> {
    @usableFromInline var value: Value?

    /// Stores a value.
    @inlinable public init(_ value: consuming Value) {
        self.value = consume value
    }

    /// Takes the value out; `put` has to follow.
    @inlinable @inline(__always)
    public mutating func take() -> Value {
        guard let taken = value.take() else { preconditionFailure("the value is in use") }
        return taken
    }

    /// Puts the value back.
    @inlinable @inline(__always)
    public mutating func put(_ taken: consuming Value) {
        value = consume taken
    }

    /// The value, while it is not taken out.
    @inlinable public var current: Value {
        @inline(__always) get {
            guard let value else { preconditionFailure("the value is in use") }
            return value
        }
    }
}
