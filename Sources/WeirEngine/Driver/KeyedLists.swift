import WeirPackets

/// A key with a hash that depends on a seed. `Hasher` takes five times as long.
protocol SeededHashable: Equatable {
    /// Returns the hash.
    func hash(seed: UInt64) -> UInt64
}

extension Int: SeededHashable {
    func hash(seed: UInt64) -> UInt64 { ((UInt64(bitPattern: Int64(self)) ^ seed) &* 0x9E37_79B9_7F4A_7C15) >> 32 }
}

extension Endpoint: SeededHashable {
    func hash(seed: UInt64) -> UInt64 { address.hash(seed: seed &+ UInt64(port)) }
}

/// Lists of elements by key, in order of insertion: faster than a dictionary of arrays, which allocates for each key.
///
/// Elements have numbers, by which they are removed in constant time. Numbers of removed elements are reused.
struct KeyedLists<Key: SeededHashable, Element> {
    /// The elements of one key, as the numbers of the first and the last; -1 for none.
    private struct List {
        let key: Key
        let hash: UInt64
        /// The next list whose hash has the same lowest bits, or the next free one.
        var next: Int32
        var first: Int32 = -1
        var last: Int32 = -1
        var count = 0
    }

    /// An element, or nil if its number is free.
    private struct Node {
        var element: Element?
        var list: Int32
        /// The numbers of its neighbors in the list; -1 for none.
        var previous: Int32
        /// Also the next free number.
        var next: Int32
    }

    private let seed = UInt64.random(in: .min ... .max)
    /// The first list of all whose hash has the lowest bits of the index; a power of two.
    private var heads: [Int32] = []
    private var lists: [List] = []
    private var nodes: [Node] = []
    private var freeList: Int32 = -1
    private var freeNode: Int32 = -1
    private var usedLists = 0
    /// The number of elements.
    private(set) var count = 0

    /// Returns the number of the list of a key, or nil if it has no elements.
    func list(of key: Key) -> Int32? {
        heads.isEmpty ? nil : list(of: key, key.hash(seed: seed))
    }

    private func list(of key: Key, _ hash: UInt64) -> Int32? {
        var number = heads[place(of: hash)]
        while number >= 0 {
            let index = Int(number)
            if lists[index].hash == hash, lists[index].key == key { return number }
            number = lists[index].next
        }
        return nil
    }

    private func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (heads.count &- 1) }

    /// Returns the number of elements in a list.
    func count(ofList list: Int32) -> Int { lists[Int(list)].count }

    /// Returns the element with a number, or nil if it was removed.
    func element(_ number: Int32) -> Element? {
        nodes.indices.contains(Int(number)) ? nodes[Int(number)].element : nil
    }

    /// Returns the list of an element, or -1 if it was removed.
    func list(ofElement number: Int32) -> Int32 {
        nodes.indices.contains(Int(number)) ? nodes[Int(number)].list : -1
    }

    /// Returns the newest matching element of a list.
    func last(in list: Int32, where fits: (Element) -> Bool) -> Element? {
        var number = lists[Int(list)].last
        while number >= 0 {
            if let element = nodes[Int(number)].element, fits(element) { return element }
            number = nodes[Int(number)].previous
        }
        return nil
    }

    /// Returns the numbers of the elements of a list, oldest first.
    func numbers(in list: Int32) -> [Int32] {
        var numbers: [Int32] = []
        var number = lists[Int(list)].first
        while number >= 0 {
            numbers.append(number)
            number = nodes[Int(number)].next
        }
        return numbers
    }

    /// Returns the elements of a key, oldest first.
    func elements(of key: Key) -> [Element] {
        guard let list = list(of: key) else { return [] }
        var elements: [Element] = []
        var number = lists[Int(list)].first
        while number >= 0 {
            if let element = nodes[Int(number)].element { elements.append(element) }
            number = nodes[Int(number)].next
        }
        return elements
    }

    /// Returns the oldest element of a key.
    func element(of key: Key) -> Element? { list(of: key).flatMap { element(lists[Int($0)].first) } }

    /// Removes the oldest element of a key, and returns it.
    mutating func removeElement(of key: Key) -> Element? {
        guard let list = list(of: key) else { return nil }
        let number = lists[Int(list)].first
        let element = element(number)
        remove(number)
        return element
    }

    /// Appends an element to the list of a key, and returns its number.
    mutating func append(_ element: Element, to key: Key) -> Int32 {
        let hash = key.hash(seed: seed)
        let list = (heads.isEmpty ? nil : self.list(of: key, hash)) ?? add(key, hash)
        let last = lists[Int(list)].last
        let number = add(Node(element: element, list: list, previous: last, next: -1))
        if last >= 0 { nodes[Int(last)].next = number } else { lists[Int(list)].first = number }
        lists[Int(list)].last = number
        lists[Int(list)].count &+= 1
        count &+= 1
        return number
    }

    private mutating func add(_ node: Node) -> Int32 {
        guard freeNode >= 0 else {
            nodes.append(node)
            return Int32(truncatingIfNeeded: nodes.count &- 1)
        }
        let number = freeNode
        freeNode = nodes[Int(number)].next
        nodes[Int(number)] = node
        return number
    }

    private mutating func add(_ key: consuming Key, _ hash: UInt64) -> Int32 {
        if usedLists >= heads.count { grow() }
        let place = place(of: hash)
        let next = heads[place]
        usedLists &+= 1
        guard freeList >= 0 else {
            heads[place] = Int32(truncatingIfNeeded: lists.count)
            // Not a variable, which would be copied.
            lists.append(List(key: key, hash: hash, next: next))
            return heads[place]
        }
        heads[place] = freeList
        freeList = lists[Int(heads[place])].next
        lists[Int(heads[place])] = List(key: key, hash: hash, next: next)
        return heads[place]
    }

    /// Doubles the number of heads.
    private mutating func grow() {
        heads = Array(repeating: -1, count: max(16, 2 &* heads.count))
        for index in lists.indices where lists[index].count > 0 {
            let place = place(of: lists[index].hash)
            lists[index].next = heads[place]
            heads[place] = Int32(truncatingIfNeeded: index)
        }
    }

    /// Removes an element, if it was not.
    mutating func remove(_ number: Int32) {
        let list = list(ofElement: number)
        guard list >= 0 else { return }
        let (previous, next) = (nodes[Int(number)].previous, nodes[Int(number)].next)
        if previous >= 0 { nodes[Int(previous)].next = next } else { lists[Int(list)].first = next }
        if next >= 0 { nodes[Int(next)].previous = previous } else { lists[Int(list)].last = previous }
        nodes[Int(number)] = Node(element: nil, list: -1, previous: -1, next: freeNode)
        freeNode = number
        count &-= 1
        lists[Int(list)].count &-= 1
        if lists[Int(list)].count == 0 { removeList(list) }
    }

    private mutating func removeList(_ number: Int32) {
        let place = place(of: lists[Int(number)].hash)
        let next = lists[Int(number)].next
        if heads[place] == number {
            heads[place] = next
        } else {
            var before = heads[place]
            while before >= 0, lists[Int(before)].next != number { before = lists[Int(before)].next }
            if before >= 0 { lists[Int(before)].next = next }
        }
        lists[Int(number)].next = freeList
        freeList = number
        usedLists &-= 1
    }
}
