import t from 'tap';
import { RequestHead } from '../../server/socket/request-head.ts';

/** A request as a library gives it: it refuses to be touched once its callback has returned, and counts what is read. */
function request(headers: Readonly<Record<string, string>>) {
  const read: string[] = [];
  let alive = true;
  const ask = <T>(answer: T): T => {
    if (!alive) throw new Error('the request is gone');
    return answer;
  };
  const head = new RequestHead({
    method: 'POST',
    path: '/path',
    query: '',
    header: (name) => {
      read.push(name);
      return ask(headers[name] ?? '');
    },
    remoteAddress: () => ask('127.0.0.1'),
    lastForwarded: () => ask(headers['x-forwarded-for']),
  });
  return {
    head,
    read,
    callbackReturns: () => {
      alive = false;
    },
    ends: () => head.end(),
  };
}

const KEYED = { authorization: 'Bearer x', 'content-type': 'text/plain', cookie: 'c', 'x-forwarded-for': '192.0.2.7' };
const { authorization: _none, ...KEYLESS } = KEYED;

t.test('within the callback a header is read when it is asked for, and once', async (t) => {
  const { head, read } = request(KEYED);
  t.same([head.method, head.path, head.query], ['POST', '/path', '']);
  t.same(read, []);
  t.equal(head.header('content-type'), 'text/plain');
  t.equal(head.header('content-type'), 'text/plain');
  t.equal(head.header('range'), undefined, 'an absent one');
  t.same(read, ['content-type', 'range']);
});

t.test('fields that were kept can be read after the callback', async (t) => {
  const { head, callbackReturns } = request(KEYED);
  head.keep();
  callbackReturns();
  t.equal(head.header('authorization'), 'Bearer x');
  t.equal(head.header('content-type'), 'text/plain');
  t.equal(head.header('range'), undefined);
  t.equal(head.header('cookie'), undefined, 'a request with a key is judged by the key');
});

t.test('a request without a key is kept with what tells browsers apart', async (t) => {
  const { head, callbackReturns } = request(KEYLESS);
  head.keep();
  callbackReturns();
  t.equal(head.header('cookie'), 'c');
});

t.test('a proxy’s word for its caller counts whatever credential the caller says it has', async (t) => {
  t.equal(request(KEYED).head.address, '192.0.2.7');
  t.equal(request(KEYLESS).head.address, '192.0.2.7');
});

t.test('the address is to be asked within the callback, and can be asked again ever after', async (t) => {
  const asked = request(KEYED);
  t.equal(asked.head.address, '192.0.2.7');
  asked.head.keep();
  asked.callbackReturns();
  asked.ends();
  t.same([asked.head.address, asked.head.network], ['192.0.2.7', '192.0.2.7']);
  const late = request(KEYED);
  late.head.keep();
  t.throws(() => late.head.address, /in time/);
});
