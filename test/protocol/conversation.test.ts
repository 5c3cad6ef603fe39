import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Value } from '@sinclair/typebox/value';
import t from 'tap';
import {
  CLOSE,
  decodeServerMessage,
  encodeClientMessage,
  encodeServerMessage,
  SERVER_MESSAGES,
  type ServerMessage,
} from '../../protocol/index.ts';
import { ClientMessageReader } from '../../server/wire/client-message-reader.ts';

/** The conversation in README.md, section 16: its frames are read as a client and a server would read them. */

const [, section = ''] = readFileSync('protocol/README.md', 'utf8').split('\n## 16. ');

interface Frame {
  readonly from: 'client' | 'server';
  /** What it says it is: a message as JSON, or words. */
  readonly title: string;
  readonly opcode: number;
  readonly payload: Uint8Array;
}

/** A frame as RFC 6455 lays it out, but with its payload unmasked. */
function frameOf(block: string): Frame {
  const [, from, title = ''] = /^(client|server): (.*)\n/.exec(block) ?? [];
  const rows = block.split('\n').slice(1, -1);
  const hex = rows.map((row) => /^(?:[0-9a-f]{2} ?)+/.exec(row)?.[0].replaceAll(' ', '') ?? '').join('');
  const bytes = Uint8Array.from(Buffer.from(hex, 'hex'));
  const view = new DataView(bytes.buffer);
  const short = view.getUint8(1) & 0x7f;
  const isMasked = view.getUint8(1) >= 0x80;
  const length = short === 126 ? view.getUint16(2) : short;
  const start = (short === 126 ? 4 : 2) + (isMasked ? 4 : 0);
  const payload = bytes.subarray(start);
  t.equal(payload.length, length, title);
  t.equal(isMasked, from === 'client', `${title}: clients mask their frames`);
  t.equal(view.getUint8(0) & 0xf0, 0x80, `${title}: one frame`);
  return { from: from as Frame['from'], title, opcode: view.getUint8(0) & 0x0f, payload };
}

const frames = [...section.matchAll(/```bytes\n([\s\S]*?)```/g)].map(([, block = '']) => frameOf(block));

t.test('each message has the bytes that its sender writes, and its receiver reads', async (t) => {
  const messages = frames.filter(({ title }) => title.startsWith('{'));
  t.ok(messages.length >= 8);
  for (const { from, title, opcode, payload } of messages) {
    const message = JSON.parse(title);
    t.equal(opcode, 2, `${title} is binary`);
    if (from === 'client') {
      t.same(payload, Uint8Array.from(encodeClientMessage(message)), title);
      t.equal(new ClientMessageReader().read(payload).kind, 'valid', title);
    } else {
      t.same(payload, Uint8Array.from(encodeServerMessage(message)), title);
      t.same(decodeServerMessage(payload), { kind: 'message', message }, title);
      t.ok(Value.Check(SERVER_MESSAGES[message.type as ServerMessage['type']], message), title);
    }
  }
});

t.test('the picture is the first packet of its stream, and covers the tap', async (t) => {
  const packet = frames.find(({ title }) => title === 'a screen packet');
  const read = decodeServerMessage(packet?.payload ?? new Uint8Array());
  t.match(read, {
    kind: 'screen',
    header: { key: true, encoding: 'jpeg', streamId: 1, seq: 1, inputSeq: 258, width: 295, height: 640, handOverMs: 3 },
  });
  t.match(section, new Date((read.kind === 'screen' ? read.header.capturedAtUs : 0) / 1_000).toISOString());
});

t.test('it ends as a session ends', async (t) => {
  const [server, client] = frames.slice(-2);
  const codeOf = ({ payload }: Frame) => Buffer.from(payload).readUInt16BE(0);
  t.match(
    [server, client],
    [
      { from: 'server', opcode: 8 },
      { from: 'client', opcode: 8 },
    ],
  );
  t.same(
    [server, client].map((frame) => frame && codeOf(frame)),
    [CLOSE.ended.code, CLOSE.ended.code],
  );
  t.equal(Buffer.from(server?.payload.subarray(2) ?? []).toString(), CLOSE.ended.reason);
});

t.test('the answer to the upgrade belongs to its key', async (t) => {
  const [, key = ''] = /Sec-WebSocket-Key: (\S+)/.exec(section) ?? [];
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  t.match(section, `Sec-WebSocket-Accept: ${accept}\n`);
  const [, length, body = ''] = /Content-Length: (\d+)\n\n(.*)\n/.exec(section) ?? [];
  t.equal(Number(length), body.length);
});
