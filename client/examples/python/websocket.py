"""A WebSocket of a client (RFC 6455) on asyncio's streams."""

import asyncio
import base64
import hashlib
import os
import ssl
import struct
from urllib.parse import urlsplit

BINARY, CLOSE, PING, PONG = 2, 8, 9, 10
CONTINUATION, TEXT = 0, 1
# The longest message of the server is a screenshot.
MESSAGE_BYTES_MAX = 64 * 1024 * 1024


class Closed(Exception):
    """The socket is closed. `code` is the server's, or 1006 where the connection was lost without one."""

    def __init__(self, code, reason=""):
        super().__init__(f"closed with {code} {reason}".rstrip())
        self.code = code
        self.reason = reason


class WebSocket:
    def __init__(self, reader, writer):
        self._reader = reader
        self._writer = writer

    @classmethod
    async def connect(cls, address, headers, subprotocol):
        """Opens an http or https address. Raises ConnectionError with the server's status if it refuses."""
        url = urlsplit(address)
        secure = url.scheme == "https"
        port = url.port or (443 if secure else 80)
        tls = ssl.create_default_context() if secure else None
        reader, writer = await asyncio.open_connection(url.hostname, port, ssl=tls)
        try:
            key = base64.b64encode(os.urandom(16)).decode()
            target = url.path + (f"?{url.query}" if url.query else "")
            fields = {
                "Host": url.netloc,
                "Connection": "Upgrade",
                "Upgrade": "websocket",
                "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": key,
                "Sec-WebSocket-Protocol": subprotocol,
                **headers,
            }
            lines = [f"GET {target} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
            writer.write("\r\n".join([*lines, "", ""]).encode())
            _check_answer((await reader.readuntil(b"\r\n\r\n")).decode("latin-1"), key, subprotocol)
        except asyncio.IncompleteReadError as error:
            writer.close()
            raise ConnectionError("the server closed the connection") from error
        except BaseException:
            writer.close()
            raise
        return cls(reader, writer)

    async def send(self, data):
        """Sends one binary message."""
        await self._send(BINARY, data)

    async def receive(self):
        """The next binary message. Raises Closed at the end; answers pings meanwhile."""
        message = b""
        while True:
            opcode, is_last, payload = await self._frame()
            if opcode == PING:
                await self._send(PONG, payload)
            elif opcode == CLOSE:
                code = struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else 1005
                await self._send(CLOSE, payload[:2])
                self._writer.close()
                raise Closed(code, payload[2:].decode())
            elif opcode in (BINARY, CONTINUATION):
                message += payload
                if len(message) > MESSAGE_BYTES_MAX:
                    raise ValueError("the message is too long")
                if is_last:
                    return message
            elif opcode != PONG:
                raise ValueError(f"a frame of kind {opcode} makes no sense here")

    async def close(self):
        """Says goodbye with 1000."""
        try:
            await self._send(CLOSE, struct.pack(">H", 1000))
        except Closed:
            pass
        self._writer.close()

    def abort(self):
        """Ends the connection at once."""
        self._writer.transport.abort()

    async def _frame(self):
        try:
            first, second = await self._reader.readexactly(2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack(">H", await self._reader.readexactly(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", await self._reader.readexactly(8))
            if length > MESSAGE_BYTES_MAX:
                raise ValueError("the message is too long")
            return first & 0x0F, first >= 0x80, await self._reader.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise Closed(1006) from error

    async def _send(self, opcode, payload):
        """One frame. A client masks what it sends, each frame with another mask."""
        mask = os.urandom(4)
        length = len(payload)
        if length < 126:
            head = struct.pack(">BB", 0x80 | opcode, 0x80 | length)
        elif length < 0x10000:
            head = struct.pack(">BBH", 0x80 | opcode, 0x80 | 126, length)
        else:
            head = struct.pack(">BBQ", 0x80 | opcode, 0x80 | 127, length)
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        try:
            self._writer.write(head + mask + masked)
            await self._writer.drain()
        except ConnectionError as error:
            raise Closed(1006) from error


def _check_answer(answer, key, subprotocol):
    status, *lines = answer.split("\r\n")
    if status.split(" ")[1] != "101":
        raise ConnectionError(f"the server refuses the socket: {status}")
    fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    accept = base64.b64encode(hashlib.sha1((key + guid).encode()).digest()).decode()
    if fields.get("sec-websocket-accept") != accept or fields.get("sec-websocket-protocol") != subprotocol:
        raise ConnectionError("the answer is not that of a WebSocket server")
