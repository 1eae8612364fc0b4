import WeirEngine
import WeirPackets

/// RTMP-CONNECT: the first command is a complete `connect`.
///
/// Its transaction ID is always 1, and its command object contains `app`, the application, and `tcUrl`, the server's
/// URL (RTMP §7.2.1.1); every example starts with it (§7.3.1).
struct RTMPConnectFirst: Rule {
    static let info = RuleInfo(
        "RTMP-CONNECT", .error, .plain, reference: "RTMP §7.2.1.1",
        check: "The client's first command is connect, with transaction 1 and an object that has app and tcUrl.",
        example: "createStream (transaction 1)")

    private var hasSentData = false

    static var sorts: MessageSorts { .rtmpCommand }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let said = step.clientCommand else { return }
        let isFirst = !hasSentData
        hasSentData = true
        if said.kind == .connect {
            judge(said, &judgement)
        } else if isFirst {
            if step.mayHaveMissed {
                judgement.inconclusive(Text("RTMP-CONNECT.inconclusive"))
            } else {
                judgement.fail(Text("RTMP-CONNECT.notFirst", .wire(said.name)), subject: "first")
            }
        }
    }

    private func judge(_ said: RTMPCommandView, _ judgement: inout Judgement) {
        var isKept = true
        if said.transactionID != 1 {
            isKept = false
            judgement.fail(
                Text("RTMP-CONNECT.transaction"), expected: .wire("1"), actual: .wire(said.transactionText),
                subject: "transaction")
        }
        let object = said.arguments.first
        guard object?.properties != nil else {
            judgement.fail(Text("RTMP-CONNECT.noObject"), subject: "object")
            return
        }
        for name in ["app", "tcUrl"] where (object?[name]?.text ?? "").isEmpty {
            isKept = false
            let key = object?[name]?.text == nil ? "RTMP-CONNECT.missing" : "RTMP-CONNECT.empty"
            judgement.fail(Text(key, .string(name)), subject: name)
        }
        if isKept { judgement.pass() }
    }
}

/// RTMP-TCURL: `tcUrl` matches the server and application in use.
///
/// It has the form `protocol://servername:port/appName/appInstance` (RTMP §7.2.1.1). A different port or application
/// makes servers with several virtual hosts select the wrong one. A host name cannot be compared with an address, and
/// if one of two addresses is private, a NAT may be in between: then the finding is a note.
struct RTMPTargetURL: Rule {
    static let info = RuleInfo(
        "RTMP-TCURL", .warning, .plain, reference: "RTMP §7.2.1.1",
        check: "Address, port and application in tcUrl match the connection and app.",
        example: "app \"live\", tcUrl rtmp://192.0.2.1:1936/other")

    static var sorts: MessageSorts { .rtmpConnect }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let said = step.clientCommand, said.kind == .connect, let object = said.arguments.first,
            let text = object["tcUrl"]?.text
        else { return }
        guard let url = RTMPURL(text) else {
            judgement.fail(Text("RTMP-TCURL.form"), subject: "form")
            return
        }
        var isKept = true
        if let address = IPAddress(url.host), address != step.event.destination.address {
            isKept = false
            let server = step.event.destination.address
            judgement.fail(
                Text("RTMP-TCURL.address"), expected: .wire("\(server)"), actual: .wire(url.host),
                severity: address.isPrivate != server.isPrivate ? .note : nil, subject: "address")
        }
        if url.port != step.event.destination.port {
            isKept = false
            judgement.fail(
                Text("RTMP-TCURL.port"), expected: .wire("\(step.event.destination.port)"),
                actual: .wire("\(url.port)"), subject: "port")
        }
        if let app = object["app"]?.text, RTMPURL.path(app) != url.path {
            isKept = false
            judgement.fail(Text("RTMP-TCURL.application"), subject: "application")
        }
        if isKept { judgement.pass() }
    }
}

/// The components of a `tcUrl`.
struct RTMPURL {
    let host: String
    let port: UInt16
    /// The application, without leading and trailing slashes and without a query.
    let path: String

