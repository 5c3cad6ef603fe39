import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import t from 'tap';
import { NativeHead } from '../../../server/socket/uws/native-head.ts';

/** A head with these lines of the proxy's header. */
const headOf = (...lines: string[]) =>
  new NativeHead(
    { getRemoteAddressAsText: () => new TextEncoder().encode('192.0.2.1').buffer } as unknown as HttpResponse,
    {
      getCaseSensitiveMethod: () => 'GET',
      getUrl: () => '/path',
      getQuery: () => undefined,
      getHeader: () => lines[0] ?? '',
      forEach: (tell: (name: string, value: string) => void) => {
        tell('host', 'x');
        for (const line of lines) tell('x-forwarded-for', line);
        tell('accept', '198.51.100.1');
      },
    } as unknown as HttpRequest,
  );

t.test('the last line of several is the one that counts, and there may be none', async (t) => {
  t.equal(headOf('198.51.100.9').lastForwarded(), '198.51.100.9');
  t.equal(headOf('198.51.100.9', 'y, 192.0.2.7').lastForwarded(), 'y, 192.0.2.7');
  t.equal(headOf('198.51.100.9', '').lastForwarded(), '');
  t.equal(headOf().lastForwarded(), undefined);
});

t.test('the address is text, and a query that is absent is empty', async (t) => {
  const head = headOf();
  t.same([head.method, head.path, head.query, head.remoteAddress()], ['GET', '/path', '', '192.0.2.1']);
});
