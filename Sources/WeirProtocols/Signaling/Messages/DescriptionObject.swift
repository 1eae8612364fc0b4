/// A session description as an object, with SDP lines as members: the format of the sdp-transform library and of
/// programs that send its objects.
enum DescriptionObject {
    /// Returns the description as text, or nil if the object is no description: one has an origin, and a list of media
    /// with ports and protocols.
    static func text(_ node: JSONNode) -> String? {
        guard let origin = node["origin"], let session = origin["sessionId"]?.word, let media = node["media"]?.elements,
            media.allSatisfy({ $0["type"] != nil && $0["port"] != nil && $0["protocol"] != nil })
        else { return nil }
        var lines = [
            "v=\(node["version"]?.word ?? "0")",
            "o=\(word(origin, "username")) \(session) \(origin["sessionVersion"]?.word ?? "0") IN "
                + "IP\(origin["ipVer"]?.word ?? "4") \(origin["address"]?.word ?? "0.0.0.0")",
            "s=\(word(node, "name"))",
            "t=\(node["timing"]?["start"]?.word ?? "0") \(node["timing"]?["stop"]?.word ?? "0")",
        ]
        for group in node["groups"]?.elements ?? [] {
            lines.append("a=group:\(group["type"]?.word ?? "BUNDLE") \(group["mids"]?.word ?? "")")
        }
        lines += transport(node)
        for medium in media { lines += self.medium(medium) }
        return lines.joined(separator: "\r\n") + "\r\n"
    }

    private static func word(_ node: JSONNode, _ name: String) -> String {
        let word = node[name]?.word ?? ""
        return word.isEmpty ? "-" : word
    }

    private static func medium(_ node: JSONNode) -> [String] {
        var lines = [
            "m=\(word(node, "type")) \(node["port"]?.word ?? "9") \(word(node, "protocol")) \(word(node, "payloads"))"
        ]
        if let connection = node["connection"], let address = connection["ip"]?.word {
            lines.append("c=IN IP\(connection["version"]?.word ?? "4") \(address)")
        }
        for map in node["rtp"]?.elements ?? [] {
            guard let type = map["payload"]?.word, let codec = map["codec"]?.word else { continue }
            let rate = map["rate"]?.word.map { "/\($0)" } ?? ""
            lines.append("a=rtpmap:\(type) \(codec)\(rate)" + (map["encoding"]?.word.map { "/\($0)" } ?? ""))
        }
        for parameters in node["fmtp"]?.elements ?? [] {
            guard let type = parameters["payload"]?.word, let config = parameters["config"]?.word else { continue }
            lines.append("a=fmtp:\(type) \(config)")
        }
        for map in node["ext"]?.elements ?? [] {
            guard let id = map["value"]?.word, let uri = map["uri"]?.word else { continue }
            lines.append("a=extmap:\(id)" + (map["direction"]?.word.map { "/\($0)" } ?? "") + " \(uri)")
        }
        if let mid = node["mid"]?.word { lines.append("a=mid:\(mid)") }
        if let direction = node["direction"]?.word { lines.append("a=\(direction)") }
        if node["rtcpMux"] != nil { lines.append("a=rtcp-mux") }
        lines += transport(node)
        for candidate in node["candidates"]?.elements ?? [] {
            if let line = ICECandidate.line(members: candidate) { lines.append("a=candidate:\(line)") }
        }
        return lines
    }

    /// Returns the lines that apply to the session or to a media section.
    private static func transport(_ node: JSONNode) -> [String] {
        var lines: [String] = []
        if let ufrag = node["iceUfrag"]?.word { lines.append("a=ice-ufrag:\(ufrag)") }
        if let password = node["icePwd"]?.word { lines.append("a=ice-pwd:\(password)") }
        if let hash = node["fingerprint"]?["hash"]?.word {
            lines.append("a=fingerprint:\(node["fingerprint"]?["type"]?.word ?? "sha-256") \(hash)")
        }
        if let setup = node["setup"]?.word { lines.append("a=setup:\(setup)") }
        return lines
    }
}