    init?(_ text: String) {
        let octets = Array(text.utf8)
        guard let colon = octets.firstIndex(of: ASCII.colon),
            // A mark combined with the colon makes it another character.
            text[text.utf8.index(text.startIndex, offsetBy: colon)] == ":",
            let start = Self.endOfScheme(octets),
            let usual = Self.usualPort(TextSyntax.lowercased(TextSyntax.text(octets, 0..<colon)))
        else { return nil }
        let end = octets[start...].firstIndex { $0 == ASCII.slash || $0 == Self.question } ?? octets.count
        // Behind the user information and an `@`.
        let place = octets[start..<end].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start
        let isBracketed = place < end && octets[place] == UInt8(ascii: "[")
        let first = isBracketed ? place + 1 : place
        let last = octets[first..<end].firstIndex(of: isBracketed ? UInt8(ascii: "]") : ASCII.colon) ?? end
        guard first < last else { return nil }
        host = TextSyntax.text(octets, first..<last)
        let behind = min(end, isBracketed ? last + 1 : last)
        let digits = min(end, behind + 1)..<end
        let number = TextSyntax.decimal(octets, digits, as: UInt16.self)
        guard behind == end || octets[behind] == ASCII.colon, digits.isEmpty || number != nil else { return nil }
        port = number ?? usual
        path = Self.path(octets, end..<octets.count)
    }

    private static let question = UInt8(ascii: "?")

    /// Returns the index after the first `://`, or nil if there is none.
    private static func endOfScheme(_ octets: [UInt8]) -> Int? {
        ASCII.range(of: [ASCII.colon, ASCII.slash, ASCII.slash], in: octets[...])?.upperBound
    }

    private static func usualPort(_ scheme: String) -> UInt16? {
        switch scheme {
        case "rtmp", "rtmpe": 1935
        case "rtmps", "rtmpts": 443
        case "rtmpt", "rtmpte": 80
        default: nil
        }
    }

    /// The application path, normalized for comparison.
    static func path(_ text: String) -> String {
        let octets = Array(text.utf8)
        return path(octets, 0..<octets.count)
    }

    private static func path(_ octets: [UInt8], _ range: Range<Int>) -> String {
        var start = range.lowerBound
        var end = octets[range].firstIndex(of: question) ?? range.upperBound
        while start < end, octets[start] == ASCII.slash { start += 1 }
        while start < end, octets[end - 1] == ASCII.slash { end -= 1 }
        return TextSyntax.text(octets, start..<end)
    }
}

/// RTMP-CODEC-FLAGS: `audioCodecs` and `videoCodecs` are bit masks.
///
/// Each codec is one bit (RTMP §7.2.1.1: AAC 0x400, H.264 0x80). Programs that write the FLV codec number instead (AAC
/// 10, H.264 7; FLV 10.1 §E.4.2.1, §E.4.3.1) announce codecs that are no longer in use.
struct RTMPCodecFlags: Rule {
    static let info = RuleInfo(
        "RTMP-CODEC-FLAGS", .note, .plain, reference: "RTMP §7.2.1.1",
        check: "audioCodecs and videoCodecs in connect are flags, not FLV codec numbers.",
        example: "audioCodecs 10, videoCodecs 7")

    static var sorts: MessageSorts { .rtmpConnect }

    mutating func observe(_ step: Step, _ judgement: inout Judgement) {
        guard let said = step.clientCommand, said.kind == .connect, let object = said.arguments.first else { return }
        for (name, known) in [("audioCodecs", 0x400), ("videoCodecs", 0x80)] {
            guard let number = object[name]?.number, let flags = Int(exactly: number) else { continue }
            // FLV codec numbers are below 16.
            if (1...15).contains(flags), flags & known == 0, flags.nonzeroBitCount > 1 {
                judgement.fail(
                    Text("RTMP-CODEC-FLAGS.number", .string(name), .integer(flags)), actual: .wire("\(flags)"),
                    subject: name)
            } else {
                judgement.pass()
            }
        }
    }
}

extension RTMPCommandView {
    /// The transaction ID as text.
    var transactionText: String {
        guard let transactionID else { return "none" }
        return Int(exactly: transactionID).map { "\($0)" } ?? "\(transactionID)"
    }
}
