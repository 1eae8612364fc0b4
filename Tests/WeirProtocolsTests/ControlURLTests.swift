import Testing
@testable import WeirEngine
@testable import WeirProtocols

@Suite struct ControlURLTests {
    static let urls: [(String, String, String, String)] = [
        ("track1", "rtsp://h/live/", "rtsp://h/live/track1", "rtsp://h/live/track1"),
        ("track1", "rtsp://h/live.264", "rtsp://h/track1", "rtsp://h/live.264/track1"),
        ("*", "rtsp://h/live", "rtsp://h/live", "rtsp://h/live"),
        ("", "rtsp://h/live/", "rtsp://h/live/", "rtsp://h/live/"),
        ("rtsp://x/y", "rtsp://h/live", "rtsp://x/y", "rtsp://x/y"),
        ("track1", "rtsp://h", "rtsp://h/track1", "rtsp://h/track1"),
        ("/t?x=1", "rtsp://h:554/a/b?u=1", "rtsp://h:554/t?x=1", "rtsp://h:554/a/b?u=1/t?x=1"),
        ("trackID=1", "rtsp://h/cam?channel=1&sub=0", "rtsp://h/trackID=1", "rtsp://h/cam?channel=1&sub=0/trackID=1"),
        ("../t", "rtsp://h/a/b/", "rtsp://h/a/t", "rtsp://h/a/b/../t"),
        ("track1", "192.0.2.1/live/", "192.0.2.1/live/track1", "192.0.2.1/live/track1"),
    ]

    @Test(arguments: urls)
    func resolved(_ control: String, _ base: String, _ resolved: String, _ concatenated: String) {
        #expect(ControlURL.resolve(control, base: base) == resolved)
        #expect(ControlURL.concatenate(control, base: base) == concatenated)
        let isPlain = control == "track1" && base == "rtsp://h/live/"
        #expect(ControlURL.isPlainlyResolved(resolved, control, base: base) == isPlain)
    }

    @Test func baseIsLookedForInOrder() {
        let request = "rtsp://h/a"
        #expect(
            ControlURL.base(contentBase: "rtsp://h/b/", contentLocation: "rtsp://h/c", requestURI: request)
                == "rtsp://h/b/")
        #expect(ControlURL.base(contentBase: nil, contentLocation: "c", requestURI: request) == "rtsp://h/c")
        #expect(ControlURL.base(contentBase: " ", contentLocation: nil, requestURI: request) == request)
    }
}
