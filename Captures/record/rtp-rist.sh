#!/bin/bash
# RIST Simple Profile between librist's ristsender and ristreceiver (VSF TR-06-1): range NACKs in RTCP APP packets, round
# trip time echoes and retransmissions. relay.py delays and drops packets between the hosts, listed in NAME.truth.jsonl; the
# statistics of the receiver are in NAME.receiver.json. The capture is taken at the receiving client.
. "$(dirname "$0")/common.sh"
two_hosts_and_middle

background relay middle $python "$record/relay.py" left0 right0 --log "$captures/rtp/rtp-rist-librist.truth.jsonl" --mode udp \
    --seed 4 --skip 10 --drop 0.06
relay_pid=$started
until grep -qs relaying "$work/relay.log"; do sleep 0.1; done
start_capture client rtp/rtp-rist-librist.pcap -i eth0 udp
background receiver client ristreceiver -p 0 -S 1000 -i "rist://@0.0.0.0:5096?buffer=500" -o udp://127.0.0.1:5999
receiver_pid=$started
sleep 0.5
background sender server ristsender -p 0 -S 1000 -i udp://@127.0.0.1:5998 -o "rist://$client:5096?buffer=500"
sender_pid=$started
sleep 1
in_host server ffmpeg -nostdin -v error -re -f lavfi -i testsrc2=size=160x120:rate=25 -t 4 -c:v libx264 -preset veryfast \
    -bf 0 -g 25 -b:v 200k -pix_fmt yuv420p -f mpegts -muxrate 300k "udp://127.0.0.1:5998?pkt_size=1316&bitrate=300000" \
    >"$work/film.log" 2>&1
sleep 1.5
kill $sender_pid
sleep 0.5
kill $receiver_pid
stop_capture
grep -ao '{"flow_cumulative_stats.*' "$work/receiver.log" | tail -n 1 >"$captures/rtp/rtp-rist-librist.receiver.json"
kill $relay_pid
wait $relay_pid || true
