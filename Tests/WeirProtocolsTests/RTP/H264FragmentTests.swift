import Testing
import WeirPackets
import WeirProtocols
import WeirTesting

/// Fragments that continue a slice need no closer look: with and without one, the state is the same.
@Suite("Fragments of H.264") struct H264FragmentTests {
    @Test("continuing a slice changes nothing", arguments: [nil, 0, 1, 2])
    func equal(mode: Int?) {
        var random = SeededGenerator(6_184)
        var usual = H264AccessUnits()
        var whole = H264AccessUnits()
        if let mode {
            usual.announce(mode: mode)
            whole.announce(mode: mode)
        }
        let indicators: [UInt8] = [0x7C, 0x7C, 0x7C, 0x5C, 0x1C, 0xFC, 0x7D, 0x67, 0x68, 0x65, 0x06, 0x41, 0x78]
        let types: [UInt8] = [1, 1, 5, 5, 2, 6, 7]
        var continued = 0
        var octets: [UInt8] = []
        for _ in 0..<6_000 {
            // Fragments are usually followed by others of the same unit.
            let isOther = octets.count < 2 || random.chance(3)
            if isOther { octets = random.octets(Int(random.next() % 12)) } else { octets[1] &= 0x1F }
            if isOther, octets.count > 1 {
                octets[0] = indicators[Int(random.next() % UInt64(indicators.count))]
                let flags: [UInt8] = [0, 0, 0, 0, 0x80, 0x40, 0x20, 0xC0]
                octets[1] = flags[Int(random.next() % 8)] | types[Int(random.next() % UInt64(types.count))]
            }
            var order = PacketOrder()
            order.isNext = !random.chance(8)
            order.isNewUnit = random.chance(8)
            order.isTorn = random.chance(16)
            order.isWhole = !random.chance(8)
            let bytes = octets.rawSpan
            guard let payload = H264Payload(bytes) else { continue }
            let entry = whole.observe(payload, bytes, order)
            let isInOrder = order.isNext && !order.isNewUnit && !order.isTorn
            if isInOrder, bytes.byteCount > 2, bytes.uint16(at: 0) == usual.continuation {
                continued += 1
                #expect(entry == .nothing)
            } else {
                #expect(usual.observe(payload, bytes, order) == entry)
            }
            #expect("\(usual)" == "\(whole)")
        }
        #expect(mode == 0 || mode == 2 || continued > 100)
    }
}
