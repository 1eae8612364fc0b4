#!/bin/bash
# RTMPS on the port of HTTPS, where the server's name alone says what it is: TLS ended by nginx's stream module.
. "$(dirname "$0")/rtmp-common.sh"
two_hosts
rtmp_server
certificate rtmp.weir.example
call_server rtmp.weir.example
cat >"$work/tls.conf" <<CONFIGURATION
load_module /usr/lib/nginx/modules/ngx_stream_module.so;
daemon off;
user root;
worker_processes 1;
error_log stderr warn;
pid $work/tls.pid;
events { }
stream {
    ssl_certificate $work/cert.pem;
    ssl_certificate_key $work/key.pem;
    server { listen 443 ssl; proxy_pass 127.0.0.1:1935; }
}
CONFIGURATION
background tls server nginx -p "$work" -c "$work/tls.conf"
wait_for_port server 443

start_capture client rtmp/rtmps-server-name.pcap -i eth0
publish_from client 2 rtmps://rtmp.weir.example/live/camera
stop_capture
