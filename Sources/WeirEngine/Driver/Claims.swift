import WeirPackets

/// The claims of stories, indexed by what is claimed.
struct Claims {
    /// The lookup key. For an open endpoint it includes the peer's address, since a server may send all media from one
    /// port.
    struct Place: SeededHashable {
        var key: ClaimKey
        var peer: IPAddress?

        init(_ claim: borrowing Claim) {
            key = claim.key
            if key.openEnd != nil { peer = claim.peer?.address }
        }

        init(openEnd endpoint: Endpoint, peer: IPAddress) {
            key = .openEnd(endpoint)
            self.peer = peer
        }

        init(_ key: ClaimKey) {
            self.key = key
        }

        func hash(seed: UInt64) -> UInt64 {
            switch key {
            case .endpoint(let endpoint): endpoint.hash(seed: seed)
            case .openEnd(let endpoint): endpoint.hash(seed: peer?.hash(seed: seed) ?? seed)
            case .name(_, let name): UInt64(bitPattern: Int64(name.hashValue))
            case .source(let ssrc, let sender, let receiver):
                receiver.hash(seed: sender.hash(seed: seed &+ UInt64(ssrc)))
            }
        }
    }

    /// The number of claims of one story that are searched linearly.
    private static let few = 64
    private var lists = KeyedLists<Place, MatchedClaim>()
    /// The flows that matched claims, by either endpoint, as indices in the flow table.
    private var matched = KeyedLists<Endpoint, Int>()
    private let limit: Int
    /// The maximum number of claims for one key.
    private let limitAlike: Int
    /// Incremented with each claim, so that flows without a match are looked up again only after a change.
    private(set) var generation = 0
    /// The number of claims dropped because of the total limit and because of the limit per key.
    private(set) var dropped = (all: 0, alike: 0)

    init(_ limits: Limits) {
        limit = limits.expectations
        limitAlike = limits.expectationsAlike
    }

    /// Whether there are no claims. Mutating, to access them in place.
    var isEmpty: Bool { mutating get { lists.count == 0 } }

    /// Adds a claim. A repeated claim, as from a repeated request, replaces the previous one.
    mutating func add(_ claim: consuming Claim, of owner: Session) {
        let place = Place(claim)
        let isOfFlow = claim.key.endpoint != nil || claim.key.openEnd != nil
        let (isFull, list) = (lists.count >= limit, lists.list(of: place))
        let isAlike = (list.map { lists.count(ofList: $0) } ?? 0) >= limitAlike
        let isRepeated = list.map { remove(from: $0, of: owner, like: claim) } ?? false
        guard isRepeated || !isFull && !isAlike else {
            // Missing media proves nothing after a dropped claim.
            owner.noteLimit()
            if isAlike { dropped.alike += 1 } else { dropped.all += 1 }
            return
        }
        let matched = MatchedClaim(claim: claim, owner: owner)
        matched.index = owner.claims.add(lists.append(matched, to: place))
        if isOfFlow { generation += 1 }
    }

    /// Removes the claims of an owner that another one replaces: those with the same peer, or for an open endpoint with
    /// the same purpose. Returns whether there are any.
    private mutating func remove(from list: Int32, of owner: Session, like claim: Claim) -> Bool {
        let (peer, purpose) = (claim.peer, claim.purpose)
        let isOpen = claim.key.openEnd != nil
        return remove(from: list, of: owner) { isOpen ? $0.purpose == purpose : $0.peer == peer }
    }

    /// Removes the matching claims of an owner from a list. Returns whether there are any.
    @discardableResult
    private mutating func remove(from list: Int32, of owner: Session, where fits: (Claim) -> Bool) -> Bool {
        // A session may have many claims, and an endpoint those of many sessions.
        let own = owner.claims.numbers
        let numbers = own.count < lists.count(ofList: list) ? own : lists.numbers(in: list)
        var isFound = false
        for number in numbers where lists.list(ofElement: number) == list {
            guard let known = lists.element(number), known.owner === owner, fits(known.claim) else { continue }
            remove(number, known)
            isFound = true
        }
        return isFound
    }

