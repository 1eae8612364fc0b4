import WeirEngine
import WeirPackets

extension RTMPSession {
    /// The open track that a message belongs to.
    @inline(__always)
    func track(of message: RTMPMessage, _ direction: Direction) -> Int? {
        track(typeID: message.typeID, message.messageStreamID, direction, message.trackID)
    }

    /// The open track of a medium, a message stream, a direction and a track of enhanced RTMP.
    @inline(__always)
    func track(typeID: UInt8, _ messageStreamID: UInt32, _ direction: Direction, _ trackID: UInt8 = 0) -> Int? {
        for index in tracks.indices
        where tracks[index].typeID == typeID && tracks[index].messageStreamID == messageStreamID
            && tracks[index].direction == direction && tracks[index].trackID == trackID
        { return index }
        return nil
    }

    /// The open track that a message goes on with, of which a capture with holes does not say the message stream, or did not
    /// before.
    func trackBeyondHole(of message: RTMPMessage, _ direction: Direction) -> Int? {
        let isKnown = message.framing.isMessageStreamKnown
        let alike = tracks.indices.filter {
            tracks[$0].typeID == message.typeID && tracks[$0].direction == direction
                && tracks[$0].trackID == message.trackID && !(isKnown && tracks[$0].isMessageStreamKnown)
        }
        guard alike.count == 1, let index = alike.first else { return nil }
        if isKnown { tracks[index].learn(messageStreamID: message.messageStreamID) }
        return index
    }

    /// Opens the track of a message.
    func begin(_ message: RTMPMessage, _ id: Int, _ moment: EventContext) -> Int {
        phase = .media
        let name = netStreamIndex(message.messageStreamID).flatMap { netStreams[$0].name }
        streams.append(id)
        tracks.append(RTMPTrack(id: id, message, name: name, moment))
        return tracks.count - 1
    }

    /// Ends the tracks of a message stream that one side sends; all of them when `stream` is nil.
    func endTracks(of stream: UInt32?, from sender: Direction?) {
        guard !tracks.isEmpty else { return }
        let isOver = { (track: RTMPTrack) in
            (stream == nil || track.messageStreamID == stream) && (sender == nil || track.direction == sender)
        }
        ended += tracks.filter(isOver)
        tracks.removeAll(where: isOver)
    }

    func endAllTracks() { endTracks(of: nil, from: nil) }

    /// The tracks that ended since this was last asked.
    func takeEnded() -> [RTMPTrack] {
        guard !ended.isEmpty else { return [] }
        defer { ended = [] }
        return ended
    }

    /// The latest timestamp of audio on the same message stream, with nothing lost since.
    @inline(__always)
    private func audio(beside index: Int) -> UInt32? {
        for other in tracks.indices
        where tracks[other].typeID == 8 && tracks[other].messageStreamID == tracks[index].messageStreamID
            && tracks[other].direction == tracks[index].direction && tracks[other].frames > 0
            && tracks[other].losses == tracks[index].losses
        { return tracks[other].lastTimestamp }
        return nil
    }

    /// Counts a media message for the session's story.
    @inline(__always)
    func noteMedia(_ index: Int, _ changes: RTMPTrack.Changes, _ moment: EventContext) {
        if moment.direction == .clientToServer {
            fromClientMedia.count(changes, moment.time)
        } else {
            fromServerMedia.count(changes, moment.time)
        }
        if tracks[index].typeID == 9, tracks[index].isLastMedia, let audio = audio(beside: index) {
            tracks[index].compare(withAudio: audio)
        }
        guard !changes.isEmpty, let stream = netStreamIndex(tracks[index].messageStreamID) else { return }
        netStreams[stream].note(changes, moment.time)
    }
}
