import WeirPackets

/// The claims of stories, indexed by what is claimed.
struct Claims {
    /// Claims for the same key, oldest first.
    private struct List {
        /// The number of claims that are searched linearly; above it, claims are counted per owner.
        private static let few = 8

        /// The claims, with nil for removed ones. Later elements are not moved on removal: stories end in the order in
        /// which they started, so that every removal would move all of them.
        private var places: [MatchedClaim?] = []
        /// The index of the oldest claim.
        private var first = 0
        private(set) var count = 0
        /// The number of claims per owner, maintained once there are many; usually zero when a claim is added.
        private var owners: [Int: Int] = [:]

        /// Removes the matching claims of an owner, and returns their number.
        mutating func remove(_ owner: Session, where fits: (Claim) -> Bool) -> Int {
            guard count > 0 else { return 0 }
            var left = count
            if count > Self.few {
                if owners.isEmpty { for claim in claims { owners[claim.owner.id, default: 0] += 1 } }
                left = owners[owner.id] ?? 0
            }
            var removed = 0
            var place = first
            // Stops early for owners with few claims.
            while left > 0, place < places.count {
                defer { place += 1 }
                guard let matched = places[place], matched.owner === owner else { continue }
                left -= 1
                guard fits(matched.claim) else { continue }
                places[place] = nil
                removed += 1
            }
            count -= removed
            tidy()
            if !owners.isEmpty { owners[owner.id] = owners[owner.id].flatMap { $0 > removed ? $0 - removed : nil } }
            return removed
        }

        /// Appends a claim, replacing the matching ones of its owner. Returns the number replaced, or nil if there is
        /// no capacity.
        mutating func put(_ claim: MatchedClaim, isWithinLimit: Bool, replacing fits: (Claim) -> Bool) -> Int? {
            let removed = remove(claim.owner, where: fits)
            guard removed > 0 || isWithinLimit else { return nil }
            places.append(claim)
            count += 1
            if !owners.isEmpty { owners[claim.owner.id, default: 0] += 1 }
            return removed
        }

        /// Skips removed claims at the front, and compacts once most elements are empty.
        private mutating func tidy() {
            while first < places.count, places[first] == nil { first += 1 }
            guard places.count > 2 * count + Self.few else { return }
            places = claims
            first = 0
        }

        /// The claims, oldest first.
        var claims: [MatchedClaim] { places[first...].compactMap { $0 } }

        /// Returns the earliest session among the matching owners.
        func firstOwner(where fits: (Session) -> Bool) -> Session? {
            var found: Session?
            for case let matched? in places[first...] where matched.owner.id < found?.id ?? .max && fits(matched.owner)
            {
                found = matched.owner
            }
            return found
        }

        /// Returns the newest matching claim.
        func last(where fits: (MatchedClaim) -> Bool) -> MatchedClaim? {
            for case let matched? in places[first...].reversed() where fits(matched) { return matched }
            return nil
        }
    }

    /// The lookup key. For an open endpoint it includes the peer's address, since a server may send all media from one
    /// port.
    struct Place: Hashable {
        var key: ClaimKey
        var peer: IPAddress?

        init(_ claim: Claim) {
            key = claim.key
            if case .openEnd = claim.key { peer = claim.peer?.address }
        }

        init(openEnd endpoint: Endpoint, peer: IPAddress) {
            key = .openEnd(endpoint)
            self.peer = peer
        }

        init(_ key: ClaimKey) {
            self.key = key
        }

        /// Whether it is an open endpoint, with any peer.
        func isOpen(at endpoint: Endpoint) -> Bool {
            if case .openEnd(let known) = key { known == endpoint } else { false }
        }

        /// Hashes one number for an endpoint: hashing its parts takes twice as long, and each flow and claim does it.
        func hash(into hasher: inout Hasher) {
            switch key {
            case .endpoint(let endpoint): hasher.combine(Self.hash(endpoint))
            case .openEnd(let endpoint): hasher.combine(Self.hash(endpoint) &+ (peer?.hash(seed: Self.seed) ?? 0))
            case .name(_, let name): hasher.combine(name)
            case .source(let ssrc, let sender, let receiver):
                hasher.combine(receiver.hash(seed: sender.hash(seed: Self.seed &+ UInt64(ssrc))))
            }
        }