    private mutating func remove(_ number: Int32, _ known: MatchedClaim) {
        lists.remove(number)
        // Another claim of the owner takes its place.
        if let moved = known.owner.claims.remove(at: known.index) { lists.element(moved)?.index = known.index }
    }

    /// Removes a claim for anything but an open endpoint.
    mutating func remove(_ key: ClaimKey, of owner: Session) {
        if let list = lists.list(of: Place(key)) { remove(from: list, of: owner) { _ in true } }
    }

    /// Removes all claims after the stories have ended.
    mutating func removeAll() {
        lists = KeyedLists()
    }

    /// Removes all claims of a story.
    mutating func removeAll(of owner: Session) {
        for number in owner.claims.removeAll() where lists.element(number)?.owner === owner { lists.remove(number) }
    }

    /// Returns the claims for a key, oldest first.
    func all(_ key: ClaimKey) -> [MatchedClaim] { lists.elements(of: Place(key)) }

    /// Returns the earliest session among the matching owners of claims for a key.
    func firstOwner(_ key: ClaimKey, where fits: (Session) -> Bool) -> Session? {
        var found: Session?
        for matched in all(key) where matched.owner.id < found?.id ?? .max && fits(matched.owner) {
            found = matched.owner
        }
        return found
    }

    /// Returns the matching owner of the latest claim for a key.
    func lastOwner(_ key: ClaimKey, where fits: (Session) -> Bool) -> Session? {
        last(key) { fits($0.owner) }?.owner
    }

    private func last(_ key: ClaimKey, where fits: (MatchedClaim) -> Bool) -> MatchedClaim? {
        lists.list(of: Place(key)).flatMap { lists.last(in: $0, where: fits) }
    }

    /// Returns the owner of the latest claim for one key that also claims the other.
    func lastOwner(_ one: ClaimKey, and other: ClaimKey) -> Session? {
        guard let one = lists.list(of: Place(one)), let other = lists.list(of: Place(other)) else { return nil }
        // One of the keys may have many claims, such as those of all clients of a server.
        let (fewer, rest) = lists.count(ofList: one) <= lists.count(ofList: other) ? (one, other) : (other, one)
        return lists.last(in: fewer) { has($0.owner, rest) }?.owner
    }

    /// Whether a story has a claim in a list.
    private func has(_ owner: Session, _ list: Int32) -> Bool {
        // As in removing: either may be many.
        guard owner.claims.numbers.count < lists.count(ofList: list) else {
            return lists.last(in: list) { $0.owner === owner } != nil
        }
        return owner.claims.numbers.contains {
            lists.list(ofElement: $0) == list && lists.element($0)?.owner === owner
        }
    }

    /// Whether a story has claimed a key.
    func has(_ owner: Session, _ key: ClaimKey) -> Bool { lists.list(of: Place(key)).map { has(owner, $0) } ?? false }

    /// Returns the matching owner of the latest claim for a key, considering only the most recent claims.
    func latest(_ key: ClaimKey, where fits: (Session) -> Bool) -> Session? {
        var looked = 0
        return last(key) { matched in
            looked += 1
            return looked > Self.few || fits(matched.owner)
        }.flatMap { looked > Self.few ? nil : $0.owner }
    }

    /// Returns the claim that matches a flow between two endpoints: the newest, preferring one that names both. Claims
    /// with another peer match last, since the sender's address may differ from the signaled one. Mutating, to access the
    /// claims in place.
    mutating func match(_ one: Endpoint, _ other: Endpoint) -> MatchedClaim? {
        let (first, second) = (lists.list(of: Place(.endpoint(one))), lists.list(of: Place(.endpoint(other))))
        guard first != nil || second != nil else { return nil }
        return best(first, peer: other) ?? best(second, peer: one) ?? newest(first) ?? newest(second)
    }

