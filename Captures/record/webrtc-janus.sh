#!/bin/bash
# A call of aiortc with Janus' echo test, signaled with Janus' own JSON over WebSocket.
. "$(dirname "$0")/common.sh"
two_hosts
modern=$record/.venv/bin/python

mkdir "$work/janus"
cat >"$work/janus/janus.jcfg" <<'END'
general: { interface = "10.77.0.2" }
media: { ipv6 = false }
nat: { ice_enforce_list = "10.77.0.2", full_trickle = false }
transports: { disable = "libjanus_http.so,libjanus_pfunix.so,libjanus_rabbitmq.so,libjanus_mqtt.so,libjanus_nanomsg.so" }
END
cat >"$work/janus/janus.transport.websockets.jcfg" <<'END'
general: { ws = true, ws_port = 8188 }
END
background janus server janus --configs-folder="$work/janus"
wait_for_port server 8188
start_capture client webrtc/janus-echo.pcap -i eth0 "tcp port 8188 or udp"
in_host client timeout 60 "$modern" "$record/janus_client.py" "ws://$server:8188/" 2 >"$work/client.log" 2>&1
stop_capture
