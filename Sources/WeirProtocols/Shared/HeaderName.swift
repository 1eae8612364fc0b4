import WeirPackets

/// The names of the header fields that RFC 2326 §12 and RFC 7826 §18 specify.
enum HeaderName: UInt8, CaseIterable, Sendable {
    case accept, acceptEncoding, acceptLanguage, acceptRanges, allow, authenticationInfo, authorization, bandwidth,
        blocksize, cacheControl, conference, connection, contentBase, contentEncoding, contentLanguage,
        contentLength, contentLocation, contentType, cseq, date, expires, from, host, ifMatch, ifModifiedSince,
        lastModified, location, mediaProperties, mediaRange, notifyReason, pipelinedRequests, proxyAuthenticate,
        proxyAuthorization, proxyRequire, publicMethods, range, referer, require, retryAfter, rtpInfo, scale,
        seekStyle, server, session, speed, supported, timestamp, transport, unsupported, userAgent, vary, via,
        wwwAuthenticate

    /// The name as specified.
    var text: String {
        switch self {
        case .accept: "Accept"
        case .acceptEncoding: "Accept-Encoding"
        case .acceptLanguage: "Accept-Language"
        case .acceptRanges: "Accept-Ranges"
        case .allow: "Allow"
        case .authenticationInfo: "Authentication-Info"
        case .authorization: "Authorization"
        case .bandwidth: "Bandwidth"
        case .blocksize: "Blocksize"
        case .cacheControl: "Cache-Control"
        case .conference: "Conference"
        case .connection: "Connection"
        case .contentBase: "Content-Base"
        case .contentEncoding: "Content-Encoding"
        case .contentLanguage: "Content-Language"
        case .contentLength: "Content-Length"
        case .contentLocation: "Content-Location"
        case .contentType: "Content-Type"
        case .cseq: "CSeq"
        case .date: "Date"
        case .expires: "Expires"
        case .from: "From"
        case .host: "Host"
        case .ifMatch: "If-Match"
        case .ifModifiedSince: "If-Modified-Since"
        case .lastModified: "Last-Modified"
        case .location: "Location"
        case .mediaProperties: "Media-Properties"
        case .mediaRange: "Media-Range"
        case .notifyReason: "Notify-Reason"
        case .pipelinedRequests: "Pipelined-Requests"
        case .proxyAuthenticate: "Proxy-Authenticate"
        case .proxyAuthorization: "Proxy-Authorization"
        case .proxyRequire: "Proxy-Require"
        case .publicMethods: "Public"
        case .range: "Range"
        case .referer: "Referer"
        case .require: "Require"
        case .retryAfter: "Retry-After"
        case .rtpInfo: "RTP-Info"
        case .scale: "Scale"
        case .seekStyle: "Seek-Style"
        case .server: "Server"
        case .session: "Session"
        case .speed: "Speed"
        case .supported: "Supported"
        case .timestamp: "Timestamp"
        case .transport: "Transport"
        case .unsupported: "Unsupported"
        case .userAgent: "User-Agent"
        case .vary: "Vary"
        case .via: "Via"
        case .wwwAuthenticate: "WWW-Authenticate"
        }
    }

    /// Returns the name that `count` octets at `start` are, spelled as specified; nil for others, and for the longest.
    ///
    /// Two loads contain all octets of up to 16, so that most names are found without a string.
    init?(spelled bytes: RawSpan, at start: Int, count: Int) {
        guard let spelling = Spelling(bytes, at: start, count: count) else { return nil }
        let table = Self.table
        var place = spelling.place
        while let entry = table[place] {
            if entry.spelling == spelling {
                self = entry.name
                return
            }
            place = (place + 1) % Self.places
        }
        return nil
    }

    /// Returns the name that a text is, ignoring case, or nil for others.
    init?(_ text: String) {
        guard let name = Self.allCases.first(where: { ASCII.equalIgnoringCase($0.text, text) }) else { return nil }
        self = name
    }
}

extension HeaderName {
    /// The octets of a name of at most 16, in two numbers.
    private struct Spelling: Equatable {
        private let first: UInt64
        private let last: UInt64
        private let count: Int

        init?(_ bytes: RawSpan, at start: Int, count: Int) {
            guard count > 0, count <= 16, let word = bytes.uint64(at: start) else { return nil }
            self.count = count
            guard count > 8 else {
                (first, last) = (word >> UInt64(64 &- count &* 8), 0)
                return
            }
            guard let end = bytes.uint64(at: start &+ count &- 8) else { return nil }
            (first, last) = (word, end)
        }

        /// Where a search for it begins.
        var place: Int {
            Int(truncatingIfNeeded: ((first ^ last &* 31) &* 0x9E37_79B9_7F4A_7C15) >> 56)
        }
    }

    /// As many as the highest eight bits of a product have values.
    private static let places = 256

    /// The names, each at the first free place from that of its spelling on.
    private static let table: [(spelling: Spelling, name: HeaderName)?] = {
        var table = [(spelling: Spelling, name: HeaderName)?](repeating: nil, count: places)
        for name in allCases {
            let octets = Array(name.text.utf8)
            // Of short names, eight octets are loaded.
            let padded = octets + [UInt8](repeating: 0, count: 8)
            guard let spelling = Spelling(padded.rawSpan, at: 0, count: octets.count) else { continue }
            var place = spelling.place
            while table[place] != nil { place = (place + 1) % places }
            table[place] = (spelling, name)
        }
        return table
    }()
}