        private static let seed = UInt64.random(in: .min ... .max)

        private static func hash(_ endpoint: Endpoint) -> UInt64 {
            endpoint.address.hash(seed: seed &+ UInt64(endpoint.port))
        }
    }

    /// The number of claims of one story that are searched linearly.
    private static let few = 64
    private var lists: [Place: List] = [:]
    /// The flows that matched claims, by either endpoint, as indices in the flow table.
    private var matched: [Endpoint: [Int]] = [:]
    private var count = 0
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
    var isEmpty: Bool { mutating get { lists.isEmpty } }

    /// Adds a claim. A repeated claim, as from a repeated request, replaces the previous one.
    mutating func add(_ claim: Claim, of owner: Session) {
        let place = Place(claim)
        let isOpen = if case .openEnd = claim.key { true } else { false }
        // Only these members: the closure would copy the whole claim.
        let (purpose, peer) = (claim.purpose, claim.peer)
        let (known, isAlike) = Self.put(
            MatchedClaim(claim: claim, owner: owner), in: &lists[place, default: List()], isWithinLimit: count < limit,
            limitAlike
        ) { isOpen ? $0.purpose == purpose : $0.peer == peer }
        guard let known else {
            if lists[place]?.count == 0 { lists[place] = nil }
            // Missing media proves nothing after a dropped claim.
            owner.noteLimit()
            if isAlike { dropped.alike += 1 } else { dropped.all += 1 }
            return
        }
        count += 1 - known
        if known == 0 { owner.claimedPlaces.insert(place) }
        switch claim.key {
        case .name, .source: break
        case .endpoint, .openEnd: generation += 1
        }
    }

    /// Puts a claim into a list in a single access. Also returns whether the limit per key was reached.
    private static func put(
        _ claim: MatchedClaim, in list: inout List, isWithinLimit: Bool, _ limitAlike: Int,
        replacing fits: (Claim) -> Bool
    ) -> (known: Int?, isAlike: Bool) {
        let isAlike = list.count >= limitAlike
        return (list.put(claim, isWithinLimit: isWithinLimit && !isAlike, replacing: fits), isAlike)
    }

    /// Removes a claim for anything but an open endpoint.
    mutating func remove(_ key: ClaimKey, of owner: Session) {
        let place = Place(key)
        remove(place, of: owner) { _ in true }
        owner.claimedPlaces.remove(place)
    }

    /// Removes all claims after the stories have ended.
    mutating func removeAll() {
        lists = [:]
        count = 0
    }

    /// Removes all claims of a story.
    mutating func removeAll(of owner: Session) {
        for place in owner.claimedPlaces.elements { remove(place, of: owner) { _ in true } }
        owner.claimedPlaces = SmallSet()
    }

    private mutating func remove(_ place: Place, of owner: Session, where fits: (Claim) -> Bool) {
        guard let index = lists.index(forKey: place) else { return }
        count -= lists.values[index].remove(owner, where: fits)
        if lists.values[index].count == 0 { lists.remove(at: index) }
    }

    /// Returns the claims for a key, oldest first.
    func all(_ key: ClaimKey) -> [MatchedClaim] { lists[Place(key)]?.claims ?? [] }

    /// Returns the earliest session among the matching owners of claims for a key.
    func firstOwner(_ key: ClaimKey, where fits: (Session) -> Bool) -> Session? {
        lists[Place(key)]?.firstOwner(where: fits)
    }

    /// Returns the matching owner of the latest claim for a key.
    func lastOwner(_ key: ClaimKey, where fits: (Session) -> Bool) -> Session? {
        lists[Place(key)]?.last { fits($0.owner) }?.owner
    }

