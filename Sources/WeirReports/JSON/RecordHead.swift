import WeirEngine
import WeirPackets

/// The first members of event records, up to `offset`, and a comma.
struct RecordHead {
    private var text = NumberedOctets()
    /// The second since 1970 of the cached time.
    private var second: Int64 = -1

    /// Returns the members for an event whose time and offset are not negative; the events of one head either all have
    /// a first frame, or none has.
    @inline(__always)
    mutating func octets(of event: Event) -> [UInt8] {
        let (second, fraction) = event.time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        if second != self.second {
            self.second = second
            begin(event)
        }
        let (offset, part) = event.offset.quotientAndRemainder(dividingBy: 1_000_000_000)
        text.put(event.id, at: 0)
        text.put(event.frame, at: 1)
        var place = 2
        if let firstFrame = event.firstFrame {
            text.put(firstFrame, at: place)
            place = 3
        }
        text.put(Int(fraction), at: place)
        text.put(Int(offset), at: place &+ 1)
        text.put(Int(part), at: place &+ 2)
        return text.octets
    }

    /// Serializes the members again; the next event is usually within the same second.
    @inline(never)
    private mutating func begin(_ event: Event) {
        text = NumberedOctets()
        text.append(#"{"record":"event","id":"#.utf8)
        text.append(event.id, .decimal)
        text.append(#","frame":"#.utf8)
        text.append(event.frame, .decimal)
        if let firstFrame = event.firstFrame {
            text.append(#","firstFrame":"#.utf8)
            text.append(firstFrame, .decimal)
        }
        text.append(#","time":"#.utf8)
        text.append(JSONWriter.opening(CivilTime(event.time)))
        text.append(0, .fraction)
        text.append(#"Z","offset":"#.utf8)
        text.append(0, .decimal)
        text.append(".".utf8)
        text.append(0, .fraction)
        text.append(",".utf8)
    }
}
