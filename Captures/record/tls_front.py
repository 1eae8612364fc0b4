"""Terminates TLS and forwards the octets in the clear: tls_front.py PORT FORWARD-PORT FOLDER OPTIONS.

The folder has cert.pem and key.pem. --keylog FILE appends the secrets of all connections, as SSLKEYLOGFILE does for
other programs. A capture of the loopback interface then contains the same dialogue in the clear.
"""

import argparse
import asyncio
import ssl

NO_ENCRYPT_THEN_MAC = 1 << 19  # SSL_OP_NO_ENCRYPT_THEN_MAC, which Python does not name
VERSIONS = {"1.2": ssl.TLSVersion.TLSv1_2, "1.3": ssl.TLSVersion.TLSv1_3}


async def pump(reader, writer):
    try:
        while octets := await reader.read(1 << 16):
            writer.write(octets)
            await writer.drain()
    except (ConnectionError, ssl.SSLError):
        pass
    writer.close()


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("forward", type=int)
    parser.add_argument("folder")
    parser.add_argument("--keylog", required=True)
    parser.add_argument("--version", choices=VERSIONS, default="1.3")
    parser.add_argument("--ciphers", help="cipher suites of TLS 1.2, as OpenSSL names them")
    parser.add_argument("--mac-then-encrypt", action="store_true")
    parser.add_argument("--alpn", action="append", default=[])
    options = parser.parse_args()
    security = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    security.load_cert_chain(options.folder + "/cert.pem", options.folder + "/key.pem")
    security.minimum_version = security.maximum_version = VERSIONS[options.version]
    security.keylog_filename = options.keylog
    if options.ciphers:
        security.set_ciphers(options.ciphers)
    if options.mac_then_encrypt:
        security.options |= NO_ENCRYPT_THEN_MAC
    if options.alpn:
        security.set_alpn_protocols(options.alpn)

    async def forward(reader, writer):
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", options.forward)
        await asyncio.gather(pump(reader, inner_writer), pump(inner_reader, writer))

    server = await asyncio.start_server(forward, "0.0.0.0", options.port, ssl=security)
    await server.serve_forever()


asyncio.run(main())
