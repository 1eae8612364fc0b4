import Testing
import WeirPackets
@testable import WeirEngine
@testable import WeirProtocols

@Suite("Descriptions that share a template")
struct DescriptionTemplateTests {
    private static func text(
        origin: String = "- 1 2 IN IP4 192.0.2.1", name: String = "Camera 1", rest: String = video, end: String = "\r\n"
    ) -> String {
        ["v=0", "o=\(origin)", "s=\(name)", "c=IN IP4 192.0.2.1", "t=0 0", rest].joined(separator: end) + end
    }

    private static let video = "m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=control:track1"

    /// Another description, and whether it shares the template of `text()`.
    private static let others: [(text: String, isShared: Bool)] = [
        (text(), true),
        (text(origin: "user 77 78 IN IP4 198.51.100.7"), true),
        (text(name: "Entrance"), true),
        (text(origin: "- 1 2 IN IP6 2001:db8::1"), false),
        (text(origin: "- 1 2 in IP4 192.0.2.1"), false),
        (text(origin: "- 1 2 IN IP4"), false),
        (text(origin: "- 1 2 IN IP4 192.0.2.1 "), false),
        (text(origin: "- x 2 IN IP4 192.0.2.1"), false),
        (text(name: ""), false),
        (text(rest: video.replacing("track1", with: "track2")), false),
        (text(rest: video.replacing("96", with: "97")), false),
        (text(rest: video + "\r\na=recvonly"), false),
        (text(end: "\n"), false),
        ("v=0\r\ns=Camera 1\r\no=- 1 2 IN IP4 192.0.2.1\r\n", false),
        ("v=0\r\no=- 1 2 IN IP4 192.0.2.1\r\ns=Camera 1\r\n", false),
        ("", false),
    ]

    @Test("are equal to those parsed alone", arguments: others)
    func sameDescription(other: String, isShared: Bool) throws {
        let templates = DescriptionTemplates()
        func parse(_ text: String) -> SessionDescription {
            let octets = Array(text.utf8)
            let description = templates.description(octets.rawSpan, limits: Limits())
            #expect(description == SessionDescription(octets.rawSpan, role: .presentation))
            return description
        }
        let first = try #require(parse(Self.text()).sharedContent)
        let second = parse(other).sharedContent
        #expect((second === first) == isShared)
        #expect(parse(Self.text()).sharedContent === first)
    }

    @Test func formatsAreThoseOfTheMedia() throws {
        let octets = Array(Self.text().utf8)
        let description = DescriptionTemplates().description(octets.rawSpan, limits: Limits())
        let formats = try #require(description.shared.template).formats
        #expect(formats.count == 1)
        #expect(formats[0].map(\.type) == [96])
        #expect(formats[0].first?.format == description.media[0].mediaFormats(isEncrypted: false).first?.format)
    }

    @Test func oldTemplatesAreForgotten() throws {
        let templates = DescriptionTemplates()
        func content(_ number: Int) -> AnyObject? {
            let octets = Array(Self.text(rest: Self.video + "\(number)").utf8)
            return templates.description(octets.rawSpan, limits: Limits()).sharedContent
        }
        let first = try #require(content(1))
        for number in 2...40 { _ = content(number) }
        #expect(content(1) !== first)
    }
}
