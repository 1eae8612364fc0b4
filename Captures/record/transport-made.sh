#!/bin/bash
# Records a short RTSP session (GStreamer serves, ffmpeg plays), then converts it to what this machine
# cannot record: other link types, tunnels and file formats for the same packets.
. "$(dirname "$0")/common.sh"
two_hosts
gst_server --audio none

start_capture client transport/plain.pcap -i eth0 tcp or udp
ffmpeg_client -rtsp_transport udp -i rtsp://$server/live -t 1.5 -f null -
stop_capture
$python "$record/make_transports.py" "$captures/transport/plain.pcap" "$captures/transport"
