import Testing
@testable import WeirEngine
@testable import WeirProtocols

@Suite("RTP-Info URLs and the SETUPs they refer to")
struct SetupNamesTests {
    private static let setups = [
        "rtsp://h/live/track1", "rtsp://h/live/track2", "rtsp://h/other/track1", "rtsp://h/live/trackID=3/",
    ]

    @Test(
        "equal, equal at the end, or with the same last component",
        arguments: [
            ("rtsp://h/live/track2", 1),
            ("rtsp://h/other/track1", 2),
            ("track2", 1),
            ("/live/track2", 1),
            ("live/track1", 0),
            ("other/track1", 2),
            ("rtsp://10.0.0.1:8554/else/track1", 0),
            ("proxy:rtsp://h/other/track1", 2),
            ("rtsp://h/live/trackID=3", 3),
            ("trackID=3", 3),
            ("rack2", nil),
            ("rtsp://h/live/track3", nil),
            ("rtsp://h/live", nil),
            ("/", nil),
            ("", nil),
        ] as [(String, Int?)])
    func named(_ url: String, _ place: Int?) {
        var names = SetupNames()
        for (index, uri) in Self.setups.enumerated() { names.add(uri, at: index) }
        #expect(names.index(of: url) == place)
    }

    @Test("each of many tracks with the same name is found")
    func namesakes() {
        var names = SetupNames()
        for index in 0..<200 { names.add("rtsp://h/camera\(index)/trackID=1", at: index) }
        for index in 0..<200 {
            #expect(names.index(of: "camera\(index)/trackID=1") == index)
            #expect(names.index(of: "rtsp://10.0.0.1/camera\(index)/trackID=1") == index)
        }
    }

    @Test("the first of equal URIs counts")
    func repeated() {
        var names = SetupNames()
        names.add("rtsp://h/a", at: 0)
        names.add("rtsp://h/a", at: 1)
        #expect(names.place(of: "rtsp://h/a") == 0)
        #expect(names.place(of: "rtsp://h/b") == nil)
    }
}
