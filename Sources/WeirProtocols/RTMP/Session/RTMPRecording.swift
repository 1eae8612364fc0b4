import WeirEngine
import WeirPackets

/// State for the extraction of media: the tags of each message stream go to one FLV file, as sent by the publisher.
struct RTMPRecording {
    /// A message stream in one direction.
    struct Key: Hashable {
        var messageStreamID: UInt32
        var direction: Direction
    }

    /// The file of a message stream.
    struct File {
        /// The stream number used for the file: that of its first track.
        var number: Int
        var hasAudio = false
        var hasVideo = false
    }

    /// The limit for metadata tags before the first track, in octets.
    static let mostOctets = 64 * 1_024

    var files: [Key: File] = [:]
    /// Metadata pending until the first track starts.
    var waiting: [Key: [[UInt8]]] = [:]
}

extension RTMPSession {
    /// Passes a message of a track to the media tap.
    func record(_ message: RTMPMessage, _ index: Int, _ context: MessageContext, _ outlet: SessionOutlet) {
        guard let body = message.body, let tap = outlet.shared(PieceTaps.self).tap else { return }
        let track = tracks[index]
        let key = RTMPRecording.Key(messageStreamID: message.messageStreamID, direction: context.at.direction)
        var file = recording.files[key] ?? RTMPRecording.File(number: track.id)
        let isNew = recording.files[key] == nil
        if message.typeID == 8 { file.hasAudio = true } else { file.hasVideo = true }
        recording.files[key] = file
        func piece(_ octets: [UInt8]) -> MediaPiece {
            var piece = MediaPiece(
                stream: track.id, file: file.number, encoding: track.codec ?? "RTMP", ending: "flv", octets: octets)
            piece.fileHeader = FLVFile.header(hasAudio: file.hasAudio, hasVideo: file.hasVideo)
            return piece
        }
        if isNew {
            for octets in recording.waiting.removeValue(forKey: key) ?? [] {
                var metadata = piece(octets)
                metadata.isFrame = false
                tap.take(metadata)
            }
        }
        let tag = FLVFile.tag(type: message.typeID, timestamp: message.timestamp, body)
        var media = piece(tag ?? [])
        media.timeOctets = FLVFile.timestamp
        media.medium = medium(of: track, context)
        media.isFrame = track.isLastMedia
        media.isConfiguration = !track.isLastMedia && track.configurations > 0
        media.lacksConfiguration =
            track.isLastMedia && track.configurations == 0 && track.framesBeforeConfiguration > 0
        media.isWhole = !message.isCut && body.count == message.length && tag != nil
        tap.take(media)
    }

    /// Returns what identifies the medium of a track on other connections of the same hosts.
    private func medium(of track: RTMPTrack, _ context: MessageContext) -> MediaPiece.Medium {
        let ends = "\(context.flow.client.address) \(context.flow.server) \(track.direction)"
        let name = netStreamIndex(track.messageStreamID).flatMap { netStreams[$0].name }
        return MediaPiece.Medium(
            ends: ends, encoding: "\(track.typeID) \(track.trackID) \(track.codec ?? "")", name: name)
    }

    /// Passes metadata, which belongs to all tracks of its message stream, to the media tap.
    func recordMetadata(_ message: RTMPMessage, _ context: MessageContext, _ outlet: SessionOutlet) {
        guard let body = message.body, case .data = message.payload, !message.isCut, message.messageStreamID > 0,
            let tap = outlet.shared(PieceTaps.self).tap,
            let tag = FLVFile.tag(
                type: FLVFile.metadata, timestamp: message.timestamp, Self.withoutFrameCommand(body, message.typeID))
        else { return }
        let key = RTMPRecording.Key(messageStreamID: message.messageStreamID, direction: context.at.direction)
        guard let file = recording.files[key] else {
            let octets = recording.waiting.values.joined().reduce(0) { $0 + $1.count }
            guard octets + tag.count <= RTMPRecording.mostOctets else { return }
            recording.waiting[key, default: []].append(tag)
            return
        }
        var piece = MediaPiece(
            stream: file.number, file: file.number, encoding: "", ending: "flv", octets: tag)
        piece.fileHeader = FLVFile.header(hasAudio: file.hasAudio, hasVideo: file.hasVideo)
        piece.isFrame = false
        tap.take(piece)
    }

    /// Ends the file of a track; publishing again on the message stream starts another one.
    func endRecording(of track: RTMPTrack) {
        recording.files[RTMPRecording.Key(messageStreamID: track.messageStreamID, direction: track.direction)] = nil
    }

    /// Returns metadata as stored in files: without the `@setDataFrame` command and without the octet before AMF 3.
    private static func withoutFrameCommand(_ body: [UInt8], _ typeID: UInt8) -> [UInt8] {
        let body = typeID == 15 && body.first == 0 ? Array(body.dropFirst()) : body
        let command: [UInt8] = [2, 0, 13] + Array("@setDataFrame".utf8)
        return body.starts(with: command) ? Array(body.dropFirst(command.count)) : body
    }
}
