import WeirPackets
import WeirProtocols

/// Replaces what SRTP and SRTCP packets carry whose keys the capture shows: in the clear, protected again with the keys that stand
/// in the copy.
///
/// Packets are given in the order of the capture. Not thread-safe: it follows the sequence numbers of streams.
final class ProtectedMedia {
    private var rekeying = SRTPRekeying()
    /// Whether what is changed was protected itself.
    private var isInside = false

    /// Creates a state from texts with keys, and what replaces the texts.
    init(_ texts: Set<KeyText>, _ text: TextRedactor) {
        for original in texts {
            let replaced = KeyText(
                kind: original.kind, text: String(decoding: text.redacted(original.text.utf8), as: UTF8.self))
            for (old, new) in zip(original.keys, replaced.keys) {
                if let old, let new { rekeying.replace(old, by: new) }
            }
        }
    }

    /// Replaces the content of a packet in a range; returns whether a key fits. `body` gets the packet in the clear, `header` is the
    /// length of its header if it is RTP.
    func redact(
        _ octets: inout [UInt8], _ range: Range<Int>, header: Int, _ body: (inout [UInt8]) -> Void
    ) -> Bool {
        guard !isInside, !rekeying.isEmpty, let second = octets.byte(range.lowerBound + 1) else { return false }
        isInside = true
        defer { isInside = false }
        let packet = Array(octets[range])
        let changed =
            (192...223).contains(second)
            ? rekeying.reports(packet, change: body)
            : rekeying.media(packet, header: header, change: body)
        guard let changed, changed.count == range.count else { return false }
        octets.put(changed, at: range.lowerBound)
        return true
    }
}

/// A text of the capture with keys for SRTP.
struct KeyText: Hashable {
    enum Kind {
        /// The value of `a=crypto` (RFC 4568).
        case crypto
        /// The value of `a=key-mgmt` (RFC 4567 §3.1).
        case keyManagement
        /// The RTSP header KeyMgmt (RFC 4567 §4.2).
        case header
    }

    let kind: Kind
    let text: String

    init(kind: Kind, text: String) {
        self.kind = kind
        self.text = text
    }

    /// Recognizes a member of a message by its name.
    init?(_ name: String, _ text: String) {
        switch name {
        case "attributes.crypto": kind = .crypto
        case "attributes.key-mgmt": kind = .keyManagement
        case "headers.keymgmt": kind = .header
        default: return nil
        }
        self.text = text
    }

    /// The keys in their order; nil for each that is unusable.
    var keys: [SRTPKey?] {
        switch kind {
        case .crypto: CryptoAttribute(text)?.keys ?? []
        case .keyManagement, .header: message.map { MIKEYMessage(Base64.decode($0.utf8)).keys } ?? []
        }
    }

    /// The MIKEY message, in base64.
    var message: String? {
        switch kind {
        case .crypto: nil
        case .keyManagement: MIKEYMessage.data(keyManagement: text)
        case .header: MIKEYMessage.data(header: text)
        }
    }

    /// The MIKEY message in base64 with its keys replaced.
    func replacedMessage(_ noise: (ArraySlice<UInt8>) -> [UInt8]) -> String? {
        guard let message else { return nil }
        var octets = Base64.decode(message.utf8)
        for range in MIKEYMessage(octets).secrets where range.upperBound <= octets.count {
            octets.replaceSubrange(range, with: noise(octets[range]))
        }
        return Base64.encode(octets)
    }
}
