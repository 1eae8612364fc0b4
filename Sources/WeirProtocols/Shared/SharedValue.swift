/// A structure with many members, in an object that copies share: a copy of the structure would count each of its references,
/// one of this counts one.
///
/// A member is read where it is. In a closure, `{ $0.member }`, not by a key path: one through this type is created at run time.
@dynamicMemberLookup
public struct SharedValue<Value: Sendable>: Sendable {
    private final class Storage: Sendable {
        let value: Value

        init(_ value: consuming Value) {
            self.value = value
        }
    }

    private let storage: Storage

    /// Stores a structure.
    public init(_ value: consuming Value) {
        storage = Storage(value)
    }

    /// A copy of the structure.
    public var value: Value { storage.value }

    /// A member.
    public subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member {
        @inline(__always) get { storage.value[keyPath: member] }
    }
}

extension SharedValue: Equatable where Value: Equatable {
    /// Compares the structures.
    public static func == (one: Self, other: Self) -> Bool {
        one.storage === other.storage || one.storage.value == other.storage.value
    }
}

extension SharedValue: Hashable where Value: Hashable {
    /// Hashes the structure.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage.value) }
}
