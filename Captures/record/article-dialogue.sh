#!/bin/bash
# Rebuilt, not recorded: the dialogue logged in an article. The Python script documents which parts are the article's.
. "$(dirname "$0")/common.sh"
$python "$record/rebuild_seed_dialogue.py" "$captures/rtsp/article-dialogue.pcap"
