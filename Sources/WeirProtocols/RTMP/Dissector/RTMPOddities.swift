import WeirEngine
import WeirPackets

/// What is odd about the chunks of a message, to be remarked on with it.
struct RTMPOddities: OptionSet {
    let rawValue: UInt8

    /// The first chunk of the chunk stream is of type 1.
    static let firstType1 = Self(rawValue: 1 << 0)
    /// The message before it on the chunk stream was not complete.
    static let unfinished = Self(rawValue: 1 << 1)
    /// The first type 3 chunk of this side that leaves the extended timestamp out.
    static let extendedOmitted = Self(rawValue: 1 << 2)
    /// The chunk size was found out with it.
    static let chunkSizeFound = Self(rawValue: 1 << 3)
    /// The first message after the place of chunks was lost.
    static let resynchronised = Self(rawValue: 1 << 4)
    /// The first message of a side whose handshake is not in the capture.
    static let midstream = Self(rawValue: 1 << 5)

    /// Remarks on them.
    func remark(_ framing: RTMPFraming, _ outlet: Outlet) {
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
        if contains(.resynchronised), framing.passedOver > 0 {
            say("rtmp.remark.resynchronised", "", framing.passedOver)
        }
        if contains(.chunkSizeFound) { say("rtmp.remark.chunkSizeFound", "RTMP 5.4.1", framing.chunkSize) }
        if contains(.firstType1) { say("rtmp.remark.firstType1", "RTMP 5.3.1.2.1") }
        if contains(.unfinished) { say("rtmp.remark.unfinished", "RTMP 5.3.1.2.4") }
        if contains(.extendedOmitted) { say("rtmp.remark.extendedOmitted", "RTMP 5.3.1.3") }
    }
}
