import WeirEngine
import WeirPackets

/// The state of one direction of a WebSocket connection, with the message under reassembly.
struct WebSocketSide {
    /// A complete message.
    struct Ended {
        var description: WebSocketMessage
        /// The payload, or nil if it could not be decoded.
        var octets: [UInt8]?
        /// The range of the identical payload in the input, or nil if it was unmasked, joined or decompressed.
        var place: Range<Int>?
        /// Whether it is a data message, not a control frame.
        var isData: Bool
        /// Whether it was too long to buffer.
        var isTooLong = false
        /// Whether its decompressed size exceeds the limit.
        var isTooExpansive = false
    }

    /// The octets that the sender removes from the end of each compressed message (RFC 7692 §7.2.2).
    private static let compressionTail: [UInt8] = [0, 0, 0xFF, 0xFF]

    private static let doubtfulFrames = 16

    let direction: Direction
    /// Whether the next octet is known to start a frame.
    var isSynchronized: Bool
    /// Searches for the first frame.
    var searches = FailedSearches()
    /// The number of frames until a position found by search is certain.
    private var doubtfulFrames = 0
    /// Pending octets of the current frame.
    var awaited = 0
    /// Octets to skip: the rest of an incomplete frame, or of one too long to buffer.
    var ignored = 0

    private var inflater: Inflater?
    private var expansion: ExpansionBudget
    /// Whether data that compressed messages may refer to is missing.
    private var isInflaterInDoubt: Bool
    private var message: WebSocketMessage?
    private var octets: [UInt8] = []
    /// Whether a part of the current message is missing.
    private var isSpoilt = false
    /// Whether that is because the message was too long to buffer.
    private var isTooLong = false
    /// Whether the first frame of the current message may be missing.
    private var mayContinue: Bool
    private var hasClosed = false

    init(_ direction: Direction, _ flow: FlowContext, isSynchronized: Bool, inflater: Inflater?) {
        expansion = ExpansionBudget(flow)
        self.direction = direction
        self.isSynchronized = isSynchronized
        self.inflater = inflater
        isInflaterInDoubt = !isSynchronized
        mayContinue = !isSynchronized
    }

    /// Marks the next octet as the start of a frame, as found by a search.
    mutating func synchronize() {
        isSynchronized = true
        searches = FailedSearches()
        doubtfulFrames = Self.doubtfulFrames
    }

    /// Whether a frame is plausible. After a search, a frame that violates the protocol is more likely a wrong
    /// position.
    mutating func believes(_ frame: WebSocketFrame) -> Bool {
        guard doubtfulFrames > 0 else { return true }
        guard frame.isPlausible, (frame.mask != nil) == (direction == .clientToServer) else { return false }
        doubtfulFrames &-= 1
        return true
    }

    /// Processes the frame in `range`; returns a message if the frame completes one.
    mutating func take(
        _ frame: WebSocketFrame, _ bytes: RawSpan, _ range: Range<Int>, _ limits: Limits, _ budget: SharedOctetBudget,
        _ outlet: Outlet
    ) -> Ended? {
        var flaws = flaws(frame)
        let payload = range.lowerBound &+ frame.headerOctets
        if frame.isControl { return control(frame, flaws, bytes, payload, outlet.frame(at: range.lowerBound)) }
        if frame.purpose == .continuation, message == nil {
            if mayContinue {
                // The rest of a message whose start was not captured.
                if frame.isFinal { mayContinue = false }
                return nil
            }
            flaws.insert(.strayContinuation)
        }
        mayContinue = false
        if frame.purpose != .continuation || message == nil {
            if message != nil {
                flaws.insert(.interrupted)
                drop(budget)
            }
            begin(frame, outlet.frame(at: range.lowerBound))
        } else {
            message?.fragments &+= 1
        }
        message?.flaws.formUnion(flaws)
        message?.wireLength &+= frame.length
        keep(frame, bytes, payload, limits, budget)
        guard frame.isFinal else { return nil }
        return end(limits, budget, place: payload..<range.upperBound)
    }

    private func flaws(_ frame: WebSocketFrame) -> WebSocketMessage.Flaws {
        var flaws: WebSocketMessage.Flaws = []
        if (frame.mask != nil) != (direction == .clientToServer) { flaws.insert(.masking) }
        if frame.hasLongLength { flaws.insert(.length) }
        if frame.purpose == nil { flaws.insert(.opcode) }
        let mayCompress = inflater != nil && !frame.isControl && frame.purpose != .continuation
        if frame.reserved & 0x3 != 0 || (frame.isCompressed && !mayCompress) { flaws.insert(.reserved) }
        if frame.isControl {
            if frame.length > 125 { flaws.insert(.controlLength) }
            if !frame.isFinal { flaws.insert(.controlFragment) }
        }
        if hasClosed { flaws.insert(.afterClose) }
        return flaws
    }

