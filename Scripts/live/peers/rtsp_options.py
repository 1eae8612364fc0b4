"""A minimal RTSP peer: one connection per OPTIONS request.

    serve ADDRESS COUNT    answers COUNT connections
    ask ADDRESS COUNT      sends COUNT requests, and prints the arrival time of each response in seconds since 1970
"""
import socket
import sys
import time

PORT = 554


def serve(address, count):
    with socket.create_server((address, PORT)) as listener:
        for _ in range(count):
            connection, _ = listener.accept()
            with connection:
                request = connection.recv(4096)
                number = request.split(b"CSeq: ")[1].split(b"\r\n")[0]
                connection.sendall(b"RTSP/1.0 200 OK\r\nCSeq: " + number + b"\r\nPublic: OPTIONS\r\n\r\n")
                connection.recv(1)


def ask(address, count):
    for number in range(count):
        with socket.create_connection((address, PORT)) as connection:
            head = f"OPTIONS rtsp://{address}/live RTSP/1.0\r\nCSeq: {number + 1}\r\n\r\n"
            connection.sendall(head.encode())
            connection.recv(4096)
            print(time.time(), flush=True)
        time.sleep(0.05)


{"serve": serve, "ask": ask}[sys.argv[1]](sys.argv[2], int(sys.argv[3]))
