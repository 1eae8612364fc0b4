import CProcess
import WeirPackets

/// The text of a Decryption Secrets Block, and its place.
package struct EmbeddedKeyLog: Sendable {
    /// The text. Secret.
    package var text: [UInt8]
    /// The number of frames before it.
    package let frames: Int
}

/// The Decryption Secrets Blocks of pcapng files (draft-ietf-opsawg-pcapng §4.7), as far as they are TLS key logs.
enum SecretsBlocks {
    /// The types of blocks with a packet.
    private static let packetTypes: Set<UInt32> = [2, 3, 6]

    /// The block type.
    static let type: UInt32 = 10
    /// The type of secrets that are a TLS key log: `TLSK`.
    static let keyLogType: UInt32 = 0x544C_534B
    /// The octets of key logs in a file beyond which further ones are ignored.
    static let mostOctets = 64 * 1024 * 1024

    /// Returns the key logs of all blocks of a file, wherever they are. Packets are passed over by the lengths of their
    /// blocks; damage ends the search.
    static func keyLogs(in name: String) -> [EmbeddedKeyLog] {
        guard let input = try? CaptureInput(name) else { return [] }
        let buffer = BlockBuffer(input)
        guard buffer.fill(12), buffer.uint32(0) == PcapngBlock.sectionHeader else { return [] }
        var keyLogs: [EmbeddedKeyLog] = []
        var frames = 0
        var octets = 0
        var isBigEndian = false
        while buffer.fill(12) {
            if buffer.uint32(0) == PcapngBlock.sectionHeader {
                switch buffer.uint32(8) {
                case UInt32(0x1A2B_3C4D).bigEndian: isBigEndian = true
                case UInt32(0x1A2B_3C4D).littleEndian: isBigEndian = false
                default: return keyLogs
                }
            }
            func word(_ position: Int) -> UInt32 {
                let value = buffer.uint32(position)
                return isBigEndian ? UInt32(bigEndian: value) : UInt32(littleEndian: value)
            }
            let length = Int(word(4))
            guard length >= 12, length & 3 == 0, length <= PcapngBlock.maximumLength, buffer.fill(length) else {
                return keyLogs
            }
            if word(0) == type, length >= 20, word(8) == keyLogType,
                let keyLog = keyLog(in: buffer, length: Int(word(12)), block: length, after: octets)
            {
                octets &+= keyLog.count
                keyLogs.append(EmbeddedKeyLog(text: keyLog, frames: frames))
            }
            if packetTypes.contains(word(0)) { frames &+= 1 }
            buffer.consume(length)
        }
        return keyLogs
    }

    /// Returns the key log in the block at the start of a buffer, or nil if it does not fit, or exceeds the limit. Core
    /// dumps of the process are off from then on.
    static func keyLog(in buffer: BlockBuffer, length: Int, block: Int, after octets: Int) -> [UInt8]? {
        guard block >= 20, length <= block &- 20, octets &+ length <= mostOctets else { return nil }
        _ = process_disable_core_dumps()
        return unsafe [UInt8](buffer.bytes(16, length))
    }
}