    /// Returns the owner of the latest claim for one key that also claims the other.
    func lastOwner(_ one: ClaimKey, and other: ClaimKey) -> Session? {
        let (one, other) = (Place(one), Place(other))
        guard let first = lists[one], let second = lists[other] else { return nil }
        // One of the keys may have many claims, such as those of all clients of a server.
        let (fewer, rest) = first.count <= second.count ? (first, other) : (second, one)
        return fewer.last { $0.owner.claimedPlaces.contains(rest) }?.owner
    }

    /// Returns the matching owner of the latest claim for a key, considering only the most recent claims.
    func latest(_ key: ClaimKey, where fits: (Session) -> Bool) -> Session? {
        var looked = 0
        return lists[Place(key)]?.last { matched in
            looked += 1
            return looked > Self.few || fits(matched.owner)
        }.flatMap { looked > Self.few ? nil : $0.owner }
    }

    /// Returns the claim that matches a flow between two endpoints: the newest, preferring one that names both. Claims
    /// with another peer match last, since the sender's address may differ from the signaled one.
    func match(_ one: Endpoint, _ other: Endpoint) -> MatchedClaim? {
        guard !lists.isEmpty else { return nil }
        let (first, second) = (lists[Place(.endpoint(one))], lists[Place(.endpoint(other))])
        return best(first, peer: other) ?? best(second, peer: one)
            ?? first?.last { _ in true } ?? second?.last { _ in true }
    }

    /// Whether there may be a claim that a flow between two endpoints matches. Mutating, to access the claims in place.
    mutating func mayMatch(_ one: Endpoint, _ other: Endpoint) -> Bool {
        guard !lists.isEmpty else { return false }
        return lists[Place(.endpoint(one))] != nil || lists[Place(.endpoint(other))] != nil
            || lists[Place(openEnd: one, peer: other.address)] != nil
            || lists[Place(openEnd: other, peer: one.address)] != nil
    }

    private func best(_ list: List?, peer: Endpoint) -> MatchedClaim? {
        guard let list else { return nil }
        return list.last { $0.claim.peer == peer }
            ?? list.last { $0.claim.peer == nil || $0.claim.peer?.address == peer.address }
    }

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
        guard let list = lists[Place(openEnd: endpoint, peer: peer.address)] else { return nil }
        let fitting = list.claims.filter { ($0.claim.since ?? start) <= start }
        guard let found = fitting.first, fitting.count == 1 else { return nil }
        close(endpoint, peer: peer.address, found)
        return (found, endpoint, peer)
    }

    /// Removes the open-endpoint claims for a flow whose endpoints are both known.
    ///
    /// - Parameter peer: The address of the other endpoint. For owners with few claims, those with another peer are
    ///   removed, too.
    mutating func close(_ endpoint: Endpoint, peer: IPAddress, _ matched: MatchedClaim) {
        func remove(_ place: Place) {
            self.remove(place, of: matched.owner) { $0.purpose == matched.claim.purpose }
        }
        guard matched.owner.claimedPlaces.count <= Self.few else { return remove(Place(openEnd: endpoint, peer: peer)) }
        // In place: a copy of one counts the references of its key.
        let places = matched.owner.claimedPlaces.elements
        for index in places.indices where places[index].isOpen(at: endpoint) { remove(places[index]) }
    }

    // MARK: - Flows

    /// Records the endpoints of a flow that matched a claim.
    mutating func note(_ flow: Int, _ one: Endpoint, _ other: Endpoint) {
        matched[one, default: []].append(flow)
        matched[other, default: []].append(flow)
    }

    /// Removes a flow that matched a claim.
    mutating func forget(_ flow: Int, _ one: Endpoint, _ other: Endpoint) {
        forget(flow, at: one)
        forget(flow, at: other)
    }

    private mutating func forget(_ flow: Int, at end: Endpoint) {
        guard let place = matched.index(forKey: end), let index = matched.values[place].lastIndex(of: flow) else {
            return
        }
        if matched.values[place].count == 1 {
            matched.remove(at: place)
        } else {
            matched.values[place].remove(at: index)
        }
    }

    /// Returns the flows with this endpoint that matched a claim.
    func flows(at endpoint: Endpoint) -> [Int] { matched[endpoint] ?? [] }
}
