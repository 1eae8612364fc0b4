#!/bin/bash
# Media without signaling, in static payload types (RFC 3551 §6): ffmpeg sends an MPEG
# transport stream to a group and to a client, PCMU, PCMA, MPEG audio and Motion JPEG; ffmpeg receives the transport
# streams. The captures are taken at the client.
. "$(dirname "$0")/common.sh"
two_hosts
picture=(-f lavfi -i testsrc=size=320x240:rate=25)
sound=(-f lavfi -i sine=frequency=440)
transport=(-c:v libx264 -preset veryfast -g 25 -b:v 300k -c:a aac -b:a 32k -f rtp_mpegts)

start_capture client rtp/rtp-mpegts.pcap -i eth0
background player client ffmpeg -nostdin -i rtp://$client:5004 -t 2 -f null -
sleep 0.5
in_host server ffmpeg -nostdin -re "${picture[@]}" "${sound[@]}" -t 3 "${transport[@]}" rtp://$client:5004 \
    >"$work/sender.log" 2>&1
stop_capture

start_capture client rtp/rtp-mpegts-multicast.pcap -i eth0
background player client ffmpeg -nostdin -i rtp://239.77.0.1:5004 -t 2 -f null -
sleep 0.5
in_host server ffmpeg -nostdin -re "${picture[@]}" "${sound[@]}" -t 3 "${transport[@]}" rtp://239.77.0.1:5004 \
    >"$work/sender.log" 2>&1
stop_capture

start_capture client rtp/rtp-static.pcap -i eth0
for pair in pcm_mulaw:5010 pcm_alaw:5020 mp2:5030; do
    in_host server ffmpeg -nostdin -re "${sound[@]}" -t 2 -ar "$([ "${pair%:*}" = mp2 ] && echo 44100 || echo 8000)" \
        -c:a "${pair%:*}" -f rtp rtp://$client:"${pair#*:}" >"$work/sender.log" 2>&1
done
in_host server ffmpeg -nostdin -re "${picture[@]}" -t 1 -c:v mjpeg -huffman default -pix_fmt yuvj420p -q:v 20 \
    -force_duplicated_matrix 1 -f rtp rtp://$client:5040 >"$work/sender.log" 2>&1
stop_capture
