#!/bin/bash
# Calls from headless Chromium, signaled with JSON in WebSocket: with aiortc, and with another Chromium. Trickle ICE, with
# host addresses hidden by mDNS names.
. "$(dirname "$0")/browser-common.sh"

call browser-aiortc.pcap aiortc call 2
call browser-simulcast.pcap relay simulcast 6 --simulcast
call browser-ice-restart.pcap relay restart 2
call browser-data-channel.pcap aiortc data 1
call browser-renomination.pcap relay renominate 2
