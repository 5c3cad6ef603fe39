"""A client of the RunCloud protocol (protocol/README.md), with Python's standard library and nothing else."""

import asyncio
import collections
import contextlib
import itertools
import json
import struct
import urllib.error
import urllib.request
from dataclasses import dataclass

import messagepack
from websocket import Closed, WebSocket

# Section 3: a connection is asked for a sign of life after this time, and given up if none comes.
QUIET_SECONDS = 30
PATIENCE_SECONDS = 16
SESSION_ENDED = 4404
ENCODINGS = {1: "h264", 2: "jpeg", 3: "png"}


class Failed(Exception):
    """What the service refused, or could not do. Decide by `code`; `retryable` says if the same may succeed later."""

    def __init__(self, code, message, retryable=False):
        super().__init__(f"{code}: {message}")
        self.code = code
        self.retryable = retryable


@dataclass
class Packet:
    """One picture of the screen (section 10)."""

    is_key: bool
    encoding: str
    stream_id: int
    seq: int
    input_seq: int
    width: int
    height: int
    payload: bytes

    @classmethod
    def read(cls, data):
        _, flags, encoding, _, stream_id, seq, input_seq, _, width, height = struct.unpack_from("<BBBBIIIQHH", data)
        name = ENCODINGS.get(encoding, "unknown")
        return cls(bool(flags & 1), name, stream_id, seq, input_seq, width, height, data[32:])


class Service:
    """The REST routes that this client needs (section 14)."""

    def __init__(self, base_url, key):
        self.base_url = base_url.rstrip("/")
        self.headers = {"Authorization": f"Bearer {key}"}

    async def create_session(self, platform, **options):
        return await self.call("POST", "/service/sessions", {"platform": platform, **options})

    async def release(self, session):
        return await self.call("DELETE", f"/service/sessions/{session['id']}")

    async def call(self, method, path, body=None):
        """The JSON of an answer; raises Failed for an error of the service."""
        return json.loads(await self.read(method, path, body))

    async def read(self, method, path, body=None):
        """The bytes of an answer. A recording's download redirects to its file."""
        return await asyncio.to_thread(self._read, method, path, body)

    def _read(self, method, path, body):
        data = None if body is None else json.dumps(body).encode()
        headers = self.headers if body is None else {**self.headers, "Content-Type": "application/json"}
        request = urllib.request.Request(self.base_url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=150) as response:
                return response.read()
        except urllib.error.HTTPError as answer:
            error = json.load(answer)["error"]
            raise Failed(error["code"], error["message"], error["retryable"]) from None


