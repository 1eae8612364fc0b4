import Testing
import WeirPackets
@testable import WeirProtocols

/// Payload descriptors across packets: what a sender may do and must not do.
@Suite("Frames by their payload descriptors")
struct VideoFrameTests {
    struct Packet: Sendable {
        var octets: [UInt8]
        /// The picture that determines the timestamp.
        var picture: UInt32
        var marker = true
        var isLost = false
    }

    struct Stream: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var format: RTPPayloadFormat
        var packets: [Packet]
        /// Expected faults, by packet index.
        var faults: [Int: PacketFaults] = [:]
    }

    /// A VP9 packet: flags, picture ID, further octets of the descriptor.
    private static func vp9(
        _ flags: UInt8, _ number: [UInt8], _ more: [UInt8] = [], of picture: UInt32, marker: Bool = true,
        isLost: Bool = false
    ) -> Packet {
        Packet(octets: [flags | 0x80] + number + more + [0x5A], picture: picture, marker: marker, isLost: isLost)
    }

    static let vp9: [Stream] = [
        Stream(
            testDescription: "two layers of a picture have one number, B and E each", format: .vp9,
            packets: [
                vp9(0x2C, [5], [0x00, 1], of: 1, marker: false), vp9(0x2C, [5], [0x03, 1], of: 1),
                vp9(0x6C, [6], [0x00, 2], of: 2, marker: false), vp9(0x6C, [6], [0x03, 2], of: 2),
            ]),
        Stream(
            testDescription: "a frame that is not shown has the time of the next, and a number of its own",
            format: .vp9,
            packets: [vp9(0x0C, [5], of: 1, marker: false), vp9(0x4C, [6], of: 1), vp9(0x4C, [7], of: 2)]),
        Stream(
            testDescription: "a middlebox leaves out pictures of layers", format: .vp9,
            packets: [vp9(0x2C, [5], [0, 1], of: 1), vp9(0x6C, [9], [0, 2], of: 2)]),
        Stream(
            testDescription: "without layers nobody does", format: .vp9,
            packets: [vp9(0x0C, [5], of: 1), vp9(0x4C, [9], of: 2)], faults: [1: PacketFaults(.pictureID)]),
        Stream(
            testDescription: "numbers never go back, and each picture has its own", format: .vp9,
            packets: [
                vp9(0x2C, [0x80, 9], [0, 1], of: 1), vp9(0x6C, [0x80, 5], [0, 2], of: 2),
                vp9(0x6C, [0x80, 5], [0, 2], of: 3),
            ], faults: [1: PacketFaults(.pictureID), 2: PacketFaults(.pictureID)]),
        Stream(
            testDescription: "numbers wrap, and grow to 15 bits and back", format: .vp9,
            packets: [
                vp9(0x0C, [0x7F], of: 1), vp9(0x4C, [0x00], of: 2), vp9(0x4C, [0x80, 0x01], of: 3),
                vp9(0x4C, [0x02], of: 4),
            ]),
        Stream(
            testDescription: "a frame in three packets", format: .vp9,
            packets: [
                vp9(0x08, [5], of: 1, marker: false), vp9(0x00, [5], of: 1, marker: false), vp9(0x04, [5], of: 1),
                vp9(0x4C, [6], of: 2),
            ]),
        Stream(
            testDescription: "a frame has one number", format: .vp9,
            packets: [vp9(0x08, [5], of: 1, marker: false), vp9(0x04, [6], of: 1)],
            faults: [1: PacketFaults(.pictureID)]),
        Stream(
            testDescription: "B in the middle of a frame", format: .vp9,
            packets: [vp9(0x08, [5], of: 1, marker: false), vp9(0x0C, [5], of: 1)],
            faults: [1: PacketFaults(.frameStartAgain)]),
        Stream(
            testDescription: "behind E the next begins", format: .vp9,
            packets: [vp9(0x0C, [5], of: 1, marker: false), vp9(0x04, [5], of: 1)],
            faults: [1: PacketFaults(.frameStart)]),
        Stream(
            testDescription: "behind a lost packet nothing is known", format: .vp9,
            packets: [
                vp9(0x08, [5], of: 1, marker: false), vp9(0x04, [5], of: 1, isLost: true),
                vp9(0x40, [8], of: 3, marker: false),
                vp9(0x44, [8], of: 3),
            ]),
        Stream(
            testDescription: "references of the flexible mode: one, three, none of 0, no fourth", format: .vp9,
            packets: [
                vp9(0x1C, [5], of: 1), vp9(0x5C, [6], [0x02], of: 2), vp9(0x5C, [7], [0x03, 0x05, 0x06], of: 3),
                vp9(0x5C, [8], [0x00], of: 4), vp9(0x5C, [9], [0x03, 0x05, 0x07, 0x08], of: 5),
            ], faults: [3: PacketFaults(.descriptorFields), 4: PacketFaults(.descriptorFields)]),
        Stream(
            testDescription: "what needs no other picture is of the lowest temporal layer", format: .vp9,
            packets: [vp9(0x2C, [5], [0x20, 1], of: 1), vp9(0x6C, [6], [0x20, 1], of: 2)],
            faults: [0: PacketFaults(.descriptorFields)]),
    ]

    private static func vp8(_ flags: UInt8, of picture: UInt32, marker: Bool, isLost: Bool = false) -> Packet {
        Packet(octets: [flags, 0x5B, 0x5A], picture: picture, marker: marker, isLost: isLost)
    }

    static let vp8: [Stream] = [
        Stream(
            testDescription: "partitions in packets of their own", format: .vp8,
            packets: [
                vp8(0x10, of: 1, marker: false), vp8(0x00, of: 1, marker: false), vp8(0x11, of: 1, marker: false),
                vp8(0x12, of: 1, marker: true), vp8(0x10, of: 2, marker: true),
            ]),
        Stream(
            testDescription: "S in the middle of a partition", format: .vp8,
            packets: [vp8(0x10, of: 1, marker: false), vp8(0x10, of: 1, marker: true)],
            faults: [1: PacketFaults(.frameStartAgain)]),
        Stream(
            testDescription: "two frames of one time", format: .vp8,
            packets: [vp8(0x10, of: 1, marker: true), vp8(0x10, of: 1, marker: true)]),
        Stream(
            testDescription: "a frame without S; one of which the first packet is lost", format: .vp8,
            packets: [
                vp8(0x10, of: 1, marker: true), vp8(0x00, of: 2, marker: true),
                vp8(0x10, of: 3, marker: false, isLost: true),
                vp8(0x00, of: 3, marker: true),
            ], faults: [1: PacketFaults(.frameStart)]),
    ]

    private static func av1(
        _ octets: [UInt8], of picture: UInt32, marker: Bool = true, isLost: Bool = false
    ) -> Packet {
        Packet(octets: octets, picture: picture, marker: marker, isLost: isLost)
    }

    static let av1: [Stream] = [
        Stream(
            testDescription: "an OBU over three packets", format: .av1,
            packets: [
                av1([0x50, 0x30, 1], of: 1, marker: false), av1([0xD0, 2, 3], of: 1, marker: false),
                av1([0x90, 4], of: 1),
                av1([0x10, 0x30], of: 2),
            ]),
        Stream(
            testDescription: "elements with lengths, all or all but the last", format: .av1,
            packets: [
                av1([0x00, 1, 0x30, 2, 0x30, 5], of: 1), av1([0x20, 1, 0x30, 0x30, 5], of: 2),
                av1([0x30, 1, 0x30, 0x81, 0x00, 0x30, 0x30], of: 3),
            ]),
        Stream(
            testDescription: "lengths, or a number, that do not fit; no element", format: .av1,
            packets: [
                av1([0x00, 9, 0x30], of: 1), av1([0x30, 1, 0x30, 1, 0x30], of: 2), av1([0x20, 0xFF], of: 3),
                av1([0x10], of: 4),
            ],
            faults: [
                0: PacketFaults(.descriptor), 1: PacketFaults(.descriptor), 2: PacketFaults(.descriptor),
                3: PacketFaults(.descriptor),
            ]),
        Stream(
            testDescription: "Y, and the next without Z; Z behind that; N with Z", format: .av1,
            packets: [av1([0x50, 0x30], of: 1, marker: false), av1([0x10, 0x30], of: 1), av1([0x98, 0x30], of: 2)],
            faults: [
                1: PacketFaults(.fragmentWithoutEnd),
                2: [PacketFaults(.fragmentWithoutStart), PacketFaults(.descriptorFields)],
            ]),
        Stream(
            testDescription: "the rest of an OBU behind a lost packet", format: .av1,
            packets: [
                av1([0x10, 0x30], of: 1), av1([0x50, 0x30], of: 2, marker: false, isLost: true),
                av1([0x90, 0x30], of: 2),
            ]),
    ]

    @Test("are judged by the received packets", arguments: vp9 + vp8 + av1)
    func judged(_ stream: Stream) {
        var frames = VideoFrames()
        var last: Packet?
        var isNext = false
        for (place, packet) in stream.packets.enumerated() {
            guard !packet.isLost else {
                isNext = false
                continue
            }
            var order = PacketOrder()
            order.isNext = isNext
            order.isNewUnit = last?.picture != packet.picture
            order.isTorn = isNext && order.isNewUnit && last?.marker == false
            order.marker = packet.marker
            order.timestamp = packet.picture * 3_000
            order.wireLength = packet.octets.count
            _ = frames.observe(packet.octets.rawSpan, stream.format, order)
            #expect(frames.faults == stream.faults[place] ?? [], "packet \(place)")
            last = packet
            isNext = true
        }
    }

    @Test(
        "a JPEG picture with a truncated first packet has no effect on the next; a complete one does",
        arguments: [(kept: 40, second: 128 as UInt8, false), (144, 128, false), (144, 129, true)])
    func cutPicture(_ kept: Int, _ second: UInt8, _ isFault: Bool) {
        // The tables are 128 octets after the main header (RFC 2435 §3.1.8).
        let first = [0, 0, 0, 0, 1, 128, 40, 30, 0, 0, 0, 128] + [UInt8](repeating: 7, count: 132)
        var frames = VideoFrames()
        var order = PacketOrder()
        order.isNewUnit = true
        order.wireLength = first.count
        order.isWhole = kept == first.count
        _ = frames.observe(Array(first.prefix(kept)).rawSpan, .jpeg, order)
        #expect(frames.faults == [])
        let rest: [UInt8] = [0, 0, 0, 4, 1, second, 40, 30, 9, 9]
        order = PacketOrder()
        order.isNext = true
        order.marker = true
        order.wireLength = rest.count
        _ = frames.observe(Array(rest).rawSpan, .jpeg, order)
        #expect(frames.faults == (isFault ? PacketFaults(.changedHeader) : []))
    }

    /// Descriptors of FFmpeg, which never mark a frame as a reference, and one of libvpx, followed by the frame header.
    @Test(
        "VP9 frames state whether they are key frames",
        arguments: [
            ([0x8C, 0x01, 0x80], true), ([0x8C, 0x01, 0x84], false), ([0x8C, 0x01, 0x88], false),
            ([0x8C, 0x01, 0xB0], true), ([0x8C, 0x01, 0xB2], false), ([0xCC, 0x01, 0x86], false),
            // Nothing follows the descriptor, or nothing that is a header.
            ([0x8C, 0x01], true), ([0xCC, 0x01], false), ([0x8C, 0x01, 0x00], true), ([0x84, 0x01, 0x80], false),
        ] as [([UInt8], Bool)])
    func keyframesOfVP9(_ octets: [UInt8], _ isKeyframe: Bool) {
        let payload = VP9Payload(octets.rawSpan)
        #expect(payload?.isKeyframe == isKeyframe)
    }
}
