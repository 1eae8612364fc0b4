#!/bin/bash
# A call from headless Firefox to headless Chromium with DTLS 1.3: audio and a data channel. Firefox writes the secrets of its
# connections (.keylog), also those of DTLS; the page reports the audio frames before they are encrypted (.sent).
. "$(dirname "$0")/browser-common.sh"
keylog=$captures/webrtc/firefox-dtls13.keylog
offerer=firefox
rm -f "$keylog"
call firefox-dtls13.pcap relay talk 2 --sent "$captures/webrtc/firefox-dtls13.sent"
