#!/bin/bash
# Tunneled RTMP: RTMPT (in HTTP, bridged to nginx-rtmp by rtmpt_bridge.py), RTMPS (in TLS, terminated by nginx's
# stream module), and RTMPTS, which combines both.
. "$(dirname "$0")/rtmp-common.sh"
two_hosts
rtmp_server
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=$server -keyout "$work/key.pem" -out "$work/cert.pem" \
    2>/dev/null
tls_front 'listen 1443 ssl; proxy_pass 127.0.0.1:1935' 'listen 443 ssl; proxy_pass 127.0.0.1:80'
wait_for_port server 1443
background bridge server $python "$record/rtmpt_bridge.py" 80 127.0.0.1 1935
wait_for_port server 80

start_capture client rtmp/rtmpt-publish.pcap -i eth0
publish_from client 3 rtmpt://$server/live/camera || true
stop_capture
start_capture client rtmp/rtmps-publish.pcap -i eth0
publish_from client 2 rtmps://$server:1443/live/camera
stop_capture
start_capture client rtmp/rtmpts-publish.pcap -i eth0
publish_from client 2 rtmpts://$server/live/camera || true
stop_capture

keep_publishing rtmp://$server/live/kept
start_capture client rtmp/rtmpt-play.pcap -i eth0
in_host client timeout --signal INT 4 ffmpeg -nostdin -v warning -i rtmpt://$server/live/kept -t 2 -f null - \
    >"$work/client.log" 2>&1 || true
stop_capture
