import WeirEngine
import WeirPackets

extension RTMPSession {
    /// Returns the index of the open track that a message belongs to.
    @inline(__always)
    func track(of message: RTMPMessage, _ direction: Direction) -> Int? {
        track(typeID: message.typeID, message.messageStreamID, direction, message.trackID)
    }

    /// Returns the index of the open track by type, message stream, direction and enhanced RTMP track.
    @inline(__always)
    func track(typeID: UInt8, _ messageStreamID: UInt32, _ direction: Direction, _ trackID: UInt8 = 0) -> Int? {
        for index in tracks.indices
        where tracks[index].typeID == typeID && tracks[index].messageStreamID == messageStreamID
            && tracks[index].direction == direction && tracks[index].trackID == trackID
        { return index }
        return nil
    }

    /// Returns the index of the open track that a message continues if gaps made the message stream unknown.
    func trackAcrossGap(of message: RTMPMessage, _ direction: Direction) -> Int? {
        let isKnown = message.framing.isMessageStreamKnown
        let alike = tracks.indices.filter {
            tracks[$0].typeID == message.typeID && tracks[$0].direction == direction
                && tracks[$0].trackID == message.trackID && !(isKnown && tracks[$0].isMessageStreamKnown)
        }
        guard alike.count == 1, let index = alike.first else { return nil }
        if isKnown { tracks[index].recordObserved(messageStreamID: message.messageStreamID) }
        return index
    }

    /// Opens the track of a message.
    func begin(_ message: RTMPMessage, _ id: Int, _ moment: EventContext) -> Int {
        phase = .media
        let name = netStreamIndex(message.messageStreamID).flatMap { netStreams[$0].name }
        streams.append(id)
        // Mostly audio and video.
        if tracks.isEmpty { tracks.reserveCapacity(2) }
        tracks.append(RTMPTrack(id: id, message, name: name, moment))
        return tracks.count - 1
    }

    /// Ends the tracks of a message stream sent by one side; all tracks if `stream` is nil.
    func endTracks(of stream: UInt32?, from sender: Direction?) {
        guard !tracks.isEmpty else { return }
        let isOver = { (track: RTMPTrack) in
            (stream == nil || track.messageStreamID == stream) && (sender == nil || track.direction == sender)
        }
        guard tracks.contains(where: isOver) else { return }
        var over: [RTMPTrack] = []
        if tracks.allSatisfy(isOver) {
            // All of them, as mostly: nothing is copied.
            swap(&over, &tracks)
        } else {
            over = tracks.filter(isOver)
            tracks.removeAll(where: isOver)
        }
        let standing = over.filter { $0.typeID == 8 && $0.standstill != nil }
        for index in over.indices where over[index].typeID == 9 {
            over[index].hasStandingAudio = standing.contains {
                $0.messageStreamID == over[index].messageStreamID && $0.direction == over[index].direction
            }
        }
        // A short access, unlike appending.
        ended = ended.isEmpty ? over : ended + over
    }

    func endAllTracks() { endTracks(of: nil, from: nil) }

    /// Returns the tracks that ended since the last call.
    func takeEnded() -> [RTMPTrack] {
        guard !ended.isEmpty else { return [] }
        defer { ended = [] }
        return ended
    }

    /// Returns the latest audio timestamp on the same message stream, if nothing was lost since.
    @inline(__always)
    private func audio(beside index: Int) -> UInt32? {
        for other in tracks.indices
        where tracks[other].typeID == 8 && tracks[other].messageStreamID == tracks[index].messageStreamID
            && tracks[other].direction == tracks[index].direction && tracks[other].frames > 0
            && tracks[other].losses == tracks[index].losses
        { return tracks[other].lastTimestamp }
        return nil
    }

    /// Counts a frame, up to whose end its side sent `sent` octets.
    ///
    /// - Returns: Its track and what it changes, or nil if it starts a track, and is not counted.
    func count(
        _ message: RTMPFrame, _ direction: Direction, _ time: Timestamp, frame: Int, sent: Int, other: Int
    ) -> (track: Int, changes: RTMPTrack.Changes)? {
        guard let index = track(typeID: message.typeID, message.messageStreamID, direction) else { return nil }
        count(direction, sent, other: other)
        let changes = update(track: index) { $0.observe(message, time: time, frame: frame) }
        noteMedia(index, changes, direction, time)
        return (index, changes)
    }

    /// Records a media message in the state of the session.
    @inline(__always)
    func noteMedia(_ index: Int, _ changes: RTMPTrack.Changes, _ direction: Direction, _ time: Timestamp) {
        if direction == .clientToServer {
            fromClientMedia.count(changes, time)
        } else {
            fromServerMedia.count(changes, time)
        }
        if tracks[index].typeID == 9, tracks[index].isLastMedia, let audio = audio(beside: index) {
            update(track: index) { $0.compare(withAudio: audio) }
        }
        guard !changes.isEmpty, let stream = netStreamIndex(tracks[index].messageStreamID) else { return }
        netStreams[stream].note(changes, time)
    }
}
