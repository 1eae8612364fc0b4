extension FLVWords {
    /// Findings of the AMF and FLV rules.
    static let english: [String: String] = [
        "AMF0.limit": "The message holds more values than are read, so that its rest decides nothing.",
        "AMF0-MARKER.unknown": "{0} at octet {1} of the message is no type of value; nothing behind it can be read.",
        "AMF0-MARKER.short": "A value needs {0} {0|octet|octets} at octet {2} of the message, where {1} are left.",
        "AMF0-MARKER.strayEnd": "At octet {0} of the message, where a value should be, stands the end of an object.",
        "AMF0-OBJEND.missing": "The message ends inside an object, which should end in 00 00 09.",
        "AMF0-COUNT.other": "An ECMA array announces {0} members and has {1}.",
        "AMF0-REF.nothing": "At octet {1} of the message, index {0} refers to something that did not come before.",
        "AMF0-UTF8.other": "The string at octet {0} of the message is not UTF-8.",
        "FLV-SEQHDR.empty": "The {0} sequence header is empty.",
        "FLV-SEQHDR.tooShort": "The {0} sequence header ends before all that it announces is there.",
        "FLV-SEQHDR.version": "The {0} sequence header has a version or signature that is not defined.",
        "FLV-SEQHDR.signature": "The {0} sequence header begins without its signature, as FFmpeg writes it.",
        "FLV-SEQHDR.lengthSize":
            "The {0} sequence header says that lengths of NAL units have three octets, which is not defined.",
        "FLV-SEQHDR.noParameterSets": "The {0} sequence header has no parameter sets to decode with.",
        "FLV-SEQHDR.parameterSet": "The {0} sequence header has a parameter set that cannot be read.",
        "FLV-SEQHDR.profileDiffers":
            "The {0} sequence header names another profile or level than the parameter set in it.",
        "FLV-SEQHDR.reserved": "The {0} sequence header has a sample rate, profile or type that is not defined.",
        "FLV-SEQHDR.never":
            "No sequence header comes with the {0}, which cannot be decoded without; messages with frames: {1}.",
        "FLV-SEQHDR.late": "The sequence header of the {0} comes late; messages with frames before it: {1}.",
        "FLV-NALU-LEN.overrun": "A NAL unit is said to have {0} {0|octet|octets}, and the message has {1} left.",
        "FLV-NALU-LEN.leftover": "Behind the last NAL unit, {0} {0|octet is|octets are} left that {0|is|are} no unit.",
        "FLV-NALU-LEN.startCodes": "NAL units stand behind start codes (00 00 00 01), where their lengths belong.",
        "FLV-KEYFLAG.noPicture": "A key frame of {0} has no picture at which decoding can begin.",
        "FLV-KEYFLAG.noFlag": "A frame of {0} at which decoding can begin is not said to be a key frame.",
        "FLV-HEVC12.used": "H.265 is sent as codec 12, which no specification has.",
        "FLV-TS.back": "The {0} timestamp goes back by {1} ms, from {2} to {3}.",
        "FLV-TS.apart": "The timestamps of audio and video are up to {0} ms apart; the limit is {1} ms.",
        "FLV-META.bare":
            "The metadata is sent without @setDataFrame: not every server keeps it for those who join later.",
        "FLV-META.none": "Media begins before any metadata.",
        "FLV-META.differs": "The metadata says {1} for {0}, the sequence header {2}.",
        "EFLV-FOURCC.codec": "{0} is sent with {1}, a codec that enhanced RTMP does not have.",
        "EFLV-FOURCC.packet": "A {0} message has packet type {1}, which enhanced RTMP does not have.",
        "EFLV-FOURCC.unlisted": "{0} is sent as {1}, which is not among the codecs that connect announced.",
        "EFLV-FOURCC.noList": "{0} is sent as {1}, and connect announced no codecs of enhanced RTMP.",
        "EFLV-FOURCC.unseen": "What connect announced was not captured, so that nobody knows whether {0} was.",
    ]
}
