#!/bin/bash
# Rebuilt, not recorded: the messages of an article's client to its signaling server. The Python script documents which
# parts are the article's.
. "$(dirname "$0")/common.sh"
mkdir -p "$captures/webrtc"
$python "$record/rebuild_article_signaling.py" "$captures/webrtc/article-signaling.pcap"
