import { readFileSync } from 'node:fs';
import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import t from 'tap';
import {
  ACTIONS,
  type ActionName,
  CLIENT_MESSAGES,
  decodeServerMessage,
  encodeClientMessage,
  encodeServerMessage,
  SCREEN_HEADER_BYTES,
  type ScreenHeader,
  SERVER_MESSAGES,
  type ServerMessage,
  writeScreenHeader,
} from '../../protocol/index.ts';
import { ClientMessageReader } from '../../server/wire/client-message-reader.ts';
import { anyInteraction } from './requests.ts';

/** The annotated byte arrays of test/vectors, which implementers in other languages read too. */

interface Vector {
  readonly name: string;
  readonly hex: string;
  readonly bytes: readonly { readonly hex: string; readonly means: string }[];
}
interface MessageVector extends Vector {
  readonly message: { readonly type: string };
}
interface PacketVector extends Vector {
  readonly header: ScreenHeader;
  readonly payload: string;
}

const load = <V>(file: string): readonly V[] =>
  JSON.parse(readFileSync(new URL(`../vectors/${file}.json`, import.meta.url), 'utf8'), revive).vectors;

/** `{ "$bytes": hex }` stands for bytes, which JSON does not have. */
function revive(_key: string, value: unknown): unknown {
  const isBytes = typeof value === 'object' && value !== null && '$bytes' in value && typeof value.$bytes === 'string';
  return isBytes ? bytesOf(value.$bytes as string) : value;
}

const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const client = load<MessageVector>('client-messages');
const server = load<MessageVector>('server-messages');
const packets = load<PacketVector>('screen-packets');

t.test('the annotated pieces of every vector are its bytes', async (t) => {
  for (const { name, hex, bytes } of [...client, ...server, ...packets]) {
    t.equal(bytes.map((piece) => piece.hex).join(''), hex, name);
  }
});

t.test('there is a vector of every message type in both directions', async (t) => {
  const types = (vectors: readonly MessageVector[]) => [...new Set(vectors.map(({ message }) => message.type))].sort();
  t.strictSame(types(client), ['interaction', ...CLIENT_MESSAGES.keys()].sort());
  t.strictSame(types(server), Object.keys(SERVER_MESSAGES).sort());
});

t.test('there is a vector of every action, with every field that it may have', async (t) => {
  for (const [name, { schema }] of Object.entries(ACTIONS)) {
    const own = Object.keys(schema.properties).filter(
      (field) => !['requestId', 'timeoutMs', 'observe', 'action'].includes(field),
    );
    const found = client.some(({ message }) => {
      return 'action' in message && message.action === name && own.every((field) => field in message);
    });
    if (!found) t.fail(`"${name}" has none, as ${JSON.stringify(skeletonOf(name as ActionName))}`);
  }
});

/** A vector to be annotated. */
function skeletonOf(name: ActionName): object {
  const [body] = fc.sample(anyInteraction(name), { seed: 1, numRuns: 1 });
  const message = { type: 'interaction', requestId: 'r-1', ...body };
  return { name, what: '', message, hex: hexOf(encodeClientMessage(message)), bytes: [] };
}

const reader = new ClientMessageReader();
for (const { name, hex, message } of client) {
  t.test(`the client message ${name} is written as its vector and read back`, async (t) => {
    t.equal(hexOf(encodeClientMessage(message)), hex);
    t.match(reader.read(bytesOf(hex)), { kind: 'valid', map: message });
  });
}

for (const { name, hex, message } of server) {
  t.test(`the server message ${name} is written as its vector, read back, and has its shape`, async (t) => {
    t.equal(hexOf(encodeServerMessage(message as ServerMessage)), hex);
    t.same(decodeServerMessage(bytesOf(hex)), { kind: 'message', message });
    const schema: TSchema = SERVER_MESSAGES[message.type as keyof typeof SERVER_MESSAGES];
    t.strictSame([...Value.Errors(schema, message)], []);
  });
}

for (const { name, hex, header, payload } of packets) {
  t.test(`the screen packet ${name} is written as its vector and read back`, async (t) => {
    const packet = new Uint8Array(SCREEN_HEADER_BYTES);
    writeScreenHeader(packet, header);
    t.equal(hexOf(packet) + payload, hex);
    t.same(decodeServerMessage(bytesOf(hex)), { kind: 'screen', header, payload: bytesOf(payload) });
  });
}

for (const { name, hex } of load<Vector>('undecodable-messages')) {
  t.test(`the message ${name} is undecodable`, async (t) => {
    t.equal(reader.read(bytesOf(hex)).kind, 'undecodable');
  });
}
