#!/bin/bash
# srt-live-transmit (Debian srt-tools 1.5.1) as caller and listener, with a transport stream of ffmpeg: a healthy session
# with a stream id, an encrypted one, wrong passphrases with and without enforced encryption, a port without a listener,
# and a rendezvous. The statistics of the sender are in NAME.truth.csv.
. "$(dirname "$0")/common.sh"
two_hosts

ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=size=160x120:rate=10 -t 4 -c:v libx264 -preset veryfast -bf 0 -g 10 \
    -b:v 60k -pix_fmt yuv420p -f mpegts -muxrate 120k "$work/film.ts"

# send LOG URI [RATE]: ffmpeg paces the film into srt-live-transmit, which calls the URI.
send() {
    in_host client timeout 12 bash -c "ffmpeg -nostdin -v error -re -i $work/film.ts -c copy -f mpegts -muxrate ${3:-120k} - \
        | srt-live-transmit -c 1316 -a no -t 8 -s 20 -pf csv -statsout $work/$1.csv file://con '$2'" \
        >"$work/$1.log" 2>&1 || true
}

# listen URI-OPTIONS: the listener on port 9710 of the server; srt-live-transmit ends with the session.
listen() {
    background listener server timeout 14 srt-live-transmit -a no -q "srt://:9710?mode=listener&$1" file://con
    sleep 0.5
}

# session NAME LISTENER-OPTIONS CALLER-OPTIONS
session() {
    start_capture client "srt/$1.pcap" -i eth0 udp or icmp
    listen "$2"
    send "$1" "srt://$server:9710?$3"
    stop_capture
    kill "$started" 2>/dev/null || true
    pkill_listener
    if [ -s "$work/$1.csv" ]; then cp "$work/$1.csv" "$captures/srt/$1.truth.csv"; fi
}

# The listener may outlive its session.
pkill_listener() {
    local pid
    for pid in $(ip netns pids "weir-server-$$"); do kill "$pid" 2>/dev/null || true; done
    sleep 0.3
}

session srt-live "latency=200" "latency=120&streamid=#!::r=live/camera1,u=studio,m=publish"
session srt-encrypted "passphrase=correct-horse-battery" "passphrase=correct-horse-battery&pbkeylen=32"
session srt-wrong-passphrase "passphrase=correct-horse-battery" "passphrase=wrong-horse-battery"
session srt-wrong-passphrase-tolerated "passphrase=correct-horse-battery&enforcedencryption=0" \
    "passphrase=wrong-horse-battery&enforcedencryption=0"

start_capture client srt/srt-no-listener.pcap -i eth0 udp or icmp
send srt-no-listener "srt://$server:9711"
stop_capture

start_capture client srt/srt-rendezvous.pcap -i eth0 udp or icmp
background peer server timeout 14 srt-live-transmit -a no -q "srt://$client:9712?mode=rendezvous" file://con
send srt-rendezvous "srt://$server:9712?mode=rendezvous"
stop_capture

# A latency of 20 ms with a round-trip time of 100 ms and 2 % loss: retransmissions arrive too late to play.
ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=size=160x120:rate=10 -t 4 -c:v libx264 -preset veryfast -bf 0 -g 10 \
    -b:v 150k -pix_fmt yuv420p -f mpegts -muxrate 240k "$work/film.ts"
background relay server $python "$record/srt_relay.py" 9713 9714 --seed 5 --log "$captures/srt/srt-late-repair.truth.jsonl"
relay_pid=$started
background listener server timeout 14 srt-live-transmit -a no -q "srt://:9714?mode=listener&latency=20" file://con
sleep 0.5
start_capture client srt/srt-late-repair.pcap -i eth0 udp or icmp
send srt-late-repair "srt://$server:9713?latency=20" 240k
stop_capture
kill "$relay_pid"
wait "$relay_pid" || true
if [ -s "$work/srt-late-repair.csv" ]; then cp "$work/srt-late-repair.csv" "$captures/srt/srt-late-repair.truth.csv"; fi
