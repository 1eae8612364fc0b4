#!/bin/bash
# RTMPS on the HTTPS port, identified only by the server name: TLS terminated by nginx's stream module.
. "$(dirname "$0")/rtmp-common.sh"
two_hosts
rtmp_server
certificate rtmp.weir.example
call_server rtmp.weir.example
tls_front 'listen 443 ssl; proxy_pass 127.0.0.1:1935'
wait_for_port server 443

start_capture client rtmp/rtmps-server-name.pcap -i eth0
publish_from client 2 rtmps://rtmp.weir.example/live/camera
stop_capture
