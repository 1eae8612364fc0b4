internal import WeirPackets

/// What one side remembers of one chunk stream: the header fields that later chunks leave out, and the message at hand.
struct RTMPChunkStream {
    let id: Int
    var timestamp: UInt32 = 0
    var delta: UInt32 = 0
    /// The extended timestamp of the latest header of type 0, 1 or 2; nil when it had none.
    var extended: UInt32?
    var length = 0
    var typeID: UInt8 = 0
    var messageStreamID: UInt32 = 0
    /// Whether a message was begun and is not complete.
    var isOpen = false
    var received = 0
    var chunks = 0
    /// The octets of the message at hand that are kept.
    var kept: [UInt8] = []
    /// The NAL units of the message at hand, if it is video.
    private(set) var units = NALUnitFollower()
    /// Octets of the message are missing from the capture.
    var hasHole = false

    init(id: Int) { self.id = id }

    /// How many octets of a message of this type are kept: all of what is read as values, of media the beginning.
    ///
    /// - Parameter next: the octets behind those that are kept.
    func keptLimit(_ messageOctets: Int, next: RawSpan) -> Int {
        switch typeID {
        case 15...20: messageOctets
        case 8, 9: min(messageOctets, MediaPrefix.octets(typeID: typeID, kept: kept, next: next))
        default: 64
        }
    }

    /// Follows the NAL units of video through a piece that begins behind the `received` octets.
    mutating func follow(_ piece: RawSpan, lengthOctets: Int) {
        guard typeID == 9, !hasHole else { return }
        units.pass(kept: kept, piece: piece, from: received, length: length, lengthOctets: lengthOctets)
    }

    /// Takes over what a header says.
    ///
    /// A type 3 chunk that begins a message repeats the latest delta, after type 0 its timestamp (RTMP §5.3.1.2.4). A
    /// chunk of another type than 3 in the middle of a message goes on with it, if it does not announce another one.
    mutating func apply(_ header: RTMPChunkHeader) {
        let isContinued =
            isOpen && (header.messageLength ?? length) == length && (header.typeID ?? typeID) == typeID
            && (header.messageStreamID ?? messageStreamID) == messageStreamID
        if header.format < 3 { extended = header.isExtended ? header.time : nil }
        if isContinued {
            chunks &+= 1
            return
        }
        if let length = header.messageLength { self.length = length }
        if let type = header.typeID { typeID = type }
        if let stream = header.messageStreamID { messageStreamID = stream }
        if let time = header.time { delta = time }
        timestamp = header.format == 0 ? delta : timestamp &+ delta
        isOpen = true
        received = 0
        chunks = 1
        hasHole = false
        units = NALUnitFollower()
        kept.removeAll(keepingCapacity: kept.capacity <= 4_096)
    }

    /// Forgets the message at hand.
    mutating func abandon() {
        isOpen = false
        received = 0
        kept = []
    }
}
