import WeirPackets

/// What stories lay claim to, found by what is claimed.
struct Claims {
    /// Claims for the same thing, oldest first.
    private struct List {
        /// As many are looked through; of more it is counted whose they are.
        private static let few = 8

        /// The claims, and nothing where one was taken out: those behind it stay where they are, since stories end in the order in
        /// which they began, and would move all of them each time.
        private var places: [MetClaim?] = []
        /// The place of the oldest.
        private var first = 0
        private(set) var count = 0
        /// How many of them each owner has, once they are many: nearly always none, when one more comes.
        private var owners: [Int: Int] = [:]

        /// Takes out those of an owner that fit; returns how many.
        mutating func remove(_ owner: Session, where fits: (Claim) -> Bool) -> Int {
            var left = count
            if count > Self.few {
                if owners.isEmpty { for claim in claims { owners[claim.owner.id, default: 0] += 1 } }
                left = owners[owner.id] ?? 0
            }
            var removed = 0
            var place = first
            // Of an owner that has few the rest is not walked.
            while left > 0, place < places.count {
                defer { place += 1 }
                guard let met = places[place], met.owner === owner else { continue }
                left -= 1
                guard fits(met.claim) else { continue }
                places[place] = nil
                removed += 1
            }
            count -= removed
            tidy()
            if !owners.isEmpty { owners[owner.id] = owners[owner.id].flatMap { $0 > removed ? $0 - removed : nil } }
            return removed
        }

        /// Appends a claim in place of those of its owner that it replaces; returns how many these were, or nil when there is
        /// no room for one more.
        mutating func put(_ claim: MetClaim, hasRoom: Bool, replacing fits: (Claim) -> Bool) -> Int? {
            let removed = remove(claim.owner, where: fits)
            guard removed > 0 || hasRoom else { return nil }
            places.append(claim)
            count += 1
            if !owners.isEmpty { owners[claim.owner.id, default: 0] += 1 }
            return removed
        }

        /// Passes what was taken out at the front, and moves the rest up once most of the places are free.
        private mutating func tidy() {
            while first < places.count, places[first] == nil { first += 1 }
            guard places.count > 2 * count + Self.few else { return }
            places = claims
            first = 0
        }

        /// The claims, oldest first.
        var claims: [MetClaim] { places[first...].compactMap { $0 } }

        /// The owner that began first, of those that fit.
        func firstOwner(where fits: (Session) -> Bool) -> Session? {
            var found: Session?
            for case let met? in places[first...] where met.owner.id < found?.id ?? .max && fits(met.owner) {
                found = met.owner
            }
            return found
        }

        /// The newest that fits.
        func last(where fits: (MetClaim) -> Bool) -> MetClaim? {
            for case let met? in places[first...].reversed() where fits(met) { return met }
            return nil
        }
    }

