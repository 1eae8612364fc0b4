#!/bin/bash
# WHIP and WHEP (RFC 9725): aiortc publishes to aiortc, and plays from it.
. "$(dirname "$0")/common.sh"
two_hosts
modern=$record/.venv/bin/python

background whip server "$modern" "$record/whip_peers.py" serve 8080 --token test-secret
wait_for_port server 8080
start_capture client webrtc/whip.pcap -i eth0
in_host client timeout 60 "$modern" "$record/whip_peers.py" talk 8080 $server --token test-secret >"$work/client.log" 2>&1
stop_capture
start_capture client webrtc/whep.pcap -i eth0
in_host client timeout 60 "$modern" "$record/whip_peers.py" talk 8080 $server --token test-secret --play >"$work/client.log" 2>&1
stop_capture
