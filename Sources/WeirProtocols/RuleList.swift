public import WeirEngine

/// The rules that Weir knows, by protocol. A new rule is a small value in its protocol's folder and one word here.
public enum RuleList {
    /// All of them, in the order in which reports list them.
    public static var all: [any Rule.Type] { rtsp + sdp + rtp + rtmp + flv }

    static var rtsp: [any Rule.Type] {
        [
            RTSPVersionRule.self, RTSPRequestLine.self, RTSPLineEnds.self, RTSPCSeqPresent.self, RTSPCSeqEcho.self,
            RTSPCSeqUnique.self, RTSPCSeqStep.self, RTSPNoRetransmission.self, RTSPUnanswered.self,
            RTSPContentLengthPresent.self, RTSPContentLengthMatch.self, RTSPContentType.self, RTSPDateFormat.self,
            RTSPPublic.self, RTSPPublicLie.self, RTSPMethod501.self, RTSPContentBase.self, RTSPControlURI.self,
            RTSPSetupTransport.self, RTSPTransportOne.self, RTSPTransportEcho.self, RTSPTransportPeer.self,
            RTSPTransportGrammar.self, RTSPPortPair.self, RTSPPortReuse.self, RTSPInterleavedChannel.self,
            RTSPInterleavedParity.self, RTSPInterleavedFraming.self, RTSPInterleavedEarly.self, RTSPSessionSet.self,
            RTSPSessionEcho.self, RTSPSessionStable.self, RTSPSessionNotFound.self, RTSPSessionLength.self,
            RTSPKeepAlive.self, RTSPKeepAliveMethod.self, RTSPPlayPending.self, RTSPState.self, RTSPUnsetMedia.self,
            RTSPRTPInfo.self, RTSPRTPInfoScope.self, RTSPRTPInfoSequence.self, RTSPRTPInfoTime.self,
            RTSPRangeReply.self, RTSPScaleReply.self, RTSPTimestampEcho.self, RTSPRequire551.self,
            RTSPAuthChallenge.self, RTSPAuthClear.self, RTSPRecordFlow.self, RTSPTeardown.self, RTSP2CSeq.self,
        ]
    }
    static var sdp: [any Rule.Type] {
        [
            SDPVersion.self, SDPOriginFields.self, SDPSessionName.self, SDPTimeLine.self, SDPConnectionRequired.self,
            SDPConnectionAddress.self, SDPLineOrder.self, SDPLineForm.self, SDPLineEnds.self, SDPMediaLine.self,
            SDPMediaProtocol.self, SDPDynamicPayloadTypes.self, SDPStaticPayloadTypes.self, SDPClockRates.self,
            SDPOneMapping.self, SDPFormatParameters.self, SDPBandwidthLimit.self, SDPControl.self, SDPDirection.self,
            SDPLetterCase.self, SDPMediaIdentification.self, SDPBundle.self, SDPRTCPMultiplexing.self,
            SDPICECredentials.self, SDPICECandidates.self, SDPFingerprints.self, SDPSetup.self, SDPCrypto.self,
            SDPHeaderExtensions.self, SDPParameterSets.self, H264ProfileLevel.self, H264ParameterSets.self,
        ]
    }
    static var rtp: [any Rule.Type] {
        [
            RTPNotArrived.self, RTPSequenceLoss.self, RTPSequenceReorder.self, RTPSequenceDuplicate.self,
            RTPJitter.self, RTPPortEven.self, RTCPSenderReportAbsent.self, RTCPReceiverReportAbsent.self,
        ]
    }
    static var flv: [any Rule.Type] {
        [
            AMF0Marker.self, AMF0ObjectEnd.self, AMF0Count.self, AMF0References.self, AMF0Text.self,
            FLVSequenceHeader.self, FLVUnitLengths.self, FLVKeyFlag.self, FLVMetadata.self, FLVTimestamps.self,
            FLVCodec12.self, EnhancedFourCC.self,
        ]
    }
    static var rtmp: [any Rule.Type] {
        [
            RTMPHandshakeVersion.self, RTMPHandshakeOrder.self, RTMPHandshakeSize.self, RTMPHandshakeZero.self,
            RTMPHandshakeC2.self, RTMPHandshakeS2.self, RTMPHandshakeTime2.self, RTMPHandshakeEntropy.self,
            RTMPHandshakeStall.self, RTMPChunkType0.self, RTMPChunkStreamID.self, RTMPControlStream.self,
            RTMPUserControlStream.self, RTMPChunkSize.self, RTMPMessageLength.self, RTMPExtendedTimestamp.self,
            RTMPTimestamp24.self, RTMPTimestampBackward.self, RTMPMessageStreamOrder.self, RTMPAcknowledgement.self,
            RTMPPeerBandwidth.self, RTMPPing.self, RTMPAggregateParts.self, RTMPConnectFirst.self, RTMPTargetURL.self,
            RTMPCodecFlags.self, RTMPTransactionResult.self, RTMPCommandType.self, RTMPStreamOrder.self,
            RTMPPublishArguments.self, RTMPTransactionZero.self, RTMPStatusAnswer.self, RTMPMediaEarly.self,
            RTMPExtensionCommand.self, RTMPKeyInClear.self,
        ]
    }
}
