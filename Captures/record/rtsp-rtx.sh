#!/bin/bash
# The profile AVPF with retransmissions in a separate SSRC (RFC 4588), H.264 in many packets, while relay.py drops one in
# twelve toward the client, including retransmissions, listed in rtsp-rtx.truth.jsonl. GStreamer serves and plays. The
# capture is taken at the client.
. "$(dirname "$0")/common.sh"
two_hosts_and_middle
background relay middle $python "$record/relay.py" left0 right0 --log "$captures/rtsp/rtsp-rtx.truth.jsonl" --mode udp \
    --seed 11 --skip 10 --drop 0.08 --rtx 97
relay_pid=$started
until grep -qs relaying "$work/relay.log"; do sleep 0.1; done

gst_server --port 8554 --profile avpf --retransmit --audio none --pattern snow --bitrate 160 --mtu 300
start_capture client rtsp/rtsp-rtx.pcap -i eth0
gst_client rtsp://$server:8554/live play=5 --set do-retransmission=true --set latency=1000
stop_capture
kill "$relay_pid"
wait "$relay_pid" || true
