// RTSP sessions: descriptions and control URIs.

extension RTSPSession {
    /// The base of relative control URIs: Content-Base, Content-Location or the request's URI (RFC 2326 §C.1.1).
    func setBase(_ message: RTSPMessage, request: RTSPMessage) {
        baseURI = message.contentBase ?? message.contentLocation ?? request.uri
        uriOfDescription = request.uri
    }

    /// The medium whose control URI a SETUP named, as resolved or as many clients concatenate it.
    func mediumIndex(for uri: String) -> Int? {
        guard let description else { return nil }
        var bases: [String] = []
        for case let base? in [baseURI, uriOfDescription, self.uri] where !bases.contains(base) { bases.append(base) }
        let index = description.media.firstIndex { medium in
            guard let control = medium.control else { return false }
            if !control.isEmpty, control != "*", uri == control || uri.hasSuffix("/" + control) { return true }
            return bases.contains { base in
                ControlURL.resolve(control, base: base) == uri || ControlURL.concatenate(control, base: base) == uri
            }
        }
        return index ?? (description.media.count == 1 ? 0 : nil)
    }

    /// The setup that a URL of RTP-Info names: equal, or equal at the end (servers write relative URLs too).
    package func setupIndex(for url: String) -> Int? { setupNames.index(of: url) }

    /// The address that the description names for a medium: its own, or that of all.
    func group(ofMedium index: Int) -> String? {
        guard let description, description.media.indices.contains(index) else { return nil }
        return (description.media[index].connections.first ?? description.connection)?.address
    }

    /// The description of the medium that a setup is for.
    package func medium(ofSetup index: Int) -> MediaDescription? {
        guard setups.indices.contains(index), let medium = setups[index].mediumIndex,
            let media = description?.media, media.indices.contains(medium)
        else { return nil }
        return media[medium]
    }

    /// The setup whose granted channels contain `channel`.
    package func setupIndex(forChannel channel: Int) -> Int? {
        setups.firstIndex { $0.channels?.contains(channel) == true }
    }
}
