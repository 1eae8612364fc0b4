import Testing
@testable import WeirProtocols

@Suite struct CommandKindTests {
    @Test func knownNames() {
        for kind in RTMPCommandKind.allCases { #expect(RTMPCommandKind(name: kind.rawValue) == kind) }
    }

    @Test(arguments: ["", "Connect", "connec", "connect ", "connect\u{301}", "call", "onPlayStatus", "@setDataFrames"])
    func otherNames(_ name: String) {
        #expect(RTMPCommandKind(name: name) == nil)
    }

    @Test func urls() throws {
        let url = try #require(RTMPURL("RTMP://user:pass@host:1936//live/instance/?key"))
        #expect(url.host == "host" && url.port == 1_936 && url.path == "live/instance")
        let bracketed = try #require(RTMPURL("rtmps://[2001:db8::1]/app"))
        #expect(bracketed.host == "2001:db8::1" && bracketed.port == 443 && bracketed.path == "app")
        #expect(RTMPURL("rtmpt://host")?.port == 80)
        let others = [
            "", "live", "rtmp:/host", "http://host/", "rtmp://", "rtmp://host:x/", "rtmp://[::1]x/",
            "rtmp:\u{301}x://h",
        ]
        for text in others {
            #expect(RTMPURL(text) == nil, "\(text)")
        }
    }
}
