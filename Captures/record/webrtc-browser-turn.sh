#!/bin/bash
# Calls from headless Chromium to aiortc through a relay (coturn): one with relay candidates only, over
# UDP; and one whose direct paths a firewall blocks, so that only the relay, over TCP, works. Recorded at Chromium.
. "$(dirname "$0")/browser-common.sh"

background turn server turnserver -n --no-cli --no-tls --no-dtls --listening-ip $server --listening-port 3478 \
    --lt-cred-mech --user test:test-secret --realm weir.example --log-file stdout
wait_for_port server 3478

turn=turn:$server:3478?transport=udp policy=relay
call browser-turn.pcap aiortc audio 2 --ipv4

# Incoming UDP is dropped; the relay and the answerer are on the same host and communicate locally.
in_host server ip rule add preference 20 lookup local
in_host server ip rule add preference 10 iif eth0 ipproto udp to $server blackhole
in_host server ip rule delete preference 0
turn=turn:$server:3478?transport=tcp policy=all
call browser-relay-only.pcap aiortc audio 2 --ipv4
