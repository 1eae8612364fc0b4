import WeirEngine

/// The rules for audio and video tags and AMF values, regardless of the transport.
enum FLVRules {
    /// All rules, in the order of reports.
    static var all: [any Rule.Type] {
        [
            AMF0Marker.self, AMF0ObjectEnd.self, AMF0Count.self, AMF0References.self, AMF0Text.self,
            FLVSequenceHeader.self, FLVUnitLengths.self, FLVKeyFlag.self, FLVMetadata.self, FLVTimestamps.self,
            FLVCodec12.self, EnhancedFourCC.self,
        ]
    }
}
