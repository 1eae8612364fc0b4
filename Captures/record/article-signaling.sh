#!/bin/bash
# Rebuilt, not recorded: what the client of an article says to its signaling server. The Python script says what is the
# article's.
. "$(dirname "$0")/common.sh"
mkdir -p "$captures/webrtc"
$python "$record/rebuild_article_signaling.py" "$captures/webrtc/article-signaling.pcap"