    /// What is looked up: of an open end the address of its peer as well, since servers may send all media from one port.
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
    }

    /// Claims of one story that are looked through one by one.
    private static let few = 64
    private var lists: [Place: List] = [:]
    /// The flows that met claims, by either end, as places in the flow table.
    private var met: [Endpoint: [Int]] = [:]
    private var count = 0
    private let limit: Int
    /// Most claims for one thing.
    private let limitAlike: Int
    /// Grows with every claim, so that a flow looked up in vain is looked up again only when there is news.
    private(set) var generation = 0
    /// Claims dropped because there were too many in all, and too many for one thing.
    private(set) var dropped = (all: 0, alike: 0)

    init(_ limits: Limits) {
        limit = limits.expectations
        limitAlike = limits.expectationsAlike
    }

    /// Lays a claim. The same one laid again, as by a repeated request, replaces the former.
    mutating func add(_ claim: Claim, of owner: Session) {
        let place = Place(claim)
        let isOpen = if case .openEnd = claim.key { true } else { false }
        let (known, isAlike) = Self.put(
            MetClaim(claim: claim, owner: owner), in: &lists[place, default: List()], hasRoom: count < limit,
            limitAlike
        ) { isOpen ? $0.purpose == claim.purpose : $0.peer == claim.peer }
        guard let known else {
            if lists[place]?.count == 0 { lists[place] = nil }
            // That what was claimed does not come says nothing then.
            owner.noteLimit()
            if isAlike { dropped.alike += 1 } else { dropped.all += 1 }
            return
        }
        count += 1 - known
        if known == 0 { owner.claimedPlaces.insert(place) }
        if case .name = claim.key { return }
        generation += 1
    }

    /// Puts a claim in place, in one access. Also says whether there were too many for the same thing.
    private static func put(
        _ claim: MetClaim, in list: inout List, hasRoom: Bool, _ limitAlike: Int, replacing fits: (Claim) -> Bool
    ) -> (known: Int?, isAlike: Bool) {
        let isAlike = list.count >= limitAlike
        return (list.put(claim, hasRoom: hasRoom && !isAlike, replacing: fits), isAlike)
    }

    /// Forgets a claim, of anything but an open end.
    mutating func remove(_ key: ClaimKey, of owner: Session) {
        let place = Place(key)
        remove(place, of: owner) { _ in true }
        owner.claimedPlaces.remove(place)
    }

    /// Forgets all claims: the stories are over.
    mutating func removeAll() {
        lists = [:]
        count = 0
    }

    /// Forgets all that a story claims.
    mutating func removeAll(of owner: Session) {
        for place in owner.claimedPlaces { remove(place, of: owner) { _ in true } }
        owner.claimedPlaces = []
    }

    private mutating func remove(_ place: Place, of owner: Session, where fits: (Claim) -> Bool) {
        guard let removed = lists[place]?.remove(owner, where: fits) else { return }
        count -= removed
        if lists[place]?.count == 0 { lists[place] = nil }
    }

    /// The claims for something, oldest first.
    func all(_ key: ClaimKey) -> [MetClaim] { lists[Place(key)]?.claims ?? [] }

    /// The owner of a claim for something that began first, of those that fit.
    func firstOwner(_ key: ClaimKey, where fits: (Session) -> Bool) -> Session? {
        lists[Place(key)]?.firstOwner(where: fits)
    }

    /// The owner of the last claim for something that fits.
    func lastOwner(_ key: ClaimKey, where fits: (Session) -> Bool) -> Session? {
        lists[Place(key)]?.last { fits($0.owner) }?.owner
    }

    /// The owner of the last claim for one of two things that claims the other as well.
    func lastOwner(_ one: ClaimKey, and other: ClaimKey) -> Session? {
        let (one, other) = (Place(one), Place(other))
        guard let first = lists[one], let second = lists[other] else { return nil }
        // Many may claim one of the two, as all clients of a server.
        let (fewer, rest) = first.count <= second.count ? (first, other) : (second, one)
        return fewer.last { $0.owner.claimedPlaces.contains(rest) }?.owner
    }

    /// The last owner of a claim for something that fits, among the latest few.
    func latest(_ key: ClaimKey, where fits: (Session) -> Bool) -> Session? {
        var looked = 0
        return lists[Place(key)]?.last { met in
            looked += 1
            return looked > Self.few || fits(met.owner)
        }.flatMap { looked > Self.few ? nil : $0.owner }
    }

    /// The claim that a flow between `one` and `other` meets: the newest, and one that names both ends first. Who is told to
    /// listen at a port hears whoever sends there: the sender's address may be another than was said.
    func match(_ one: Endpoint, _ other: Endpoint) -> MetClaim? {
        guard !lists.isEmpty else { return nil }
        let (first, second) = (lists[Place(.endpoint(one))], lists[Place(.endpoint(other))])
        return best(first, peer: other) ?? best(second, peer: one)
            ?? first?.last { _ in true } ?? second?.last { _ in true }
    }

    private func best(_ list: List?, peer: Endpoint) -> MetClaim? {
        guard let list else { return nil }
        return list.last { $0.claim.peer == peer }
            ?? list.last { $0.claim.peer == nil || $0.claim.peer?.address == peer.address }
    }

    /// The claim of an open end that a flow meets, which is closed by it, and the end that was not said. Only one beside
    /// which nothing else is claimed.
    ///
    /// - Parameter start: when the flow began.
    mutating func takeOpen(
        _ one: Endpoint, _ other: Endpoint, start: Timestamp
    ) -> (met: MetClaim, server: Endpoint, peer: Endpoint)? {
        takeOpen(at: one, peer: other, start) ?? takeOpen(at: other, peer: one, start)
    }

    private mutating func takeOpen(
        at endpoint: Endpoint, peer: Endpoint, _ start: Timestamp
    ) -> (met: MetClaim, server: Endpoint, peer: Endpoint)? {
        guard let list = lists[Place(openEnd: endpoint, peer: peer.address)] else { return nil }
        let fitting = list.claims.filter { ($0.claim.since ?? start) <= start }
        guard let found = fitting.first, fitting.count == 1 else { return nil }
        close(endpoint, peer: peer.address, found)
        return (found, endpoint, peer)
    }

    /// Both ends of a flow are known now.
    ///
    /// - Parameter peer: the other end. Who has laid few claims may have named another one.
    mutating func close(_ endpoint: Endpoint, peer: IPAddress, _ met: MetClaim) {
        var places = [Place(openEnd: endpoint, peer: peer)]
        if met.owner.claimedPlaces.count <= Self.few {
            places = Array(met.owner.claimedPlaces).filter { $0.key == .openEnd(endpoint) }
        }
        for place in places { remove(place, of: met.owner) { $0.purpose == met.claim.purpose } }
    }

    // MARK: - Flows

    /// Notes the ends of a flow that met a claim.
    mutating func note(_ flow: Int, _ one: Endpoint, _ other: Endpoint) {
        met[one, default: []].append(flow)
        met[other, default: []].append(flow)
    }

    /// Forgets a flow that met a claim.
    mutating func forget(_ flow: Int, _ one: Endpoint, _ other: Endpoint) {
        for end in [one, other] {
            guard let index = met[end]?.lastIndex(of: flow) else { continue }
            met[end]?.remove(at: index)
            if met[end]?.isEmpty == true { met[end] = nil }
        }
    }

    /// The flows with this end that met a claim.
    func flows(at endpoint: Endpoint) -> [Int] { met[endpoint] ?? [] }
}
