#!/bin/bash
# Common failures: a wrong path, a closed port, media sent to a closed port, a server that is killed, a client that
# leaves without TEARDOWN. GStreamer serves; ffmpeg and rtspsrc play. (A wrong password is in
# rtsp-auth.sh.)
. "$(dirname "$0")/common.sh"
two_hosts
gst_server
server_pid=$gst_server_pid

start_capture client rtsp/rtsp-not-found.pcap -i eth0
ffmpeg_client -rtsp_transport tcp -i rtsp://$server/nothing-here -t 3 -f null - || true
stop_capture

start_capture client rtsp/rtsp-connection-refused.pcap -i eth0
ffmpeg_client -rtsp_transport tcp -i rtsp://$server:8553/live -t 3 -f null - || true
stop_capture

start_capture client rtsp/rtsp-port-unreachable.pcap -i eth0
in_host client $python "$record/deaf_client.py" $server 554 live 3
stop_capture

start_capture client rtsp/rtsp-no-protocol.pcap -i eth0
gst_client rtsp://$server/live play=2 --protocols http || true # this server's http:// port is another: it gives up
stop_capture

start_capture client rtsp/rtsp-client-gone.pcap -i eth0
background player client ffmpeg -nostdin -v warning -rtsp_transport tcp -i rtsp://$server/live -f null -
sleep 3
kill -KILL "$started" # no TEARDOWN
wait "$started" || true
stop_capture

start_capture client rtsp/rtsp-server-killed.pcap -i eth0
background player client timeout 12 \
    ffmpeg -nostdin -v warning -timeout 3000000 -rtsp_transport tcp -i rtsp://$server/live -f null -
player=$started
sleep 3
kill -KILL "$server_pid"
wait "$player" || true
stop_capture

# Media over UDP and a server that is killed; before that, ffmpeg's keep-alives at half the timeout.
gst_server --port 8554 --session-timeout 4
start_capture client rtsp/rtsp-server-killed-udp.pcap -i eth0
background player client timeout 12 \
    ffmpeg -nostdin -v warning -rtsp_transport udp -i rtsp://$server:8554/live -t 8 -f null -
player=$started
sleep 5
kill -KILL "$gst_server_pid"
wait "$player" || true
stop_capture
