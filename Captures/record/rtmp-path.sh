#!/bin/bash
# RTMP with a faulty path or tap: segments lost and reordered by relay.py toward the player, recorded there;
# a capture with missing segments; one with a snap length; and a server that relays to another (recorded between
# the two).
. "$(dirname "$0")/rtmp-common.sh"
two_hosts_and_middle
rtmp_server
keep_publishing rtmp://$server/live/camera

relay() {
    background relay middle $python "$record/relay.py" left0 right0 --mode tcp \
        --log "$captures/rtmp/$1.truth.jsonl" "${@:2}"
    relay_pid=$started
    until grep -qs relaying "$work/relay.log"; do sleep 0.1; done
}

end_relay() {
    kill "$relay_pid"
    wait "$relay_pid" || true
}

mkdir -p "$captures/rtmp"
relay rtmp-loss --seed 11 --skip 8 --drop 0.06 --delay 0.06
start_capture client rtmp/rtmp-loss.pcap -i eth0
ffmpeg_client -i rtmp://$server/live/camera -t 4 -f null -
stop_capture
end_relay

relay rtmp-loss-tap
start_capture client rtmp/rtmp-loss-tap.pcap -i eth0
ffmpeg_client -i rtmp://$server/live/camera -t 4 -f null -
stop_capture
mv "$captures/rtmp/rtmp-loss-tap.pcap" "$work/whole.pcap"
$python "$record/drop_frames.py" "$work/whole.pcap" "$captures/rtmp/rtmp-loss-tap.pcap" \
    "$work/tap.jsonl" 1935 12 4 3

start_capture client rtmp/rtmp-snaplen.pcap -s 120 -i eth0
ffmpeg_client -i rtmp://$server/live/camera -t 2 -f null -
stop_capture

# The second server, on the client's host, receives what the first one pushes.
sed -e 's/listen 1935;/listen 1936;/' -e "s#pid .*#pid $work/second.pid;#" "$work/nginx.conf" >"$work/second.conf"
background second client nginx -p "$work" -c "$work/second.conf"
wait_for_port client 1936
start_capture client rtmp/rtmp-relay.pcap -i eth0 port 1936
publish_from server 4 rtmp://$server/relay/camera
stop_capture
end_relay
cp "$work/tap.jsonl" "$captures/rtmp/rtmp-loss-tap.truth.jsonl"
