import WeirEngine
import WeirPackets

/// Oddities of the chunks of a message, reported as remarks on it.
struct RTMPOddities: OptionSet {
    let rawValue: UInt8

    /// The first chunk of the chunk stream is type 1.
    static let firstType1 = Self(rawValue: 1 << 0)
    /// The previous message on the chunk stream was incomplete.
    static let unfinished = Self(rawValue: 1 << 1)
    /// The first type 3 chunk of this side that omits the extended timestamp.
    static let extendedOmitted = Self(rawValue: 1 << 2)
    /// The chunk size was inferred from this message.
    static let chunkSizeFound = Self(rawValue: 1 << 3)
    /// The first message after resynchronization.
    static let resynchronized = Self(rawValue: 1 << 4)
    /// The first message of a side whose handshake is not in the capture.
    static let midstream = Self(rawValue: 1 << 5)

    /// The first message on a chunk stream whose ID takes two or three octets.
    static let longID = Self(rawValue: 1 << 6)

    /// Adds a remark for each oddity.
    func remark(_ framing: RTMPFraming, chunkStream: Int, _ outlet: Outlet) {
        func say(_ key: String, _ reference: String = "", _ value: Int? = nil) {
            outlet.remark(Remark(Text(key, arguments: value.map { [.integer($0)] } ?? []), reference: reference))
        }
        if contains(.midstream) {
            if framing.passedOver > 0 {
                say("rtmp.remark.midstream", "", framing.passedOver)
            } else {
                say("rtmp.remark.midstreamAtOnce")
            }
        }
        if contains(.resynchronized), framing.passedOver > 0 {
            say("rtmp.remark.resynchronised", "", framing.passedOver)
        }
        if contains(.chunkSizeFound) { say("rtmp.remark.chunkSizeFound", "RTMP 5.4.1", framing.chunkSize) }
        if contains(.firstType1) { say("rtmp.remark.firstType1", "RTMP 5.3.1.2.1") }
        if contains(.longID) {
            let key = chunkStream < RTMPChunkHeader.firstLongestID ? "rtmp.remark.longID" : "rtmp.remark.longestID"
            say(key, "RTMP 5.3.1.1", chunkStream)
        }
        if contains(.unfinished) { say("rtmp.remark.unfinished", "RTMP 5.3.1.2.4") }
        if contains(.extendedOmitted) { say("rtmp.remark.extendedOmitted", "RTMP 5.3.1.3") }
    }
}
