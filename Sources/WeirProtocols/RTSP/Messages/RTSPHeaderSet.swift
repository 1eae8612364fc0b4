import WeirPackets

/// A set of the headers that RFC 2326 §12 and RFC 7826 §18 specify.
struct RTSPHeaderSet: OptionSet, Sendable {
    let rawValue: UInt64

    static let authenticationInfo = header("Authentication-Info")
    static let authorization = header("Authorization")
    static let contentBase = header("Content-Base")
    static let contentLength = header("Content-Length")
    static let contentType = header("Content-Type")
    static let cseq = header("CSeq")
    static let date = header("Date")
    static let proxyRequire = header("Proxy-Require")
    static let publicMethods = header("Public")
    static let range = header("Range")
    static let require = header("Require")
    static let rtpInfo = header("RTP-Info")
    static let session = header("Session")
    static let timestamp = header("Timestamp")
    static let transport = header("Transport")

    /// The names as specified; the position of a name is its bit.
    private static let names: [String] = [
        "Accept", "Accept-Encoding", "Accept-Language", "Accept-Ranges", "Allow", "Authentication-Info",
        "Authorization", "Bandwidth", "Blocksize", "Cache-Control", "Conference", "Connection", "Content-Base",
        "Content-Encoding", "Content-Language", "Content-Length", "Content-Location", "Content-Type", "CSeq", "Date",
        "Expires", "From", "Host", "If-Match", "If-Modified-Since", "Last-Modified", "Location", "Media-Properties",
        "Media-Range", "Notify-Reason", "Pipelined-Requests", "Proxy-Authenticate", "Proxy-Authorization",
        "Proxy-Require", "Public", "Range", "Referer", "Require", "Retry-After", "RTP-Info", "Scale", "Seek-Style",
        "Server", "Session", "Speed", "Supported", "Timestamp", "Transport", "Unsupported", "User-Agent", "Vary",
        "Via", "WWW-Authenticate",
    ]
    /// The keys of the names, at the same positions.
    private static let keys = names.map { HeaderField.key(of: $0) }
    /// The positions of the names in order of the remainders of their keys, and where those of each remainder begin.
    private static let (positions, begins) = byRemainder()
    private static let remainders = 64

    private static func remainder(_ key: UInt32) -> Int { Int(key &* 3 ^ key >> 16) & (remainders - 1) }

    private static func byRemainder() -> ([Int], [Int]) {
        let order = names.indices.sorted { (remainder(keys[$0]), $0) < (remainder(keys[$1]), $1) }
        let begins = (0...remainders).map { number in order.count { remainder(keys[$0]) < number } }
        return (order, begins)
    }

    private static func header(_ name: String) -> RTSPHeaderSet {
        RTSPHeaderSet(rawValue: names.firstIndex(of: name).map { 1 << UInt64($0) } ?? 0)
    }

    /// Returns the header with a name, ignoring case, and whether it is spelled as specified; an empty set for others.
    static func header(_ name: String, key: UInt32) -> (set: RTSPHeaderSet, isSpelled: Bool) {
        let remainder = remainder(key)
        for place in begins[remainder]..<begins[remainder + 1] where keys[positions[place]] == key {
            let position = positions[place]
            if names[position] == name { return (RTSPHeaderSet(rawValue: 1 << UInt64(position)), true) }
            if ASCII.equalIgnoringCase(names[position], name) {
                return (RTSPHeaderSet(rawValue: 1 << UInt64(position)), false)
            }
        }
        return ([], true)
    }
}
