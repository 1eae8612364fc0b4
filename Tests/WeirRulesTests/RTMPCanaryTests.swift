import CaptureTesting
import Testing
import WeirEngine
import WeirPackets
import WeirProtocols

/// Stream names are keys: no report shows one, wherever and in whatever form it is repeated.
@Suite("Canaries of RTMP") struct RTMPCanaryTests {
    private static let word = Canary.word

    private static let handshake = """
        C C0 3
        C C1
        S S0 3
        S S1
        S S2
        C C2
        """

    /// `{}` is the published name.
    private static let everywhere = """
        C 20 0 connect 1 {app=live/{}|tcUrl=rtmp://192.0.2.2/live/{}|swfUrl=rtmp://u:{}@h/|pageUrl=http://h/?token={}} {}
        S 20 0 _result 1 {fmsVer=FMS/3} {level=status|code=NetConnection.Connect.Success}
        C 20 0 whoIs 9 null {}
        C 20 0 releaseStream 2 null {}
        C 20 0 FCPublish 3 null {}
        C 20 0 createStream 4 null
        S 20 0 _result 4 null 1
        C 20 1 publish 5 null {} {}
        S 20 1 onStatus 0 null {level=status|code=NetStream.Publish.Start|description={}-is-published|details={}|clientid={}}
        C 18 1 @setDataFrame onMetaData {title={}|encoder={}|comment=of-{}}
        C 18 1 strange {}
        C 20 1 strange 0 null {} {a={}}
        S 20 1 onStatus 0 null {level=error|code=NetStream.Publish.BadName|description=Stream_{}_is_there}
        S 20 0 onStatus 0 null {code=NetConnection.Connect.ReconnectRequest|tcUrl=rtmp://192.0.2.2/live/{}|description={}}
        S 20 0 close 0 null {}
        """

    private static func reports(_ text: String) -> [(name: String, text: String)] {
        Canary.reports { RTMPScript(handshake + "\n" + text).play(into: $0, options: $1) }
    }

    @Test(
        "A stream name is never shown",
        arguments: [
            word, "mp4:\(word)", "live/\(word)", "\(word)?a=b", "x?token=\(word)", "x?\(word)", "flv:a/\(word).flv",
        ])
    func shown(_ name: String) {
        #expect(Canary.shown(in: Self.reports(Self.everywhere.replacing("{}", with: name))) == [])
    }

    @Test("An RTMP URL hides everything after the application, anywhere")
    func urls() {
        let text = """
            C 20 0 connect 1 {app=live#\(Self.word)|tcUrl=rtmp://192.0.2.2/live#\(Self.word)|swfUrl=rtmp://h/live/\(Self.word)}
            C 18 1 @setDataFrame onMetaData {comment=rtmp://h/live/\(Self.word)|url=from_rtmps://h/a/\(Self.word)?b=c}
            S 20 0 onStatus 0 null {code=NetConnection.Connect.ReconnectRequest|description=go_to_rtmp://h/live/\(Self.word)}
            """
        #expect(Canary.shown(in: Self.reports(text)) == [])
    }

    @Test("A server repeats it in other forms", arguments: ["mp4:\(word)", "live/\(word)", "\(word)?a=b"])
    func repeated(_ name: String) {
        let text = """
            C 20 0 connect 1 {app=live|tcUrl=rtmp://192.0.2.2/live}
            C 20 1 publish 5 null \(name) live
            S 20 1 onStatus 0 null {level=error|code=NetStream.Publish.BadName|description=No_\(Self.word).}
            """
        #expect(Canary.shown(in: Self.reports(text)) == [])
    }

    @Test("With more names than are kept, every word is hidden")
    func many() {
        let names = (0..<100).map { "C 20 1 FCPublish \($0) null name\($0)\(Self.word)" }
        let text = """
            C 20 0 connect 1 {app=live|tcUrl=rtmp://192.0.2.2/live}
            \(names.joined(separator: "\n"))
            S 20 1 onStatus 0 null {level=error|code=NetStream.Publish.BadName|description=No_name0\(Self.word).}
            C 18 1 onMetaData {title=name3\(Self.word)}
            """
        #expect(Canary.shown(in: Self.reports(text)) == [])
    }