class Control:
    """The control socket of one session."""

    def __init__(self, socket):
        self._socket = socket
        self._ids = itertools.count(1)
        self._waiting = {}
        self._pongs = {}
        self._streams = {}
        self._starting = collections.deque()
        self._silence = 0
        self.events = asyncio.Queue()
        self.ready = asyncio.get_running_loop().create_future()
        self.ended = None
        self._tasks = [asyncio.create_task(self._receive()), asyncio.create_task(self._watch())]

    @classmethod
    async def open(cls, service, session):
        path = f"/service/{session['platform']}/{session['id']}/control"
        control = cls(await WebSocket.connect(service.base_url + path, service.headers, "runcloud.v1"))
        await control.ready
        return control

    async def request(self, message, on_stage=None):
        """The acknowledgement of a request, whatever its outcome; `on_stage` is called for each stage before it."""
        self._raise_if_ended()
        request_id = message.setdefault("requestId", f"py-{next(self._ids)}")
        done = asyncio.get_running_loop().create_future()
        self._waiting[request_id] = (done, on_stage)
        try:
            await self.send(message)
            return await done
        finally:
            del self._waiting[request_id]

    async def interact(self, action, on_stage=None, **fields):
        """The acknowledgement of an interaction that completed; raises Failed for any other end."""
        return succeeded(await self.request({"type": "interaction", "action": action, **fields}, on_stage))

    async def send(self, message):
        try:
            await self._socket.send(messagepack.pack(message))
        except Closed as closed:
            raise self.ended or Failed("transport_error", str(closed), True) from closed

    async def ping(self):
        number = next(self._ids)
        pong = self._pongs[number] = asyncio.get_running_loop().create_future()
        try:
            await self.send({"type": "ping", "id": number})
            return await asyncio.wait_for(pong, PATIENCE_SECONDS)
        finally:
            del self._pongs[number]

    async def screen(self, **options):
        """Pictures of the screen. Each is acknowledged when the next one is asked for; the stream ends with the loop."""
        self._raise_if_ended()
        packets = asyncio.Queue()
        self._starting.append(packets)
        await self.send({"type": "screen.start", **options})
        stream_id = None
        try:
            while True:
                packet = await packets.get()
                if isinstance(packet, Exception):
                    raise packet
                stream_id = packet.stream_id
                yield packet
                await self.send({"type": "screen.ack", "streamId": stream_id, "seq": packet.seq})
        finally:
            if stream_id is not None and self.ended is None:
                await self.send({"type": "screen.stop", "streamId": stream_id})

    async def close(self):
        await self._socket.close()
        self._end(Failed("closed", "The socket was closed."))
        for task in self._tasks:
            task.cancel()

    async def _receive(self):
        try:
            while True:
                data = await self._socket.receive()
                self._silence = 0
                if data[0] == 1:
                    self._packet(Packet.read(data))
                else:
                    self._message(messagepack.unpack(data))
        except Closed as closed:
            ended = closed.code == SESSION_ENDED
            code = "active_session_not_found" if ended else "transport_error"
            self._end(Failed(code, str(closed), not ended))
        except ValueError as error:
            self._end(Failed("invalid_response", str(error)))
            self._socket.abort()

    def _message(self, message):
        """Messages of unknown types are ignored: they belong to newer servers."""
        kind = message["type"]
        if kind == "ready":
            self.ready.set_result(message)
        elif kind in ("accepted", "dispatched", "result"):
            done, on_stage = self._waiting.get(message["requestId"], (None, None))
            if on_stage:
                on_stage(message)
            if kind == "result" and done and not done.done():
                done.set_result(message)
        elif kind == "event":
            self.events.put_nowait(message)
        elif kind == "pong" and message["id"] in self._pongs:
            self._pongs[message["id"]].set_result(message)
        elif kind == "screen.started" and message["streamId"] not in self._streams:
            self._streams[message["streamId"]] = self._starting.popleft()
        elif kind == "screen.stopped":
            self._streams.pop(message["streamId"], None)
        elif kind == "error":
            self._refused(message)

    def _refused(self, message):
        failure = Failed(message["code"], message["message"])
        done, _ = self._waiting.get(message.get("requestId"), (None, None))
        if done:
            done.set_exception(failure)
        elif self._starting:
            # Streams are refused and started in the order in which they were asked for.
            self._starting.popleft().put_nowait(failure)

    def _packet(self, packet):
        # Packets in flight may arrive after the stream was stopped.
        if packet.stream_id in self._streams:
            self._streams[packet.stream_id].put_nowait(packet)

    async def _watch(self):
        """A dead network closes no socket: a connection without a sign of life is given up."""
        while self.ended is None:
            await asyncio.sleep(1)
            self._silence += 1
            if self._silence == QUIET_SECONDS:
                with contextlib.suppress(Failed):
                    await self.send({"type": "ping", "id": 0})
            elif self._silence >= QUIET_SECONDS + PATIENCE_SECONDS:
                self._end(Failed("transport_error", "The service is silent.", True))
                self._socket.abort()

    def _end(self, failure):
        self.ended = self.ended or failure
        futures = [done for done, _ in self._waiting.values()] + list(self._pongs.values()) + [self.ready]
        for future in futures:
            if not future.done():
                future.set_exception(failure)
                future.exception()  # A caller that has gone is not missed.
        for packets in [*self._streams.values(), *self._starting]:
            packets.put_nowait(failure)
        self.events.put_nowait(None)

    def _raise_if_ended(self):
        if self.ended:
            raise self.ended


def succeeded(acknowledgement):
    """An acknowledgement that completed; raises Failed for any other end."""
    if acknowledgement["ok"]:
        return acknowledgement
    error = acknowledgement["error"]
    raise Failed(error["code"], error["message"], error["retryable"])
