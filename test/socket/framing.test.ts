import { CLOSE, decodeServerMessage, encodeClientMessage } from '@runcloud/protocol';
import t from 'tap';
import { closeCode, frame, nextFrame, OPCODE, upgradeWire } from '../support/frames.ts';
import { SOCKETS } from '../support/listen.ts';
import { startServer } from '../support/server.ts';
import { Wire } from '../support/wire.ts';

/** RFC 6455 on the wire: framing, control frames, reserved bits and opcodes, fragmentation. */

const server = await startServer();
const session = await server.rest.createSession('ios');
t.teardown(() => server.close());

async function connect(): Promise<Wire> {
  const wire = await Wire.open(server.url);
  await upgradeWire(wire, `/service/ios/${session.id}/control`, server.rest.authorization);
  return wire;
}

/** A valid message of exactly `size` bytes that is answered with `error`, `unknown_message`. */
function messageOf(size: number): Uint8Array {
  const base = encodeClientMessage({ type: 'x', pad: Buffer.alloc(0) }).length;
  for (let pad = Math.max(0, size - base - 4); ; pad++) {
    const bytes = encodeClientMessage({ type: 'x', pad: Buffer.alloc(pad) });
    if (bytes.length >= size) return bytes;
  }
}
const PING = encodeClientMessage({ type: 'ping', id: 1 });

/**
 * The answers: the types of the messages, `pong` frames with their length, a close with its code, and `closed`
 * for a connection that ends without one.
 */
async function answers(wire: Wire, count: number): Promise<string[]> {
  const seen: string[] = [];
  while (seen.length < count) {
    const received = await nextFrame(wire);
    if (!received) seen.push('closed');
    else if (received.opcode === OPCODE.pong) seen.push(`pong frame of ${received.payload.length}`);
    else if (received.opcode === OPCODE.close) seen.push(`close ${closeCode(received) ?? ''}`.trim());
    else {
      const read = decodeServerMessage(received.payload);
      const kind = read.kind === 'message' ? read.message.type : read.kind;
      // Events answer nothing: they tell of the other sockets that come and go here.
      if (kind !== 'event') seen.push(kind);
    }
    if (!received) break;
  }
  return seen;
}

const { continuation, text, binary, close, ping, pong } = OPCODE;
const half = Math.floor(PING.length / 2);
const [front, back] = [PING.subarray(0, half), PING.subarray(half)];
const bytes = (size: number) => Buffer.alloc(size, 0x61);

/** By `ws` an error of the protocol is told with its code; uWebSockets.js only ends the connection (D4). */
const [BROKEN, TOO_LARGE, NOT_UTF8] =
  SOCKETS === 'ws' ? ['close 1002', 'close 1009', 'close 1007'] : ['closed', 'closed', 'closed'];

/**
 * Name, frames, what comes back. A sentinel `ping` message at the end proves that the connection lives on. What was
 * answered in the same segment as a protocol error goes down with the connection by uWebSockets.js, but not by `ws`.
 */
