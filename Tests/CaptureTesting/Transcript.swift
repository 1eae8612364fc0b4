import WeirPackets

/// A scripted conversation, converted to frames.
///
/// Blocks are separated by empty lines. The first letters of a block select its meaning:
/// - `C: ` and `S: ` are messages of the client and the server; lines after a line `~` are the body, and
///   `Content-Length: *` is filled in. `C!` and `S!` end their lines in LF alone.
/// - `+5` advances time by 5 seconds; `M 0 100 9000` is RTP on channel 0 with sequence number 100 and timestamp 9000;
///   `R 1 S` is a report on channel 1, of a sender or a receiver (with the prefix `c`: sent by the client);
/// - `U 5000 6000 100 9000` is RTP from the server's port 6000 to the client's port 5000, `V 5001 6001 S` a report;
///   `N 5001 6001 119` requests retransmission of sequence number 119; `P 5000 6000 100 20` are packets 100 to 119 over
///   20 seconds; `X 5001 6001` is an ICMP port unreachable of the client;
/// - `D 192.0.2.2:6000 192.0.2.1:62000 96 100 12345678 5` are 5 packets of RTP from one address and port to another, 20
///   ms apart: payload type, first sequence number, SSRC in hexadecimal; `E` instead of `D` is a sender report of the
///   source (`E 192.0.2.2:6001 192.0.2.1:62001 12345678`), `F` a receiver report about it;
/// - `J S 3` are 3 octets of junk from the server, `T C abc` these letters, `L C` is a line end, `G S 10` are octets
///   missing from the capture;
/// - `W S 0` is an acknowledgment of the server with a receive window of 0 octets;
/// - `FIN` and `RST` of the client, `FIN S` and `RST S` of the server end the connection; without either, the capture
///   ends first.
package struct Transcript: Sendable {
    /// The script.
    package var text: String
    /// Whether the capture starts after the TCP handshake.
    package var startsLate = false

    /// Creates a conversation from a script.
    package init(_ text: String, startsLate: Bool = false) {
        self.text = text
        self.startsLate = startsLate
    }

    /// Returns the conversation with parts of the script replaced, or nil if a part does not occur, which is an error
    /// of the test.
    package func replacing(_ edits: [(String, String)]) -> Transcript? {
        var copy = self
        for (old, new) in edits {
            guard let range = copy.text.firstRange(of: old) else { return nil }
            copy.text.replaceSubrange(range, with: new)
        }
        return copy
    }

    /// The frames, in order.
    package var frames: [KeptFrame] {
        packets.enumerated().map { index, packet in
            KeptFrame(packet: packet.octets, number: index + 1, time: Timestamp(nanoseconds: packet.nanoseconds))
        }
    }

    private var packets: [(octets: [UInt8], nanoseconds: Int64)] {
        var wire = Wire()
        if !startsLate { wire.connect() }
        var block: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) + [""] {
            if !line.isEmpty {
                block.append(line)
            } else if !block.isEmpty {
                play(block, &wire)
                block = []
            }
        }
        return wire.packets
    }

    private func play(_ block: [String], _ wire: inout Wire) {
        guard let first = block.first else { return }
        let words = first.split(separator: " ").map(String.init)
        let numbers = words.dropFirst().map { Int($0) ?? 0 }
        func number(_ index: Int) -> Int { index < numbers.count ? numbers[index] : 0 }
        switch words[0] {
        case "C:", "S:", "C!", "S!":
            wire.send(
                fromClient: first.hasPrefix("C"),
                message(block, lineEnd: first.dropFirst().hasPrefix("!") ? "\n" : "\r\n"))
        case "FIN": wire.close(fromClient: words.last != "S")
        case "RST": wire.recordReset(fromClient: words.last != "S")
        case "W": wire.offer(fromClient: words[1] == "C", window: UInt16(clamping: number(1)))
        case "M": wire.send(fromClient: false, frame(number(0), rtp(number(1), number(2))))
        case "R": wire.send(fromClient: false, frame(number(0), report(words.last == "S")))
        case "cR": wire.send(fromClient: true, frame(number(0), report(words.last == "S")))
        case "U":
            wire.datagram(
                fromClient: false, clientPort: UInt16(number(0)), serverPort: UInt16(number(1)),
                rtp(number(2), number(3), number(0) == 5_002 ? 0 : 96))
        case "P":
            for index in 0..<20 {
                wire.datagram(
                    fromClient: false, clientPort: UInt16(number(0)), serverPort: UInt16(number(1)),
                    rtp(number(2) + index, 9000 + index * number(3) * 4500))
                wire.seconds += Double(number(3)) / 20 - 0.001
            }
        case "V", "cV":
            wire.datagram(
                fromClient: words[0] == "cV", clientPort: UInt16(number(0)), serverPort: UInt16(number(1)),
                report(words.last == "S"))
        case "N":
            wire.datagram(
                fromClient: true, clientPort: UInt16(number(0)), serverPort: UInt16(number(1)),
                report(false) + [0x81, 205, 0, 3, 0, 0, 0, 9] + octets(Self.ssrc)
                    + [UInt8(number(2) >> 8 & 0xFF), UInt8(number(2) & 0xFF), 0, 0])
        case "D": stream(words, &wire)
        case "E", "F":
            guard words.count == 4, let ssrc = UInt32(words[3], radix: 16) else { return }
            wire.datagram(from: words[1], to: words[2], report(words[0] == "E", ssrc))
        case "X": wire.unreachable(clientPort: UInt16(number(0)), serverPort: UInt16(number(1)))
        case "L": wire.send(fromClient: words[1] == "C", [13, 10])
        case "J": wire.send(fromClient: words[1] == "C", [UInt8](repeating: 0x3F, count: number(1)))
        case "T": wire.send(fromClient: words[1] == "C", Array(words[2].utf8))
        case "G": wire.lose(fromClient: words[1] == "C", octets: number(1))
        default: if first.hasPrefix("+") { wire.seconds += Double(first.dropFirst()) ?? 0 }
        }
    }

    private func message(_ block: [String], lineEnd: String) -> [UInt8] {
        var lines = block
        lines[0] = String(lines[0].dropFirst(3))
        var body = ""
        if let mark = lines.firstIndex(of: "~") {
            body = lines[(mark + 1)...].map { $0 + "\r\n" }.joined()
            lines = Array(lines[..<mark])
        }
        let head = lines.map { line in
            (line == "Content-Length: *" ? "Content-Length: \(body.utf8.count)" : line) + lineEnd
        }
        return Array((head.joined() + lineEnd + body).utf8)
    }

    private func frame(_ channel: Int, _ payload: [UInt8]) -> [UInt8] {
        [0x24, UInt8(channel), UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
    }

    private func stream(_ words: [String], _ wire: inout Wire) {
        guard words.count == 7, let type = UInt8(words[3]), let first = Int(words[4]), let count = Int(words[6]),
            let ssrc = UInt32(words[5], radix: 16)
        else { return }
        for index in 0..<count {
            wire.datagram(from: words[1], to: words[2], rtp(first + index, (first + index) * 1_800, type, ssrc))
            wire.seconds += 0.019
        }
    }

    private func rtp(_ sequence: Int, _ timestamp: Int, _ type: UInt8 = 96, _ ssrc: UInt32 = Self.ssrc) -> [UInt8] {
        // Each video packet is a picture, every hundredth a key frame.
        [0x80, type == 96 ? 0x80 | type : type, UInt8(sequence >> 8 & 0xFF), UInt8(sequence & 0xFF)]
            + octets(UInt32(truncatingIfNeeded: timestamp)) + octets(ssrc)
            + [sequence % 100 == 0 ? 0x65 : 0x41, 0x81, 2, 3, 4, 5, 6, 7]
    }

    private func octets(_ word: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } }

    private static let ssrc: UInt32 = 0x1234_5678

    /// A sender report of the stream, or a receiver report with one block about it.
    private func report(_ isSender: Bool, _ ssrc: UInt32 = Self.ssrc) -> [UInt8] {
        let report =
            isSender
            ? [0x80, 200, 0, 6] + octets(ssrc) + [UInt8](repeating: 1, count: 20)
            : [0x81, 201, 0, 7, 0, 0, 0, 9] + octets(ssrc) + [UInt8](repeating: 0, count: 20)
        // Each compound packet needs a CNAME.
        return report + [0x81, 202, 0, 2] + (isSender ? octets(ssrc) : [0, 0, 0, 9]) + [1, 1, 0x61, 0]
    }
}
