import t from 'tap';
import { RequestSource } from '../../../bench/load/request-source.ts';
import { tapMessage, tapRequest } from '../../../bench/scenarios/tap/messages.ts';
import { ClientMessageReader } from '../../../server/wire/client-message-reader.ts';

function requestId(bytes: Uint8Array): string {
  const read = new ClientMessageReader().read(bytes);
  if (read.kind === 'undecodable') throw new Error(read.reason);
  return String(read.map.requestId);
}

t.test('every request of a connection is a valid message with an id of its own', async (t) => {
  const source = new RequestSource(tapMessage('tap-0001-', 'final'), 3);
  const ids = new Set(Array.from({ length: 1_234 }, () => requestId(source.next())));
  t.equal(ids.size, 1_234);
  t.ok(ids.has('tap-0001-0030000001'));
  t.ok(ids.has('tap-0001-0030001234'));
});

t.test('two connections never share an id', async (t) => {
  const template = tapMessage('tap-0001-', 'all');
  const [one, two] = [new RequestSource(template, 0), new RequestSource(template, 15)];
  t.not(requestId(one.next()), requestId(two.next()));
});

t.test('an HTTP request announces the length of its body and carries its own id', async (t) => {
  const template = tapRequest('tap-0002-', { host: '127.0.0.1', path: '/p', key: 'k' });
  const text = new RequestSource(template, 1).next().toString();
  const [head = '', body = ''] = text.split('\r\n\r\n');
  t.match(head, `Content-Length: ${body.length}`);
  t.match(JSON.parse(body), { requestId: 'tap-0002-0010000001', action: 'tap' });
});
