#!/bin/bash
# Rebuilt, not recorded: the dialogue that an article prints as a log. The Python script says what is the article's.
. "$(dirname "$0")/common.sh"
$python "$record/rebuild_seed_dialogue.py" "$captures/rtsp/article-dialogue.pcap"
