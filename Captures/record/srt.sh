#!/bin/bash
# srt-live-transmit (Debian srt-tools 1.5.1) as caller and listener, with a transport stream of ffmpeg: a healthy session
# with a stream id, an encrypted one, wrong passphrases with and without enforced encryption, a port without a listener,
# a rendezvous, a refresh of the key, a peer that falls silent, stream ids that a server refuses, and repairs that come too
# late or in time. The statistics of the sender are in NAME.truth.csv, those of the receiver in NAME.receiver.csv, and the digest
# of what the sender sent in NAME.sha256.
. "$(dirname "$0")/common.sh"
two_hosts

ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=size=160x120:rate=10 -t 4 -c:v libx264 -preset veryfast -bf 0 -g 10 \
    -b:v 60k -pix_fmt yuv420p -f mpegts -muxrate 120k "$work/film.ts"

# send LOG URI [RATE]: ffmpeg paces the film into srt-live-transmit, which calls the URI.
send() {
    in_host client timeout 12 bash -c "ffmpeg -nostdin -v error -re -i $work/film.ts -c copy -f mpegts -muxrate ${3:-120k} - | tee $work/$1.ts \
        | srt-live-transmit -c 1316 -a no -t 8 -s 20 -pf csv -statsout $work/$1.csv file://con '$2'" \
        >"$work/$1.log" 2>&1 || true
}

# listen URI-OPTIONS: the listener on port 9710 of the server; srt-live-transmit ends with the session.
listen() {
    background listener server timeout 14 srt-live-transmit -a no -q "srt://:9710?mode=listener&$1" file://con
    sleep 0.5
}

# digest NAME: srt-live-transmit reads chunks of 1316 octets, and does not send the last one if it is shorter.
digest() { head -c "$(($(stat -c %s "$work/$1.ts") / 1316 * 1316))" "$work/$1.ts" | sha256sum | cut -d " " -f 1 >"$captures/srt/$1.sha256"; }

# session NAME LISTENER-OPTIONS CALLER-OPTIONS
session() {
    start_capture client "srt/$1.pcap" -i eth0 udp or icmp
    listen "$2"
    send "$1" "srt://$server:9710?$3"
    stop_capture
    kill "$started" 2>/dev/null || true
    pkill_listener
    if [ ! -s "$work/$1.csv" ]; then return; fi
    cp "$work/$1.csv" "$captures/srt/$1.truth.csv"
    digest "$1"
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
digest srt-rendezvous

# The key changes after 30 packets, and is announced 14 packets before.
session srt-key-refresh "passphrase=correct-horse-battery" "passphrase=correct-horse-battery&kmrefreshrate=30"

# The listener stops in the middle, and answers nothing from then on; libsrt gives up after 5 s.
start_capture client srt/srt-peer-idle.pcap -i eth0 udp or icmp
background listener server timeout -s KILL 20 srt-live-transmit -a no -q "srt://:9717?mode=listener" file://con
sleep 0.5
stopped=$(ip netns pids "weir-server-$$" | tail -n 1)
ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=size=160x120:rate=10 -t 12 -c:v libx264 -preset veryfast -bf 0 -g 10 \
    -b:v 40k -pix_fmt yuv420p -f mpegts -muxrate 80k "$work/long.ts"
(sleep 2.5 && kill -STOP "$stopped") &
in_host client timeout 14 bash -c "ffmpeg -nostdin -v error -re -i $work/long.ts -c copy -f mpegts -muxrate 80k - \
    | srt-live-transmit -c 1316 -a no file://con 'srt://$server:9717'" >"$work/idle.log" 2>&1 || true
stop_capture
kill -KILL "$stopped" 2>/dev/null || true

# A server that knows the syntax of stream ids and one resource, and refuses the rest.
background refusing server $python "$record/srt_refusing.py" 9718
sleep 0.5
start_capture client srt/srt-stream-id-refused.pcap -i eth0 udp or icmp
for id in "#!::r=live/other,m=publish" "#!:r=live/camera1"; do
    in_host client timeout 6 bash -c "head -c 1316 $work/film.ts \
        | srt-live-transmit -c 1316 -a no -t 2 file://con 'srt://$server:9718?streamid=$id'" >"$work/refused.log" 2>&1 || true
done
stop_capture
pkill_listener

# A round-trip time of 100 ms and loss: with a latency of 20 ms, retransmissions arrive too late to play; 400 ms are enough.
ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=size=160x120:rate=10 -t 4 -c:v libx264 -preset veryfast -bf 0 -g 10 \
    -b:v 150k -pix_fmt yuv420p -f mpegts -muxrate 240k "$work/film.ts"

# relayed NAME LATENCY PORT: captures at the sender, and as NAME-receiver behind the loss.
relayed() {
    background relay server $python "$record/srt_relay.py" "$3" "$(($3 + 1))" --seed 5 --drop 0.04 \
        --log "$captures/srt/$1.truth.jsonl"
    relay_pid=$started
    background listener server timeout 14 srt-live-transmit -a no -q -s 20 -pf csv -statsout "$work/$1.receiver.csv" \
        "srt://:$(($3 + 1))?mode=listener&latency=$2" file://con
    sleep 0.5
    start_capture client "srt/$1.pcap" -i eth0 udp or icmp
    start_capture server "srt/$1-receiver.pcap" -i lo udp port "$(($3 + 1))"
    send "$1" "srt://$server:$3?latency=$2" 240k
    stop_capture
    kill "$relay_pid"
    wait "$relay_pid" || true
    pkill_listener
    digest "$1"
    cp "$work/$1.csv" "$captures/srt/$1.truth.csv"
    cp "$work/$1.receiver.csv" "$captures/srt/$1.receiver.csv"
}
relayed srt-late-repair 20 9713
relayed srt-repair 400 9715