const BROKEN_AFTER = SOCKETS === 'ws' ? ['pong', BROKEN] : [BROKEN];
const ALIVE = frame({ opcode: binary, payload: PING });
const CASES: readonly (readonly [string, readonly Buffer[], readonly string[]])[] = [
  ...[125, 126, 127, 128, 65_535, 65_536, 262_144].map(
    (size) =>
      [
        `a binary message of ${size} bytes`,
        [frame({ opcode: binary, payload: messageOf(size) }), ALIVE],
        ['error', 'pong'],
      ] as const,
  ),
  ['an empty binary message', [frame({ opcode: binary })], [`close ${CLOSE.undecodable.code}`]],
  ['a text message', [frame({ opcode: text, payload: bytes(5) })], [`close ${CLOSE.text.code}`]],
  ['an empty text message', [frame({ opcode: text })], [`close ${CLOSE.text.code}`]],
  ['a text message that is not UTF-8 (D4)', [frame({ opcode: text, payload: Buffer.from([0xff]) })], [NOT_UTF8]],
  ['a message above our limit', [frame({ opcode: binary, payload: bytes(262_145) })], [`close ${CLOSE.tooLarge.code}`]],
  ['a message far above it (D4)', [frame({ opcode: binary, payload: bytes(600_000) })], [TOO_LARGE]],
  ['a frame that announces 2^63 bytes (D4)', [Buffer.from('82ff800000000000000000000000', 'hex')], [TOO_LARGE]],

  ['an empty ping', [frame({ opcode: ping }), ALIVE], ['pong frame of 0', 'pong']],
  ['a ping of 125 bytes', [frame({ opcode: ping, payload: bytes(125) }), ALIVE], ['pong frame of 125', 'pong']],
  ['a ping of 126 bytes', [frame({ opcode: ping, payload: bytes(126) })], [BROKEN]],
  ['a pong nobody asked for', [frame({ opcode: pong }), frame({ opcode: pong, payload: bytes(9) }), ALIVE], ['pong']],
  ['a pong of 126 bytes', [frame({ opcode: pong, payload: bytes(126) })], [BROKEN]],
  [
    'ten pings at once',
    [...Array.from({ length: 10 }, (_, size) => frame({ opcode: ping, payload: bytes(size) })), ALIVE],
    [...Array.from({ length: 10 }, (_, size) => `pong frame of ${size}`), 'pong'],
  ],

  ...[1, 2, 3, 4, 5, 6, 7].map(
    (reserved) =>
      [
        `reserved bits ${reserved} on a message`,
        [frame({ opcode: binary, payload: PING, reserved })],
        [BROKEN],
      ] as const,
  ),
  ...[1, 4].map(
    (reserved) => [`reserved bits ${reserved} on a ping`, [frame({ opcode: ping, reserved })], [BROKEN]] as const,
  ),
  ['reserved bits on a close', [frame({ opcode: close, reserved: 2 })], [BROKEN]],
  ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].flatMap((opcode) => [
    [`reserved opcode ${opcode}`, [frame({ opcode })], [BROKEN]] as const,
    [
      `reserved opcode ${opcode} right behind a good message`,
      [ALIVE, frame({ opcode, payload: bytes(8) })],
      BROKEN_AFTER,
    ] as const,
  ]),

  [
    'a message in two fragments',
    [frame({ opcode: binary, payload: front, fin: false }), frame({ opcode: continuation, payload: back })],
    ['pong'],
  ],
  [
    'a message in fragments of a byte',
    [...PING].map((byte, index) =>
      frame({ opcode: index === 0 ? binary : continuation, payload: Buffer.of(byte), fin: index === PING.length - 1 }),
    ),
    ['pong'],
  ],
  [
    'empty fragments in between',
    [
      frame({ opcode: binary, fin: false }),
      ...Array.from({ length: 500 }, () => frame({ opcode: continuation, fin: false })),
      frame({ opcode: continuation, payload: PING }),
    ],
    ['pong'],
  ],
  [
    'a ping between two fragments',
    [
      frame({ opcode: binary, payload: front, fin: false }),
      frame({ opcode: ping, payload: bytes(3) }),
      frame({ opcode: continuation, payload: back }),
    ],
    ['pong frame of 3', 'pong'],
  ],
  [
    'a pong between two fragments',
    [
      frame({ opcode: binary, payload: front, fin: false }),
      frame({ opcode: pong }),
      frame({ opcode: continuation, payload: back }),
    ],
    ['pong'],
  ],
  [
    'a close between two fragments',
    [frame({ opcode: binary, payload: front, fin: false }), frame({ opcode: close })],
    ['close'],
  ],
  [
    'a text message in two fragments',
    [frame({ opcode: text, payload: bytes(3), fin: false }), frame({ opcode: continuation, payload: bytes(3) })],
    [`close ${CLOSE.text.code}`],
  ],
  ['a fragmented ping', [frame({ opcode: ping, fin: false }), frame({ opcode: continuation })], [BROKEN]],
  ['a fragmented pong', [frame({ opcode: pong, fin: false }), frame({ opcode: continuation })], [BROKEN]],
  ['a fragmented close', [frame({ opcode: close, fin: false })], [BROKEN]],
  ['a continuation of nothing', [frame({ opcode: continuation, payload: PING })], [BROKEN]],
  ['an unfinished continuation of nothing', [frame({ opcode: continuation, payload: PING, fin: false })], [BROKEN]],
  [
    'a second continuation after the end',
    [
      frame({ opcode: binary, payload: front, fin: false }),
      frame({ opcode: continuation, payload: back }),
      frame({ opcode: continuation, payload: PING }),
    ],
    BROKEN_AFTER,
  ],
  // uWebSockets.js reads on, and both together are no message.
  [
    'a new binary message inside a fragmented one',
    [frame({ opcode: binary, payload: front, fin: false }), frame({ opcode: binary, payload: PING })],
    [SOCKETS === 'ws' ? BROKEN : `close ${CLOSE.undecodable.code}`],
  ],
  [
    'a new text message inside a fragmented one',
    [frame({ opcode: binary, payload: front, fin: false }), frame({ opcode: text, payload: bytes(3) })],
    [BROKEN],
  ],
  [
    'fragments that are too large together (D4)',
    Array.from({ length: 4 }, (_, index) =>
      frame({ opcode: index === 0 ? binary : continuation, payload: bytes(200_000), fin: index === 3 }),
    ),
    [TOO_LARGE],
  ],

  [
    'an unmasked frame, which uWebSockets.js reads as if masked (D1)',
    [frame({ opcode: binary, payload: PING, masked: false }).subarray(0, 2), Buffer.alloc(4), Buffer.from(PING)],
    [SOCKETS === 'ws' ? BROKEN : 'pong'],
  ],
  [
    'a length in more bytes than it needs (D2)',
    [
      frame({ opcode: binary, payload: PING, lengthBytes: 2 }),
      frame({ opcode: binary, payload: PING, lengthBytes: 8 }),
    ],
    ['pong', 'pong'],
  ],
];

for (const [name, frames, expected] of CASES) {
  t.test(
    `${name} is answered with ${expected.length > 3 ? `${expected.length} frames` : expected.join(', ')}`,
    async (t) => {
      const wire = await connect();
      void wire.write(Buffer.concat(frames));
      t.strictSame(await answers(wire, expected.length), expected);
      wire.drop();
    },
  );
}

t.test('messages are answered alike when their bytes come one by one or in odd pieces', async (t) => {
  for (const size of [1, 2, 997]) {
    const wire = await connect();
    const large = size === 997 ? messageOf(65_536) : messageOf(300);
    void wire.writeInPieces(
      Buffer.concat([frame({ opcode: binary, payload: large }), frame({ opcode: ping, payload: bytes(4) }), ALIVE]),
      size,
    );
    // A control frame waits for no message: a long one has to wait for its turn.
    const seen = await answers(wire, 3);
    const isControl = (answer: string) => answer === 'pong frame of 4';
    t.same(seen.filter(isControl), ['pong frame of 4'], `pieces of ${size}`);
    t.same(
      seen.filter((answer) => !isControl(answer)),
      ['error', 'pong'],
      `pieces of ${size}: messages are answered in order`,
    );
    wire.drop();
  }
});

t.test('after all this the server still serves', async (t) => {
  t.match(await server.rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 }), { status: 200 });
});
