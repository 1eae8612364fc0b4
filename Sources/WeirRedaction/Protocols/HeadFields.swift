import WeirPackets

/// Finds the ends of heads, reading each octet once however many places are asked for.
struct HeadEnds {
    /// No head ends between these places, but one at the second.
    private var known = 0..<0
    private static let longest = 65_536

    /// Returns the place behind the empty line that ends a head, or nil.
    mutating func end(_ octets: [UInt8], _ start: Int) -> Int? {
        if !known.contains(start) {
            var place = start
            while place < octets.count, !Self.isEnd(octets, place) { place += 1 }
            known = start..<max(start, place)
        }
        let end = known.upperBound
        guard end < octets.count, end - start < Self.longest else { return nil }
        return end + (octets.byte(end + 1) == ASCII.lineFeed ? 2 : 3)
    }

    /// Whether an empty line follows a line feed.
    private static func isEnd(_ octets: [UInt8], _ place: Int) -> Bool {
        guard octets[place] == ASCII.lineFeed else { return false }
        let next = octets.byte(place + 1)
        return next == ASCII.lineFeed || next == ASCII.carriageReturn && octets.byte(place + 2) == ASCII.lineFeed
    }
}

/// What the head of an RTSP or HTTP message says of its body.
struct HeadFields {
    private(set) var length: Int?
    private(set) var isChunked = false
    private(set) var isDescription = false
    private(set) var isUpgraded = false
    private(set) var isTunnel = false
    private(set) var isPost = false
    private(set) var isRTMPT = false

    /// The longest start line that is looked at.
    private static let longestLine = 2_048
    private static let versions = ["RTSP/", "HTTP/"].map { Array($0.utf8) }

    /// Whether a start line of RTSP or HTTP begins at a place: a line with a version.
    static func isStartLine(_ octets: [UInt8], _ start: Int) -> Bool {
        guard ASCII.isLetter(octets[start]) else { return false }
        var place = start
        while place < octets.count, place - start < longestLine, octets[place] != ASCII.lineFeed {
            if octets[place] == ASCII.slash, place - start >= 4,
                versions.contains(where: { octets[(place - 4)...place].elementsEqual($0) })
            {
                return true
            }
            place += 1
        }
        return false
    }

    init(_ head: ArraySlice<UInt8>) {
        let lines = head.split(whereSeparator: { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn }).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard let first = lines.first else { return }
        isPost = first.hasPrefix("POST")
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = parts[1].drop { $0 == " " }.lowercased()
            switch parts[0].lowercased() {
            case "content-length": length = Int(value).flatMap { $0 >= 0 ? $0 : nil }
            case "transfer-encoding": isChunked = value.contains("chunked")
            case "content-type":
                isDescription = value.contains("sdp")
                isTunnel = value.contains("x-rtsp-tunnelled")
                isRTMPT = value.contains("x-fcs")
            case "upgrade":
                isUpgraded = value.contains("websocket") && first.contains(" 101 ") || first.hasPrefix("GET")
            case "x-sessioncookie", "accept": isTunnel = isTunnel || value.contains("x-rtsp-tunnelled")
            default: break
            }
        }
        if isTunnel, !isPost, first.hasPrefix("GET") { isTunnel = false }
    }
}
