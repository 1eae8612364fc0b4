#!/bin/bash
# Prints the dialogue in a capture with tshark: show.sh FILE…
wanted='rtsp.method || rtsp.status || rtcp || rtmpt || http || icmp || icmpv6.type == 1'
wanted+=' || tcp.flags.syn == 1 || tcp.flags.fin == 1 || tcp.flags.reset == 1'
for file in "$@"; do
    echo "== $file"
    capinfos -TmQ -t -E -c -u "$file" 2>/dev/null
    tshark -n -r "$file" -Y "$wanted" -T fields -e frame.number -e frame.time_relative \
        -e _ws.col.Source -e _ws.col.Protocol -e _ws.col.Info 2>/dev/null | cut -c1-170
done
