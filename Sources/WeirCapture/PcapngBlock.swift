/// What readers of pcapng blocks have in common.
enum PcapngBlock {
    /// The type of a section header, which reads the same in both byte orders.
    static let sectionHeader: UInt32 = 0x0A0D_0D0A
    /// The maximum block length, as in libpcap: a larger length is damage, not a reason to wait.
    static let maximumLength = 16 * 1024 * 1024
}
