import WeirPackets

// Descriptions and control URIs.

extension RTSPSession {
    /// Sets the base of relative control URIs: Content-Base, Content-Location or the request URI (RFC 2326 §C.1.1).
    func setBase(_ message: RTSPMessage, request: RTSPMessage) {
        baseURI = message.contentBase ?? message.contentLocation ?? request.uri
        uriOfDescription = request.uri
    }

    /// Returns the medium whose control URI a SETUP used, either resolved or, as by many clients, concatenated.
    func mediumIndex(for uri: String) -> Int? {
        guard let media = description?.media else { return nil }
        // By index: a copy of a medium counts twenty references.
        let index = media.indices.first { index in
            guard let control = media[index].attributes.first("control") else { return false }
            if ControlURL.isPlain(control), !uri.hasSuffix(control) { return false }
            if !control.isEmpty, control != "*", uri == control || TextSyntax.endsWith(uri, ASCII.slash, control) {
                return true
            }
            return isResolved(uri, control)
        }
        return index ?? (media.count == 1 ? 0 : nil)
    }

    /// Whether a URI is a control URL, resolved against one of the possible bases or concatenated with it.
    private func isResolved(_ uri: String, _ control: String) -> Bool {
        [baseURI, uriOfDescription, self.uri].contains { base in
            guard let base else { return false }
            return ControlURL.resolve(control, base: base) == uri || ControlURL.concatenate(control, base: base) == uri
        }
    }

    /// Returns the setup of an RTP-Info URL: equal, or with an equal end, since servers also send relative URLs.
    func setupIndex(for url: String) -> Int? { setupNames.index(of: url) }

    /// Returns the connection address of a medium: its own, or that of the session level.
    func group(ofMedium index: Int) -> String? {
        guard let description, description.media.indices.contains(index) else { return nil }
        return (description.media[index].connections.first ?? description.connection)?.address
    }

    /// Returns the media of the description, and the index of the medium that a setup refers to. Not the medium itself, since
    /// a copy of it counts twenty references.
    func place(ofSetup index: Int) -> (media: [MediaDescription], index: Int)? {
        guard setups.indices.contains(index), let medium = setups[index].mediumIndex, let media = description?.media
        else { return nil }
        return media.indices.contains(medium) ? (media, medium) : nil
    }

    /// Returns the media description of a setup.
    func medium(ofSetup index: Int) -> MediaDescription? {
        place(ofSetup: index).map { $0.media[$0.index] }
    }

    /// Returns the setup whose granted channels include `channel`.
    func setupIndex(forChannel channel: Int) -> Int? {
        setups.indices.first { setups[$0].channels?.contains(channel) == true }
    }
}
