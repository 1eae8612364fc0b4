#!/bin/bash
# Error correction of a transport stream in RTP in rows and columns (SMPTE 2022-1), sent by ffmpeg on the ports 2 and 4 above
# the media's. relay.py drops packets between the hosts, listed in NAME.truth.jsonl. The capture is taken at the receiving
# client.
. "$(dirname "$0")/common.sh"
two_hosts_and_middle

background relay middle $python "$record/relay.py" left0 right0 --log "$captures/rtp/rtp-prompeg.truth.jsonl" --mode udp \
    --seed 7 --skip 10 --drop 0.05
relay_pid=$started
until grep -qs relaying "$work/relay.log"; do sleep 0.1; done
start_capture client rtp/rtp-prompeg.pcap -i eth0 udp
in_host server ffmpeg -nostdin -v error -re -f lavfi -i testsrc2=size=160x120:rate=25 -t 4 -c:v libx264 -preset veryfast \
    -bf 0 -g 25 -b:v 200k -pix_fmt yuv420p -f rtp_mpegts -muxrate 400k -fec prompeg=l=5:d=5 \
    "rtp://$client:5080" >"$work/sender.log" 2>&1
stop_capture
kill $relay_pid
wait $relay_pid || true