    @Test("A name that is not captured appears in no text", arguments: ["error", "status"])
    func unheard(_ level: String) {
        let text = """
            C 20 0 connect 1 {app=live|tcUrl=rtmp://192.0.2.2/live}
            S 20 1 onStatus 0 null {level=\(level)|code=NetStream.Publish.BadName|description=No_\(Self.word).|details=\(Self.word)}
            C 18 1 @setDataFrame onMetaData {title=\(Self.word)|comment=of-\(Self.word)|streamName=\(Self.word)}
            C 20 1 publish 5 null \(Self.word) live
            S 20 1 onStatus 0 null {level=error|code=NetStream.Publish.BadName|description=No_\(Self.word).}
            """
        #expect(Canary.shown(in: Self.reports(text)) == [])
    }

    @Test("An application's query is not a name", arguments: ["live?\(word)", "live/?\(word)", "live?key=\(word)"])
    func applications(_ app: String) {
        let text = "C 20 0 connect 1 {app=\(app)|tcUrl=rtmp://192.0.2.2/\(app)}"
        #expect(Canary.shown(in: Self.reports(text)) == [])
    }

    @Test(
        "A server repeats a name in its own spelling",
        arguments: [
            ("mp4:\(word).mp4", "\(word)"), (word, word.lowercased()), ("a%5F\(word)", "a_\(word)"),
            ("a%2F\(word)", "\(word)"), ("\(word).stream", word.lowercased()),
        ])
    func read(_ name: String, _ repeated: String) {
        let text = """
            C 20 0 connect 1 {app=live|tcUrl=rtmp://192.0.2.2/live}
            C 20 1 publish 5 null \(name) live
            S 20 1 onStatus 0 null {level=status|code=NetStream.Publish.Start|description=\(repeated)_is_published|foo=\(repeated)}
            """
        let reports = Self.reports(text).map { (name: $0.name, text: $0.text.uppercased()) }
        #expect(Canary.shown(in: reports) == [])
    }

    @Test(
        "Values of connect are hidden in the response",
        arguments: [
            "app=live?token={}", "app=live/{}", "app=live|tcUrl=rtmp://u:{}@h/live", "app=live|password={}",
            "app=live|tcUrl=rtmp://h/live?user=a&response={}",
        ])
    func connected(_ members: String) {
        let text = """
            C 20 0 connect 1 {\(members.replacing("{}", with: Self.word))}
            S 20 0 _error 1 null {level=error|code=NetConnection.Connect.Rejected|description=no_\(Self.word)|details=bad-\(Self.word)}
            """
        #expect(Canary.shown(in: Self.reports(text)) == [])
    }

    @Test("Extra strings in a command are never shown")
    func beside() {
        let text = """
            C 20 0 connect 1 {app=live|tcUrl=rtmp://192.0.2.2/live}
            C 20 1 publish 5 null name live \(Self.word)
            C 20 1 publish 5 null name \(Self.word)
            C 20 1 closeStream 0 null \(Self.word)
            C 20 1 deleteStream 0 null \(Self.word)
            C 20 1 pause 0 null \(Self.word)
            C 20 0 FCPublish 6 null k\(Self.word)
            S 20 0 onStatus 0 null {level=status|code=k\(Self.word)}
            """
        #expect(Canary.shown(in: Self.reports(text)) == [])
    }

    @Test(
        "A name sent before the capture appears in no member, whatever other commands contain",
        arguments: [
            "S 20 1 onStatus 0 null {level=status|code=NetStream.Publish.Start|description=Publishing_{}|details={}}",
            "S 20 1 onStatus 0 null {level=status|code=NetStream.Publish.Start|message={}|reason=no_{}|streamname={}}",
            "C 18 1 @setDataFrame onMetaData {filename={}.flv|publishurl=live/{}|title={}}",
        ])
    func before(_ line: String) {
        let media = (0..<30).map { "C ts=\($0 * 40) 9 1 2701000000 x300" }.joined(separator: "\n")
        let text = """
            \(media)
            C 20 0 FCUnpublish 7 null other
            \(line.replacing("{}", with: Self.word))
            """
        let reports = Canary.reports { RTMPScript(text, startsLate: true).play(into: $0, options: $1) }
        #expect(Canary.shown(in: reports) == [])
        #expect(reports.contains { $0.text.contains("FCUnpublish") })
    }
}
