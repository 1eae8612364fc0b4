#!/bin/bash
# IP fragments: RTP packets of up to 4000 octets over a path of 1500, IPv4 and IPv6, and pings of 4000 octets.
# GStreamer serves, ffmpeg plays.
. "$(dirname "$0")/common.sh"
two_hosts
gst_server --address :: --mtu 4000 --pattern snow --bitrate 200 --audio none

start_capture client transport/fragments-rtp.pcap -i eth0
ffmpeg_client -rtsp_transport udp -i rtsp://$server/live -t 2 -f null -
stop_capture

start_capture client transport/fragments-rtp-ipv6.pcap -i eth0
ffmpeg_client -rtsp_transport udp -i rtsp://[fd77::2]/live -t 2 -f null -
stop_capture

start_capture client transport/fragments-ping.pcap -i eth0
in_host client ping -q -c 2 -i 0.2 -s 4000 $server >/dev/null
in_host client ping -q -c 2 -i 0.2 -s 4000 fd77::2 >/dev/null
stop_capture
