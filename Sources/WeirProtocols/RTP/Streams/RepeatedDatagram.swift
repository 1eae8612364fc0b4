import WeirEngine
import WeirPackets

/// The RTCP datagrams of one side of a flow that are the same to rules, and what these have answered to their packets.
final class RepeatedDatagram {
    /// The side.
    let direction: Direction
    /// Its properties, with the first packet and with the others.
    let first: RTCPDatagram
    let rest: RTCPDatagram
    private var answered: [Answered] = []
    /// The answers to all packets of the latest datagram, as far as they are known.
    private var joined: RepeatedAnswers?
    /// The number of packets whose answers are kept.
    private static let most = 4

    private struct Answered {
        var sorts: MessageSorts = []
        var view: AnyObject?
        var session: Session?
        var answers: RepeatedAnswers?
    }

    init(_ datagram: RTCPDatagram, _ direction: Direction) {
        self.direction = direction
        first = datagram
        rest = datagram.rest
    }

    /// Calls `body` with the answers to the packet at the same place in an earlier datagram of this kind, if rules would see the
    /// same of this one, and keeps those that it sets.
    @inline(__always)
    func withAnswers<Result>(
        _ packet: PacketOutline, _ session: Session?, _ body: (inout RepeatedAnswers?) -> Result
    ) -> Result {
        let former = answers(to: packet, session)
        var answers = former
        defer {
            if answers !== former {
                keep(Answered(sorts: packet.sorts, view: packet.view, session: session, answers: answers), packet.index)
            }
        }
        return body(&answers)
    }

    /// Returns the answers to a report and the source description behind it, if rules have seen the same of both before.
    func answers(describedBy view: AnyObject, _ session: Session) -> RepeatedAnswers? {
        let known = answered
        guard known.count == 2, known[0].session === session, known[1].session === session, known[0].view == nil,
            known[1].view === view
        else { return nil }
        if joined == nil, let first = known[0].answers, let second = known[1].answers {
            joined = first.joined(with: second)
        }
        return joined
    }

    private func answers(to packet: PacketOutline, _ session: Session?) -> RepeatedAnswers? {
        let (known, index) = (answered, packet.index)
        guard index < known.count, known[index].sorts == packet.sorts, known[index].view === packet.view,
            known[index].session === session
        else { return nil }
        return known[index].answers
    }

    private func keep(_ new: Answered, _ index: Int) {
        guard index < Self.most else { return }
        while answered.count <= index { answered.append(Answered()) }
        answered[index] = new
        joined = nil
    }
}
