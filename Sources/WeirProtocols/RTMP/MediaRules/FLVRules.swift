import WeirEngine

/// The rules of audio and video tags and of the values of AMF, wherever they travel.
enum FLVRules {
    /// All of them, in the order in which reports list them.
    static var all: [any Rule.Type] {
        [
            AMF0Marker.self, AMF0ObjectEnd.self, AMF0Count.self, AMF0References.self, AMF0Text.self,
            FLVSequenceHeader.self, FLVUnitLengths.self, FLVKeyFlag.self, FLVMetadata.self, FLVTimestamps.self,
            FLVCodec12.self, EnhancedFourCC.self,
        ]
    }
}
