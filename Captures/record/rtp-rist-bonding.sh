#!/bin/bash
# RIST Simple Profile with bonding: ristsender sends every packet on two paths to the ports 5106 and 5108 of ristreceiver, as
# in SMPTE ST 2022-7. relay.py drops other packets on each path, listed in NAME.truth.jsonl; the statistics of the receiver are
# in NAME.receiver.json. The capture is taken at the receiving client.
. "$(dirname "$0")/common.sh"
two_hosts_and_middle

name=rtp-rist-bonding
background relay middle $python "$record/relay.py" left0 right0 --log "$captures/rtp/$name.truth.jsonl" --mode udp --seed 7 \
    --skip 10 --drop 0.12
relay_pid=$started
until grep -qs relaying "$work/relay.log"; do sleep 0.1; done
start_capture client rtp/$name.pcap -i eth0 udp
background receiver client ristreceiver -p 0 -S 1000 \
    -i "rist://@0.0.0.0:5106?buffer=300,rist://@0.0.0.0:5108?buffer=300" -o udp://127.0.0.1:5999
receiver_pid=$started
sleep 0.3
background sender server ristsender -p 0 -S 1000 -i udp://@127.0.0.1:5998 \
    -o "rist://$client:5106?buffer=300&weight=0,rist://$client:5108?buffer=300&weight=0"
sender_pid=$started
sleep 0.4
in_host server ffmpeg -nostdin -v error -re -f lavfi -i testsrc2=size=160x120:rate=25 -t 1.7 -c:v libx264 -preset veryfast \
    -bf 0 -g 25 -b:v 80k -pix_fmt yuv420p -f mpegts -muxrate 140k "udp://127.0.0.1:5998?pkt_size=1316&bitrate=140000" \
    >"$work/film.log" 2>&1
sleep 0.6
kill $sender_pid
sleep 0.3
kill $receiver_pid
stop_capture
grep -ao '{"flow_cumulative_stats.*' "$work/receiver.log" | tail -n 1 >"$captures/rtp/$name.receiver.json"
kill $relay_pid
wait $relay_pid || true
