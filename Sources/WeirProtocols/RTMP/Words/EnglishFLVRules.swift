extension FLVWords {
    /// Findings of the AMF and FLV rules.
    static let english: [String: String] = [
        "AMF0.limit": "The message has more AMF values than are decoded; the rest is not checked.",
        "AMF0-MARKER.unknown":
            "{0} at octet {1} of the message is not a value marker; nothing after it can be decoded.",
        "AMF0-MARKER.short": "A value at octet {2} of the message needs {0} {0|octet|octets}; {1} are left.",
        "AMF0-MARKER.strayEnd": "An object end marker replaces a value at octet {0} of the message.",
        "AMF0-OBJEND.missing": "The message ends inside an object, without its end marker 00 00 09.",
        "AMF0-COUNT.other": "An ECMA array announces {0} members but has {1}.",
        "AMF0-REF.nothing": "Reference {0} at octet {1} of the message has no object that precedes it.",
        "AMF0-UTF8.other": "The string at octet {0} of the message is not UTF-8.",
        "FLV-SEQHDR.empty": "The {0} sequence header is empty.",
        "FLV-SEQHDR.tooShort": "The {0} sequence header is truncated.",
        "FLV-SEQHDR.version": "The {0} sequence header has an undefined version or signature.",
        "FLV-SEQHDR.signature": "The {0} sequence header has no signature, as FFmpeg writes it.",
        "FLV-SEQHDR.lengthSize":
            "The {0} sequence header announces NAL unit lengths of three octets, which is not defined.",
        "FLV-SEQHDR.noParameterSets": "The {0} sequence header has no parameter sets.",
        "FLV-SEQHDR.parameterSet": "The {0} sequence header has a parameter set that cannot be decoded.",
        "FLV-SEQHDR.profileDiffers": "The {0} sequence header and its parameter set differ in profile or level.",
        "FLV-SEQHDR.reserved": "The {0} sequence header has an undefined sample rate, profile or type.",
        "FLV-SEQHDR.never":
            "The {0} has no sequence header: none of its messages with frames ({1}) can be decoded.",
        "FLV-SEQHDR.late":
            "The sequence header of the {0} comes after {1} {1|message|messages} with frames, which cannot be decoded.",
        "FLV-NALU-LEN.overrun": "A NAL unit announces {0} {0|octet|octets}, but the message has {1} left.",
        "FLV-NALU-LEN.leftover": "{0} {0|octet follows|octets follow} the last NAL unit.",
        "FLV-NALU-LEN.startCodes": "NAL units have start codes (00 00 00 01) instead of lengths.",
        "FLV-KEYFLAG.noPicture": "A key frame of {0} contains no random access picture.",
        "FLV-KEYFLAG.noFlag": "A frame of {0} with a random access picture is not marked as a key frame.",
        "FLV-HEVC12.used": "H.265 is sent as codec 12, which no specification defines.",
        "FLV-TS.back": "The {0} timestamp goes back by {1} ms, from {2} to {3}.",
        "FLV-TS.ahead": "Video is up to {0} ms ahead of audio by timestamp; the limit is {1} ms.",
        "FLV-TS.behind": "Video is up to {0} ms behind audio by timestamp; the limit is {1} ms.",
        "FLV-TS.still": "The {0} timestamps do not advance: {1} messages in {3} have timestamp {2}.",
        "FLV-META.bare": "The metadata is sent without @setDataFrame: some servers do not store it for later players.",
        "FLV-META.none": "Media starts before any metadata.",
        "FLV-META.differs": "{0} is {1} in the metadata, and {2} in the sequence header.",
        "EFLV-FOURCC.codec": "{0} is sent with {1}, a codec that enhanced RTMP does not define.",
        "EFLV-FOURCC.packet": "A {0} message has packet type {1}, which enhanced RTMP does not define.",
        "EFLV-FOURCC.unlisted": "{0} is sent as {1}, which connect did not announce.",
        "EFLV-FOURCC.noList": "{0} is sent as {1}, but connect announced no enhanced RTMP codecs.",
        "EFLV-FOURCC.unseen": "Whether connect announced {0} was not captured.",
    ]
}
