#!/bin/bash
# Calls through a relay (coturn), over UDP and over TCP: the offerer has relay candidates only. Recorded at the offerer,
# which communicates only with the relay.
. "$(dirname "$0")/common.sh"
python=$record/.venv/bin/python
two_hosts

background turn server turnserver -n --no-cli --no-tls --no-dtls --listening-ip $server --listening-port 3478 \
    --lt-cred-mech --user test:test-secret --realm weir.example --log-file stdout
wait_for_port server 3478

for transport in udp tcp; do
    background answerer server "$python" "$record/webrtc_peer.py" answer --ipv4
    wait_for_port server 6868
    start_capture client webrtc/webrtc-turn-$transport.pcap -s 65535 -i eth0 udp or tcp
    in_host client timeout 60 "$python" "$record/webrtc_peer.py" offer "$server:6868" \
        --turn "$server:3478/$transport" --seconds 3 >"$work/offerer.log" 2>&1
    stop_capture
done
