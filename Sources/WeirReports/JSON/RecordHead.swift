import WeirEngine
import WeirPackets

/// The first members of event records, up to `offset`, and a comma.
struct RecordHead {
    private var text = NumberedOctets()
    /// The second since 1970 of the cached time.
    private var second: Int64 = -1

    /// Appends the members of the latest event to a record.
    @inline(__always)
    borrowing func write(to record: inout [UInt8]) { text.write(to: &record) }

    /// Whether an event has such members: its time and offset are not negative.
    @inline(__always)
    static func suits(_ event: RoutineEvent) -> Bool {
        event.offset >= 0 && event.time.nanoseconds >= 0
    }

    /// Writes the members of an event; the events of one head either all have a first frame, or none has.
    @inline(__always)
    mutating func put(_ event: borrowing RoutineEvent) {
        let (second, fraction) = event.time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        if second != self.second {
            self.second = second
            begin(event)
        }
        let (offset, part) = event.offset.quotientAndRemainder(dividingBy: 1_000_000_000)
        let (id, frame, firstFrame) = (event.id, event.frame, event.firstFrame)
        // Without a first frame, the numbers behind it have lower indices.
        let skipped = firstFrame == nil ? 1 : 0
        text.put { index in
            switch index < 2 ? index : index &+ skipped {
            case 0: id
            case 1: frame
            case 2: firstFrame ?? 0
            case 3: Int(fraction)
            case 4: Int(offset)
            default: Int(part)
            }
        }
    }

    /// Serializes the members again; the next event is usually within the same second.
    @inline(never)
    private mutating func begin(_ event: borrowing RoutineEvent) {
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
