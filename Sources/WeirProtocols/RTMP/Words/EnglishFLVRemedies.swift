extension FLVWords {
    /// Of each rule: why it matters, how to mend what breaks it, and which peers are known for that.
    static let englishRemedies: [String: String] = [
        "mend.AMF0-MARKER": "Write values with the markers of AMF 0, and whole.",
        "why.AMF0-MARKER": "The receiver cannot read the rest of the message.",
        "mend.AMF0-OBJEND": "End objects with an empty name and 09.",
        "why.AMF0-OBJEND": "The receiver takes what follows for members.",
        "mend.AMF0-COUNT": "Write the number of members, or 0.",
        "why.AMF0-COUNT": "Receivers that reserve by it reserve too much, or stop too soon.",
        "mend.AMF0-REF": "Refer only to objects that came before.",
        "why.AMF0-REF": "The receiver has nothing to put there.",
        "mend.AMF0-UTF8": "Write strings in UTF-8.",
        "why.AMF0-UTF8": "Names become unreadable, or the message is refused.",
        "mend.FLV-SEQHDR": "Send the sequence header first, and again when the codec changes.",
        "why.FLV-SEQHDR": "Decoders show nothing without it.",
        "mend.FLV-NALU-LEN":
            "Put the exact length in front of each NAL unit, in as many octets as the sequence header says.",
        "why.FLV-NALU-LEN": "Decoders lose their place, and drop the picture.",
        "mend.FLV-KEYFLAG": "Mark messages with an IDR picture as key frames, and no others.",
        "why.FLV-KEYFLAG": "Servers begin new players at key frames: they begin at a broken picture, or never.",
        "mend.FLV-META": "Send @setDataFrame onMetaData before media, with what the sequence headers say.",
        "why.FLV-META": "Players lay out and choose decoders by it.",
        "peers.FLV-META": "Some encoders send onMetaData without @setDataFrame.",
        "mend.FLV-TS": "Let timestamps of a track grow, and begin audio and video at one clock.",
        "why.FLV-TS": "Players stop, or lose lip-sync.",
        "mend.FLV-HEVC12": "Send H.265 as enhanced RTMP with the FourCC hvc1.",
        "why.FLV-HEVC12": "Servers outside of one region do not know codec 12.",
        "peers.FLV-HEVC12": "Encoders and servers of Chinese services use codec 12.",
        "mend.EFLV-FOURCC": "Announce FourCCs in connect, and send only what the peer announced.",
        "why.EFLV-FOURCC": "A peer without the codec drops the stream.",
    ]
}
