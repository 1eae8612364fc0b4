extension SDPWords {
    /// Findings of the rules for audio parameters.
    static let chineseAudio: [String: String] = [
        "rule.AAC-CONFIG": "config 与 rtpmap 一致，且具有该模式要求的长度参数。",
        "AAC-CONFIG.clock": "第 {0} 个媒体段（{1}）的负载类型 {2}：config 为 {3} Hz，与 rtpmap 的时钟不同。",
        "AAC-CONFIG.stream": "config 为 {0} Hz，rtpmap 为 {1}：以 {1} Hz 计的 1024 样本访问单元与 config 不符。",
        "AAC-CONFIG.channels": "第 {0} 个媒体段（{1}）的负载类型 {2}：config 为 {3} 声道，与 rtpmap 不同。",
        "AAC-CONFIG.sizes": "第 {0} 个媒体段（{1}）的负载类型 {2}：该模式需要 {3}。",
        "rule.OPUS-CLOCK": "Opus 必须写作 opus/48000/2。",
        "OPUS-CLOCK.other": "第 {0} 个媒体段（{1}）的负载类型 {2}：Opus 的时钟为 48000，声道数为 2。",
        "mend.AAC-CONFIG": "声明 AudioSpecificConfig 的采样率和声道数，以及该模式的 sizeLength、indexLength、indexDeltaLength。",
        "why.AAC-CONFIG": "音频以错误的速度播放，或无法区分访问单元。",
        "mend.OPUS-CLOCK": "无论信号如何都写 a=rtpmap:… opus/48000/2。",
        "why.OPUS-CLOCK": "对端会拒绝该负载类型或以错误速度播放。",
    ]
}
