#!/bin/bash
# VLC as the server, over UDP and interleaved; GStreamer and ffmpeg play, and VLC tries to play from GStreamer.
. "$(dirname "$0")/common.sh"
two_hosts
make_film "$work/film.mp4" 20
chmod 644 "$work/film.mp4"

# VLC refuses to run as root, and writes the host's name into its SDP.
as_nobody() {
    local log=$1 host=$2
    shift 2
    mkdir -p "$work/home"
    chown nobody "$work/home"
    background "$log" "$host" \
        unshare --uts sh -c 'hostname "$0" && exec "$@"' "$host" \
        setpriv --reuid nobody --regid nogroup --clear-groups \
        env HOME="$work/home" XDG_RUNTIME_DIR="$work/home" cvlc --quiet "$@"
}

as_nobody vlc server --loop "$work/film.mp4" --sout '#rtp{sdp=rtsp://:8554/live}' --sout-keep
wait_for_port server 8554

start_capture client rtsp/rtsp-vlc.pcap -i eth0
ffmpeg_client -rtsp_transport udp -i rtsp://$server:8554/live -t 4 -f null -
stop_capture

start_capture client rtsp/rtsp-vlc-gst.pcap -i eth0
gst_client rtsp://$server:8554/live play=3
stop_capture

start_capture client rtsp/rtsp-vlc-tcp.pcap -i eth0
ffmpeg_client -rtsp_transport tcp -i rtsp://$server:8554/live -t 4 -f null - || true # 461: VLC does not interleave
stop_capture

gst_server
start_capture client rtsp/rtsp-vlc-client.pcap -i eth0
# Debian's VLC is built without live555: it tries SETUP as a SAT>IP client, then OPTIONS as a RealMedia client,
# and gives up.
as_nobody player client --intf dummy --vout dummy --aout dummy rtsp://$server/live vlc://quit
wait "$started" || true
stop_capture