    /// Whether there may be a claim that a flow between two endpoints matches. Mutating, to access the claims in place.
    mutating func mayMatch(_ one: Endpoint, _ other: Endpoint) -> Bool {
        lists.list(of: Place(.endpoint(one))) != nil || lists.list(of: Place(.endpoint(other))) != nil
            || lists.list(of: Place(openEnd: one, peer: other.address)) != nil
            || lists.list(of: Place(openEnd: other, peer: one.address)) != nil
    }

    private func best(_ list: Int32?, peer: Endpoint) -> MatchedClaim? {
        guard let list else { return nil }
        return lists.last(in: list) { $0.claim.peer == peer }
            ?? lists.last(in: list) { $0.claim.peer == nil || $0.claim.peer?.address == peer.address }
    }

    private func newest(_ list: Int32?) -> MatchedClaim? { list.flatMap { lists.last(in: $0) { _ in true } } }

    /// Returns the open-endpoint claim that matches a flow, with the claimed and the previously unknown endpoint, and
    /// closes it. Ambiguous claims do not match.
    ///
    /// - Parameter start: The start time of the flow.
    mutating func takeOpen(
        _ one: Endpoint, _ other: Endpoint, start: Timestamp
    ) -> (matched: MatchedClaim, server: Endpoint, peer: Endpoint)? {
        takeOpen(at: one, peer: other, start) ?? takeOpen(at: other, peer: one, start)
    }

    private mutating func takeOpen(
        at endpoint: Endpoint, peer: Endpoint, _ start: Timestamp
    ) -> (matched: MatchedClaim, server: Endpoint, peer: Endpoint)? {
        let place = Place(openEnd: endpoint, peer: peer.address)
        let fitting = lists.elements(of: place).filter { ($0.claim.since ?? start) <= start }
        guard let found = fitting.first, fitting.count == 1 else { return nil }
        close(endpoint, peer, isBoth: false, found)
        return (found, endpoint, peer)
    }

    /// Removes the open-endpoint claims for a flow whose endpoints are both known. For owners with few claims, those with
    /// another peer are removed, too.
    mutating func close(_ one: Endpoint, _ other: Endpoint, _ matched: MatchedClaim) {
        close(one, other, isBoth: true, matched)
    }

    /// Removes the open-endpoint claims for one or both ends of a flow.
    private mutating func close(_ one: Endpoint, _ other: Endpoint, isBoth: Bool, _ matched: MatchedClaim) {
        let (owner, purpose) = (matched.owner, matched.claim.purpose)
        var index = owner.claims.numbers.count
        guard index <= Self.few else {
            close(Place(openEnd: one, peer: other.address), of: owner, purpose)
            if isBoth { close(Place(openEnd: other, peer: one.address), of: owner, purpose) }
            return
        }
        // Backwards: the last claim takes the place of a removed one. By index: a copy of the list would be changed.
        while index > 0 {
            index -= 1
            let number = owner.claims.numbers[index]
            guard let known = lists.element(number), let end = known.openEnd, end == one || isBoth && end == other,
                known.owner === owner, known.claim.purpose == purpose
            else { continue }
            remove(number, known)
        }
    }

    private mutating func close(_ place: Place, of owner: Session, _ purpose: Int) {
        if let list = lists.list(of: place) { remove(from: list, of: owner) { $0.purpose == purpose } }
    }

    // MARK: - Flows

    /// Records a flow that matched a claim, by its endpoints. Returns the numbers by which it is removed.
    mutating func note(_ flow: Int, _ one: Endpoint, _ other: Endpoint) -> MatchedFlow {
        MatchedFlow(one: matched.append(flow, to: one), other: matched.append(flow, to: other))
    }

    /// Removes a flow that matched a claim.
    mutating func forget(_ flow: MatchedFlow) {
        matched.remove(flow.one)
        matched.remove(flow.other)
    }

    /// Returns the flows with this endpoint that matched a claim. Mutating, to access them in place.
    mutating func flows(at endpoint: Endpoint) -> [Int] { matched.count == 0 ? [] : matched.elements(of: endpoint) }
}

/// The numbers of a flow that matched a claim, by either endpoint.
struct MatchedFlow {
    fileprivate let one: Int32
    fileprivate let other: Int32
}
