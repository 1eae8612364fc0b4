#!/bin/bash
# One session captured at both of its hosts, with relay.py between them, which loses, delays and duplicates packets:
# NAME-sender.pcap, NAME-receiver.pcap, and what the relay did in NAME.truth.jsonl. An ffmpeg publishes to another one
# that listens (ANNOUNCE and RECORD). move_capture.py makes a copy of a receiver's capture with another clock, behind
# address translation.
#
# SEEDS=20 ./diff.sh also records further seeds of the first session into the folder of $EXTRA, for a test by hand.
. "$(dirname "$0")/common.sh"
two_hosts_and_middle
mkdir -p "$captures/diff"

# session NAME TRANSPORT SECONDS RELAY-OPTIONS…
session() {
    local name=$1 transport=$2 seconds=$3
    shift 3
    background relay middle $python "$record/relay.py" left0 right0 --log "$captures/$name.truth.jsonl" "$@"
    local relay_pid=$started
    until grep -qs relaying "$work/relay.log"; do sleep 0.1; done
    start_capture client "$name-receiver.pcap" -i eth0 "udp or tcp or icmp"
    start_capture server "$name-sender.pcap" -i eth0 "udp or tcp or icmp"
    background listener client timeout 30 ffmpeg -nostdin -v error -rtsp_flags listen \
        -i "rtsp://$client:8554/live" -f null -
    local listener_pid=$started
    wait_for_port client 8554
    in_host server timeout 30 ffmpeg -nostdin -v error -re -f lavfi -i testsrc2=size=160x120:rate=20 \
        -f lavfi -i sine=sample_rate=8000 -t "$seconds" -c:v libx264 -preset veryfast -tune zerolatency -g 20 -b:v 60k \
        -pix_fmt yuv420p -c:a pcm_mulaw -f rtsp -rtsp_transport "$transport" -pkt_size 400 "rtsp://$client:8554/live" \
        >"$work/sender.log" 2>&1 || true
    wait "$listener_pid" || true
    # Shows that both captures still run after the last packet of the session may have arrived.
    sleep 0.3
    in_host server ping -c 1 -W 1 "$client" >"$work/ping.log"
    stop_capture
    kill "$relay_pid"
    wait "$relay_pid" || true
}

session diff/rtsp-udp udp 5 --mode udp --seed 21 --hold 0.1 --drop 0.04 --delay 0.04 --double 0.03
session diff/rtsp-tcp tcp 4 --mode tcp --seed 22 --skip 8 --drop 0.04 --delay 0.04
$python "$record/move_capture.py" "$captures/diff/rtsp-udp-receiver.pcap" "$captures/diff/rtsp-udp-moved.pcap" \
    --ahead 3 --drift 50

for seed in $(seq 1 "${SEEDS:-0}"); do
    mkdir -p "$captures/$EXTRA"
    session "$EXTRA/seed-$seed" udp 4 --mode udp --seed "$seed" --hold 0.1 --drop 0.05 --delay 0.04 --double 0.03
done
