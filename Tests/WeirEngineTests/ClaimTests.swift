import CaptureTesting
import Testing
import WeirPackets
@testable import WeirEngine

/// The number of claims is limited; claiming again replaces the earlier claim.
@Suite("Claims")
struct ClaimTests {
    private static func claim(_ port: UInt16) -> Claim {
        Claim(
            .endpoint(Endpoint(address: IPAddress(ipv4: 0xC000_0201), port: port)), protocolName: "rtp")
    }

    private static func session(_ number: Int) -> Session {
        let options = AnalyzerOptions()
        let timeline = SessionOutlet(options, Timeline(sink: AnalyzedTimeline()))
        return Session(
            SessionContext(
                id: number, client: Endpoint(address: IPAddress(ipv4: 1), port: 1),
                server: Endpoint(address: IPAddress(ipv4: 2), port: 2), limits: LimitsReference(options.limits),
                outlet: timeline))
    }

    @Test("a repeated claim is kept in a full table, and no other")
    func full() {
        var limits = Limits()
        limits.expectations = 1
        var claims = Claims(limits)
        let owner = Self.session(1)
        claims.add(Self.claim(5_000), of: owner)
        claims.add(Self.claim(5_000), of: owner)
        #expect(claims.dropped.all == 0 && claims.dropped.alike == 0)
        claims.add(Self.claim(6_000), of: owner)
        #expect(claims.dropped.all == 1 && claims.dropped.alike == 0)
        claims.removeAll(of: owner)
        claims.add(Self.claim(6_000), of: owner)
        #expect(claims.dropped.all == 1 && claims.dropped.alike == 0)
    }

    @Test("few are kept per endpoint, and those dropped are counted separately")
    func alike() {
        var limits = Limits()
        limits.expectationsAlike = 2
        var claims = Claims(limits)
        let owners = (1...3).map { Self.session($0) }
        for owner in owners + owners.prefix(2) { claims.add(Self.claim(5_000), of: owner) }
        #expect(claims.dropped.all == 0 && claims.dropped.alike == 1)
    }
}
