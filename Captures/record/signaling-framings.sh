#!/bin/bash
# Calls of two aiortc peers through a server with JSON over TCP, as in an article of 2020 (signaling_peers.py): one per
# message framing. Recorded at the caller.
. "$(dirname "$0")/common.sh"
peers_python=${PEERS_PYTHON:-$record/.venv/bin/python} # install.sh
two_hosts

# call NAME FRAMING PORT OPTIONS…
call() {
    local name=$1 framing=$2 port=$3
    shift 3
    background server server "$peers_python" "$record/signaling_peers.py" server "$framing" "$port"
    local server_pid=$started
    wait_for_port server "$port"
    # The caller logs in first, so that it is peer 7.
    start_capture client "webrtc/$name.pcap" -i eth0
    background caller client "$peers_python" "$record/signaling_peers.py" caller "$framing" $server "$port" "$@"
    local caller_pid=$started
    sleep 0.7
    background callee server "$peers_python" "$record/signaling_peers.py" callee "$framing" 127.0.0.1 "$port" "$@"
    wait "$caller_pid"
    sleep 0.3
    stop_capture
    kill "$server_pid"
    wait "$server_pid" || true
}

call signaling-newline newline 6868 --video
call signaling-length4be length4be 6868
call signaling-nul nul 9001
call signaling-concatenated concatenated 9002 --pieces
call signaling-length2le-incl length2leincl 9003
