#!/bin/bash
# Handshakes of TLS out of the ordinary, by OpenSSL on both sides, with the secrets beside: a HelloRetryRequest, a resumed
# session, early data, a key update, a renegotiation, AES-CCM, and no encryption. In each connection, a client asks an RTSP
# server for its options twice. rtsp-options.pcap.clear is the same dialogue without TLS.
. "$(dirname "$0")/common.sh"
two_hosts
certificate camera.weir.example

# Both sides are pipes: what is written to them is sent.
mkfifo "$work/to-server" "$work/to-client"

answer() { printf 'RTSP/1.0 200 OK\r\nCSeq: %s\r\nPublic: OPTIONS, DESCRIBE\r\n\r\n' "$1"; }
ask() { printf 'OPTIONS rtsp://camera.weir.example/live RTSP/1.0\r\nCSeq: %s\r\nUser-Agent: weir-test\r\n\r\n' "$1"; }

# serve OPTIONS…: an OpenSSL server on port 322, which sends what is written to file descriptor 8.
# Without -quiet, it takes the first letter of a response for a command.
serve() {
    exec 8<>"$work/to-server"
    ip netns exec "weir-server-$$" openssl s_server -quiet -accept 322 -cert "$work/cert.pem" -key "$work/key.pem" \
        -keylogfile "$captures/tls/$name.keys" "$@" <&8 >"$work/server.log" 2>&1 &
    server_pid=$!
    wait_for_port server 322
}

# connect OPTIONS…: an OpenSSL client, which sends what is written to file descriptor 9.
connect() {
    exec 9<>"$work/to-client"
    ip netns exec "weir-client-$$" openssl s_client -connect "$server:322" -crlf -servername camera.weir.example "$@" <&9 >"$work/client.log" 2>&1 &
    client_pid=$!
    sleep 0.4
}

# Lines end with CRLF already, so that -crlf adds none to them.
say() {
    tr -d '\r' >&9
    sleep 0.3
}
reply() {
    answer "$1" >&8
    sleep 0.3
}

# The client closes the connection: after an error, the server would forget its session.
finish() {
    echo Q | say
    wait "$client_pid" 2>/dev/null || true
    sleep 0.2
    exec 9>&-
}

end() {
    stop_capture
    kill "$server_pid"
    wait "$server_pid" 2>/dev/null || true
    exec 8>&-
}

begin() {
    name=$1
    rm -f "$captures/tls/$name.keys"
    start_capture client "tls/$name.pcap" -i eth0 tcp
}

# dialogue COMMAND: two requests, between which the client gets a command of s_client (a letter on its own line).
dialogue() {
    ask 1 | say
    reply 1
    if [ -n "${1:-}" ]; then echo "$1" | say; fi
    ask 2 | say
    reply 2
}

# one NAME COMMAND SERVER-OPTIONS -- CLIENT-OPTIONS
one() {
    local command=$2 options=()
    begin "$1"
    shift 2
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    serve "${options[@]}"
    connect "$@"
    dialogue "$command"
    finish
    end
}

one tls13-retry "" -tls1_3 -groups P-256 -- -tls1_3 -groups X25519:P-256
one tls13-key-update K -tls1_3 -- -tls1_3
one tls13-ccm "" -tls1_3 -ciphersuites TLS_AES_128_CCM_SHA256 -- -tls1_3 -ciphersuites TLS_AES_128_CCM_SHA256
one tls12-ccm "" -tls1_2 -cipher ECDHE-RSA-AES256-CCM:AES256-CCM -- -tls1_2 -cipher AES256-CCM
for suite in NULL-SHA256 ECDHE-RSA-NULL-SHA; do
    name=tls12-null-$(sed 's/.*NULL-//' <<<"$suite" | tr A-Z a-z)
    one "$name" "" -tls1_2 -cipher "$suite@SECLEVEL=0" -- -tls1_2 -cipher "$suite@SECLEVEL=0"
done
one tls12-renegotiation R -tls1_2 -client_renegotiation -- -tls1_2

# resumed NAME VERSION: a second connection with the ticket of the first, both in one capture.
resumed() {
    begin "$1"
    serve "$2"
    connect "$2" -sess_out "$work/$1.session"
    dialogue
    finish
    connect "$2" -sess_in "$work/$1.session"
    dialogue
    finish
    end
}
resumed tls12-resumed -tls1_2
resumed tls13-resumed -tls1_3

# The first request is early data.
begin tls13-early-data
serve -tls1_3 -early_data
connect -tls1_3 -sess_out "$work/early.session"
dialogue
finish
ask 1 >"$work/early"
connect -tls1_3 -sess_in "$work/early.session" -early_data "$work/early"
reply 1
ask 2 | say
reply 2
finish
end

# The same without TLS.
say() {
    cat >&9
    sleep 0.3
}
start_capture client tls/rtsp-options.pcap.clear -i eth0 tcp
exec 8<>"$work/to-server" 9<>"$work/to-client"
ip netns exec "weir-server-$$" nc -l 322 <&8 >"$work/server.log" 2>&1 &
server_pid=$!
wait_for_port server 322
ip netns exec "weir-client-$$" nc "$server" 322 <&9 >"$work/client.log" 2>&1 &
client_pid=$!
sleep 0.4
dialogue
kill "$client_pid"
sleep 0.2
kill "$server_pid" 2>/dev/null || true
stop_capture