    private mutating func control(
        _ frame: WebSocketFrame, _ flaws: WebSocketMessage.Flaws, _ bytes: RawSpan, _ start: Int, _ firstFrame: Int?
    ) -> Ended {
        var message = WebSocketMessage(
            opcode: frame.opcode, isMasked: frame.mask != nil, length: frame.length, wireLength: frame.length)
        message.flaws = flaws
        message.firstFrame = firstFrame
        if frame.purpose == .close {
            hasClosed = true
            var octets: [UInt8] = []
            if frame.length <= 125 { frame.unmask(bytes, at: start, into: &octets) }
            if octets.count == 1 { message.flaws.insert(.closeLength) }
            if let code = octets.rawSpan.uint16(at: 0) {
                message.code = code
                let reason = TextSyntax.decode(octets.rawSpan.clamped(2))
                message.reason = reason.text.isEmpty ? nil : reason.text
                if !reason.isUTF8 { message.flaws.insert(.text) }
            }
        }
        return Ended(description: message, octets: nil, place: nil, isData: false)
    }

    private mutating func begin(_ frame: WebSocketFrame, _ firstFrame: Int?) {
        message = WebSocketMessage(opcode: frame.opcode, isMasked: frame.mask != nil, length: nil, wireLength: 0)
        message?.isCompressed = frame.isCompressed && inflater != nil
        message?.firstFrame = firstFrame
    }

    private mutating func keep(
        _ frame: WebSocketFrame, _ bytes: RawSpan, _ start: Int, _ limits: Limits, _ budget: SharedOctetBudget
    ) {
        guard !isSpoilt else { return }
        guard octets.count &+ frame.length <= limits.messageOctets, budget.take(frame.length) == frame.length else {
            budget.returnBorrowed(octets.count)
            octets = []
            isSpoilt = true
            isTooLong = true
            return
        }
        frame.unmask(bytes, at: start, into: &octets)
    }

    private mutating func end(_ limits: Limits, _ budget: SharedOctetBudget, place: Range<Int>) -> Ended? {
        defer { drop(budget) }
        guard var message else { return nil }
        if isSpoilt {
            doubtInflater()
            return Ended(description: message, octets: nil, place: nil, isData: true, isTooLong: isTooLong)
        }
        var carried: [UInt8]? = octets
        var isTooExpansive = false
        if message.isCompressed { carried = inflate(&message, limits, &isTooExpansive) }
        message.length = carried?.count
        if message.purpose == .text, let carried, !TextSyntax.isUTF8(carried) { message.flaws.insert(.text) }
        let stands = !message.isCompressed && message.fragments == 1
        var ended = Ended(description: message, octets: carried, place: stands ? place : nil, isData: true)
        ended.isTooExpansive = isTooExpansive
        return ended
    }

    private mutating func inflate(
        _ message: inout WebSocketMessage, _ limits: Limits, _ isTooExpansive: inout Bool
    ) -> [UInt8]? {
        let limit = expansion.allow(octets.count, upTo: limits.messageOctets)
        defer { expansion.spend(inflater?.made ?? 0) }
        do throws(Inflater.Fault) {
            return try inflater?.inflate(octets + Self.compressionTail, upTo: limit).octets
        } catch {
            if error == .damaged, !isInflaterInDoubt { message.flaws.insert(.compression) }
            isTooExpansive = error == .tooLong
            doubtInflater()
            return nil
        }
    }

    private mutating func doubtInflater() {
        inflater?.forget()
        isInflaterInDoubt = true
    }

    /// Skips a frame that is too long to buffer, except for its header.
    mutating func skipOver(
        _ frame: WebSocketFrame, _ limits: Limits, _ budget: SharedOctetBudget, _ firstFrame: Int?
    ) -> Ended? {
        ignored = awaited
        let flaws = flaws(frame)
        if frame.isControl {
            var reported = WebSocketMessage(
                opcode: frame.opcode, isMasked: frame.mask != nil, length: nil, wireLength: frame.length)
            reported.flaws = flaws
            return Ended(description: reported, octets: nil, place: nil, isData: false)
        }
        if frame.purpose != .continuation || message == nil {
            begin(frame, firstFrame)
        } else {
            message?.fragments &+= 1
        }
        message?.flaws.formUnion(flaws)
        message?.wireLength &+= frame.length
        budget.returnBorrowed(octets.count)
        octets = []
        isSpoilt = true
        isTooLong = true
        return frame.isFinal ? end(limits, budget, place: 0..<0) : nil
    }

    /// Accounts for missing octets.
    mutating func miss(_ octets: Int, _ budget: SharedOctetBudget) {
        let rest = max(awaited, ignored)
        let isInsideFrame = isSynchronized && octets > 0 && octets <= rest
        isSynchronized = isInsideFrame
        ignored = isInsideFrame ? rest &- octets : 0
        awaited = 0
        drop(budget)
        mayContinue = true
        doubtInflater()
    }

    private mutating func drop(_ budget: SharedOctetBudget) {
        budget.returnBorrowed(octets.count)
        octets = []
        message = nil
        isSpoilt = false
        isTooLong = false
    }
}
