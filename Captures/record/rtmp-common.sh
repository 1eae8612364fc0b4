# Sourced by the RTMP recordings: nginx-rtmp as the server, and publishers and players for it.

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# rtmp_server: ports 1935 (chunks of 4096 octets), 19350 (chunks of 128), 19351 (chunks of 60000) and 19352 (chunks of
# 128; extended timestamps are not expected in type-3 chunks); applications live, closed (deny),
# guarded (an HTTP hook responds 403), asking (a hook on port 8082, if the script starts one) and relay (which pushes to
# port 1936 of the client's host).
rtmp_server() {
    cat >"$work/nginx.conf" <<CONFIGURATION
load_module /usr/lib/nginx/modules/ngx_rtmp_module.so;
daemon off;
user root;
worker_processes 1;
error_log stderr warn;
pid $work/nginx.pid;
events { }
rtmp {
    server {
        listen 1935;
        chunk_size 4096;
        application live { live on; }
        application closed { live on; deny publish all; }
        application guarded { live on; on_publish http://127.0.0.1:8081/; }
        application asking { live on; on_publish http://127.0.0.1:8082/; }
        application relay { live on; push rtmp://$client:1936/live/; }
    }
    server {
        listen 19350;
        chunk_size 128;
        application live { live on; }
    }
    server {
        listen 19351;
        chunk_size 60000;
        application live { live on; }
    }
    server {
        listen 19352;
        chunk_size 128;
        publish_time_fix off;
        application live { live on; }
    }
}
http {
    access_log off;
    client_body_temp_path $work/body;
    proxy_temp_path $work/proxy;
    fastcgi_temp_path $work/fastcgi;
    uwsgi_temp_path $work/uwsgi;
    scgi_temp_path $work/scgi;
    server { listen 127.0.0.1:8081; location / { return 403; } }
}
CONFIGURATION
    background nginx "${1:-server}" nginx -p "$work" -c "$work/nginx.conf"
    wait_for_port "${1:-server}" 1935
}

source_options=(-re -f lavfi -i testsrc2=size=160x120:rate=10 -re -f lavfi -i sine=sample_rate=22050
    -c:v libx264 -preset veryfast -tune zerolatency -g 10 -b:v 40k -pix_fmt yuv420p -c:a aac -b:a 16k -f flv)

# publish_from HOST SECONDS URL: ffmpeg publishes H.264 and AAC.
publish_from() {
    in_host "$1" timeout 60 ffmpeg -nostdin -v warning "${source_options[@]}" -t "$2" "$3" \
        >"$work/publisher.log" 2>&1
}

# keep_publishing URL: the same without an end, from the server's host, so that a capture at the client does not
# contain it.
keep_publishing() {
    background publisher server ffmpeg -nostdin -v warning "${source_options[@]}" "$1"
    sleep 2
}

# make_flv FILE SECONDS: the same media in a file, for scripted publishers.
make_flv() {
    ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=size=160x120:rate=10 -f lavfi -i sine=sample_rate=22050 \
        -c:v libx264 -preset veryfast -tune zerolatency -g 10 -b:v 40k -pix_fmt yuv420p -c:a aac -b:a 16k \
        -t "$2" -f flv "$1"
}

# tls_front SERVER…: nginx's stream module terminates TLS, with the certificate in the work folder, and forwards to SERVER.
tls_front() {
    local each
    {
        printf '%s\n' 'load_module /usr/lib/nginx/modules/ngx_stream_module.so;' 'daemon off;' 'user root;' \
            'worker_processes 1;' 'error_log stderr warn;' "pid $work/tls.pid;" 'events { }' 'stream {' \
            "    ssl_certificate $work/cert.pem;" "    ssl_certificate_key $work/key.pem;"
        for each in "$@"; do printf '    server { %s; }\n' "$each"; done
        printf '}\n'
    } >"$work/tls.conf"
    background tls server nginx -p "$work" -c "$work/tls.conf"
}
