import { type ErrorCode, LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { Bystander } from '../support/bystander.ts';
import { envelopeFault, sentenceOf } from '../support/envelope.ts';
import { startServer } from '../support/server.ts';
import { watchFaults } from '../support/watch-faults.ts';
import { exchange, requestText, Wire } from '../support/wire.ts';

const faults = watchFaults();
const server = await startServer();
const session = await server.rest.createSession('ios');
const bystander = await Bystander.start(server);
t.teardown(() => server.close());

const JSON_TYPE = { 'Content-Type': 'application/json' };
const TAP = '{"action":"tap","x":0.5,"y":0.5}';
const MAX = LIMITS.httpBodyBytes;

/** The two routes that take a body, each with its own code for one that is not JSON. */
const ROUTES: readonly (readonly [string, ErrorCode])[] = [
  [`/service/ios/${session.id}/interactions`, 'invalid_interaction'],
  ['/service/sessions', 'invalid_session_request'],
];

/** Bodies that are wrong whatever route they are for, and what the sentence says of them. */
const WRONG: readonly (readonly [string, string | Uint8Array<ArrayBuffer>, RegExp])[] = [
  ['no JSON', 'tap please', /not JSON/],
  ['half a body', TAP.slice(0, 20), /not JSON/],
  ['two bodies', TAP + TAP, /twice|not JSON/],
  ['nothing', '', /empty/],
  ['only blanks', '   ', /not JSON/],
  ['a key twice', '{"action":"tap","action":"tap","x":0,"y":0}', /key twice/],
  ['a deep list', '['.repeat(50_000), /deeper than 8/],
  ['a deep object', `{"action":${'{"a":'.repeat(20)}1${'}'.repeat(21)}`, /deeper than 8/],
  ['many entries', `[${'0,'.repeat(LIMITS.clientMessageEntries)}0]`, /entries/],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /not UTF-8/],
  ['UTF-16', Buffer.from(TAP, 'utf16le'), /not JSON/],
  ['zero bytes', Buffer.alloc(100), /not JSON/],
  ['a list', '[]', /object/],
  ['null', 'null', /object/],
  ['a number', '1', /object/],
  ['a text', '"tap"', /object/],
  ['as much as may be, of no use', ' '.repeat(MAX), /not JSON/],
];

for (const [path, code] of ROUTES) {
  for (const [name, body, sentence] of WRONG) {
    t.test(`${code}: ${name} is refused in words that tell what is wrong`, async (t) => {
      const answer = await server.rest.fetch(path, { method: 'POST', headers: JSON_TYPE, body });
      const text = await answer.text();
      t.equal(envelopeFault(code, answer.status, text), undefined);
      t.match(sentenceOf(text), sentence);
    });
  }

  t.test(`${code}: a body of another or no media type is refused before it is read`, async (t) => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'multipart/form-data',
      'json',
    ]) {
      const answer = await server.rest.fetch(path, { method: 'POST', headers: { 'Content-Type': type }, body: '{' });
      t.equal(envelopeFault('unsupported_media_type', answer.status, await answer.text()), undefined, type);
    }
    const headers = { Authorization: server.rest.authorization };
    const untyped = await exchange(server.url, requestText(`POST ${path}`, headers, TAP));
    t.equal(envelopeFault('unsupported_media_type', untyped?.status ?? 0, String(untyped?.body)), undefined, 'none');
  });

  t.test(`${code}: a media type with parameters, in any case, is taken`, async (t) => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', ' application/json ;x=y']) {
      const answer = await server.rest.fetch(path, { method: 'POST', headers: { 'Content-Type': type }, body: '{' });
      t.equal(envelopeFault(code, answer.status, await answer.text()), undefined, type);
    }
  });

  t.test(`${code}: one byte more than the limit is refused, announced or not`, async (t) => {
    const headers = { Authorization: server.rest.authorization, ...JSON_TYPE };
    const announced = await Wire.open(server.url);
    void announced.write(requestText(`POST ${path}`, { ...headers, 'Content-Length': `${MAX + 1}` }));
    const answer = await announced.answer();
    t.equal(envelopeFault('payload_too_large', answer?.status ?? 0, String(answer?.body)), undefined);
    announced.drop();
    const huge = await exchange(server.url, requestText(`POST ${path}`, { ...headers, 'Content-Length': '999999999' }));
    t.equal(huge?.status, 413);
  });

  t.test(`${code}: a transfer encoding is refused and the connection is closed`, async (t) => {
    for (const encoding of ['chunked', 'gzip, chunked', 'identity', 'Chunked']) {
      const wire = await Wire.open(server.url);
      const headers = { Authorization: server.rest.authorization, ...JSON_TYPE, 'Transfer-Encoding': encoding };
      void wire.write(`${requestText(`POST ${path}`, headers)}20\r\n${TAP}\r\n0\r\n\r\n`);
      const answer = await wire.answer();
      t.equal(envelopeFault('length_required', answer?.status ?? 0, String(answer?.body)), undefined, encoding);
      await wire.closed;
    }
  });
}

t.test(
  'a body beyond its announced length is never read as part of it, and never as a request with rights',
  async (t) => {
    const wire = await Wire.open(server.url);
    const headers = { Authorization: server.rest.authorization, ...JSON_TYPE, 'Content-Length': '2' };
    void wire.write(`${requestText(`POST ${ROUTES[0]?.[0]}`, headers)}{}${requestText('GET /service/sessions')}`);
    const first = await wire.answer();
    t.equal(envelopeFault('invalid_interaction', first?.status ?? 0, String(first?.body)), undefined);
    const second = await wire.answer();
    t.equal(second?.status, 401, 'what follows is a request of its own, without a key');
    wire.drop();
  },
);

t.test(
  'both a length and a transfer encoding, and lengths that are none, get no answer but a closed connection',
  async (t) => {
    const headers = { Authorization: server.rest.authorization, ...JSON_TYPE };
    const lengths = ['-1', 'abc', '0x10', '1 1', '9999999999', '99999999999999999999'].map((length) => ({
      'Content-Length': length,
    }));
    for (const extra of [...lengths, { 'Content-Length': '5', 'Transfer-Encoding': 'chunked' }]) {
      const wire = await Wire.open(server.url);
      void wire.write(`${requestText(`POST ${ROUTES[0]?.[0]}`, { ...headers, ...extra })}hello`);
      t.equal(await wire.answer(), undefined, JSON.stringify(extra));
    }
  },
);

t.test(
  'meanwhile every tap of another client was completed, no exception got away and the server still serves',
  async (t) => {
    t.ok((await bystander.stop()) > 0);
    t.same(faults(), []);
    t.match(await server.rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 }), {
      status: 200,
      body: { ok: true },
    });
  },
);
