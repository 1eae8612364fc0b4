import WeirPackets

/// A key material message, or the state in a response to one (§3.2.2, §3.2.1.2).
struct SRTKeyMaterial: Sendable {
    /// The state of keys that could not be used.
    enum State: UInt32, Sendable {
        case unsecured = 0
        case securing = 1
        case secured = 2
        case noSecret = 3
        case badSecret = 4
        case badCryptoMode = 5
    }

    let isResponse: Bool
    /// The failure in a response of one word, or nil if there is none.
    private(set) var state: State?
    /// The first octet: reserved bit, version and packet type.
    private(set) var head: UInt8 = 0
    private(set) var sign: UInt16 = 0
    /// The keys provided: 1 even, 2 odd, 3 both.
    private(set) var slots: UInt8 = 0
    private(set) var cipher: UInt8 = 0
    private(set) var authentication: UInt8 = 0
    /// Length of the salt in octets.
    private(set) var saltLength = 0
    /// Length of one key in octets.
    private(set) var keyLength = 0
    /// The salt, and the wrapped keys.
    private(set) var salt: [UInt8] = []
    private(set) var wrapped: [UInt8] = []

    /// Parses the content of an extension, or returns nil if it is too short.
    init?(_ bytes: RawSpan, isResponse: Bool) {
        self.isResponse = isResponse
        if bytes.byteCount == 4, isResponse {
            guard let value = bytes.uint32(at: 0),
                let state = State(rawValue: value.byteSwapped) ?? State(rawValue: value)
            else { return nil }
            self.state = state
            return
        }
        guard let head = bytes.byte(at: 0), let sign = bytes.uint16(at: 1), let slots = bytes.byte(at: 3),
            let cipher = bytes.byte(at: 8), let authentication = bytes.byte(at: 9), let salt = bytes.byte(at: 14),
            let key = bytes.byte(at: 15)
        else { return nil }
        self.head = head
        self.sign = sign
        self.slots = slots & 3
        self.cipher = cipher
        self.authentication = authentication
        saltLength = Int(salt) * 4
        keyLength = Int(key) * 4
        self.salt = bytes.clamped(16, 16 + saltLength).array()
        wrapped = bytes.clamped(16 + saltLength).array()
    }

    /// The number of keys provided.
    var keys: Int { slots == 3 ? 2 : slots == 0 ? 0 : 1 }
    /// Whether the lengths of salt and keys fill the message.
    var isWellFormed: Bool { head == 0x12 && sign == 0x2029 && keys > 0 && wrapped.count == keys * keyLength + 8 }
    /// The cipher's name.
    var cipherName: String {
        switch cipher {
        case 0: "none"
        case 1: "AES-ECB"
        case 2: "AES-CTR"
        case 3: "AES-CBC"
        case 4: "AES-GCM"
        default: "cipher \(cipher)"
        }
    }
}
