#!/bin/bash
# The profile AVPF with a retransmission stream, while relay.py drops packets toward the client.
# GStreamer serves and plays.
. "$(dirname "$0")/common.sh"
two_hosts_and_middle
background relay middle $python "$record/relay.py" left0 right0 --log "$work/relay.jsonl" --mode udp --seed 3 --skip 10 \
    --drop 0.04
until grep -qs relaying "$work/relay.log"; do sleep 0.1; done

gst_server --port 8554 --profile avpf --retransmit --audio none
start_capture client rtsp/rtsp-retransmission.pcap -i eth0
gst_client rtsp://$server:8554/live play=5 --set do-retransmission=true
stop_capture
