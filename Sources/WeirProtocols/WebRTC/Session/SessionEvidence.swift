import WeirEngine
import WeirPackets

/// What a session knows of its peers, by which messages are assigned to it.
extension WebRTCSession {
    /// Whether checks or handshakes of the call use a port.
    func uses(port: UInt16) -> Bool { pairs.contains { $0.client.port == port || $0.server.port == port } }

    /// Whether the name of the call may be one at a host: each host has its own names.
    func mayStand(at other: String?) -> Bool {
        authority == nil || other == nil || authority == other
    }

    /// Adds keys for candidates: checks belong to the call when only its candidates are known, and handshakes when the
    /// checks were not captured.
    func claimCandidates(_ candidates: [ICECandidate], _ outlet: SessionOutlet) {
        for candidate in candidates {
            guard let address = IPAddress(candidate.address) else { continue }
            let endpoint = Endpoint(address: address, port: candidate.port)
            let isTCP = ASCII.equalIgnoringCase(candidate.transport, "tcp")
            lay(SessionNames.candidate(isTCP: isTCP, endpoint), "candidate \(isTCP) \(endpoint)", outlet)
        }
    }

    /// Whether one agent signaled a candidate at one endpoint, and the other agent at the other.
    func isReported(_ one: Endpoint, _ other: Endpoint) -> Bool {
        func agent(at end: Endpoint) -> Int? {
            agents.all.firstIndex { $0.candidates.contains { $0.endpoint == end } }
        }
        guard let first = agent(at: one), let second = agent(at: other) else { return false }
        return first != second
    }

    /// Whether no packet of the call was seen yet, and candidates at these endpoints were signaled.
    func signals(_ one: Endpoint, _ other: Endpoint) -> Bool {
        !isTornDown && pairs.isEmpty && isReported(one, other)
    }

    /// Whether an agent signaled a candidate with one of these ports and a hidden address.
    func hides(_ ports: [UInt16], isTCP: Bool) -> Bool {
        agents.all.contains { agent in
            agent.candidates.contains {
                $0.content.isMDNS && ports.contains($0.content.port)
                    && ASCII.equalIgnoringCase($0.content.transport, "tcp") == isTCP
            }
        }
    }

    /// Whether checks of the call were sent from or to one of the hosts.
    func runs(onAnyOf hosts: [IPAddress]) -> Bool {
        pairs.contains { hosts.contains($0.client.address) || hosts.contains($0.server.address) }
    }

    /// Whether signaling names the call at a server.
    func hasCallName(at server: Endpoint) -> Bool { names.contains { $0.hasPrefix("call \(server) ") } }

    /// Whether an offer is for another connection between the same peers: its author awaits the answer to an offer with
    /// another certificate.
    func isOther(_ content: SessionDescription, from author: String?) -> Bool {
        let own = Set(content.allFingerprints.map(\.value))
        let waiting = offer?.content.allFingerprints.map(\.value) ?? []
        guard isOpenToAnswer, let author, author == offerFrom, !own.isEmpty, !waiting.isEmpty else { return false }
        return own.isDisjoint(with: waiting)
    }

    /// Whether no agent has a username fragment yet.
    var isNameless: Bool { agents.all.allSatisfy(\.credentials.isEmpty) }

    /// Whether one of the agents has no fragment yet: a check with the other agent's may belong to this call.
    var lacksName: Bool { agents.all.count < 2 || agents.all.contains { $0.credentials.isEmpty } }
}
