import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import type { DeviceFaultKind } from '../../../../server/device/fault.ts';
import { readScreen } from '../../../../server/drivers/ios/serve-sim/accessibility.ts';

const HEADERS = { Authorization: 'Bearer secret' };
const APP = { type: 'Application', AXLabel: 'Shop', frame: { x: 0, y: 0, width: 100, height: 200 } };
const BUY = { type: 'Button', AXLabel: 'Buy', AXUniqueId: 'shop.buy', enabled: true };
const TREE = [{ ...APP, children: [{ ...BUY, frame: { x: 10, y: 20, width: 50, height: 20 }, children: [] }] }];

async function helper(t: Test, answer: (response: ServerResponse) => void): Promise<number> {
  const server = createServer((request, response) => {
    t.match(request, { url: '/ax', headers: { authorization: HEADERS.Authorization } });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const read = (port: number, signal = new AbortController().signal) => readScreen({ port, headers: HEADERS }, signal);

t.test('what the helper tells is read, piece by piece', async (t) => {
  const text = JSON.stringify(TREE);
  const port = await helper(t, (response) => {
    response.write(text.slice(0, 20));
    setImmediate(() => response.end(text.slice(20)));
  });
  t.match(await read(port), {
    app: 'Shop',
    nodes: [{ role: 'app', children: [{ role: 'button', name: 'Buy', id: 'shop.buy', frame: { x: 0.1, y: 0.1 } }] }],
  });
});

t.test('a helper that is not ready, refuses, breaks off or says nonsense is a fault of its kind', async (t) => {
  const cases: readonly (readonly [string, DeviceFaultKind, (response: ServerResponse) => void])[] = [
    ['not ready', 'unreachable', (response) => response.writeHead(503).end()],
    ['none', 'nonsense', (response) => response.writeHead(404).end()],
    ['no JSON', 'nonsense', (response) => response.end('<html>')],
    ['no elements', 'nonsense', (response) => response.end('[]')],
    ['cut', 'unreachable', (response) => response.write('[', () => response.destroy())],
    ['endless', 'nonsense', (response) => void response.write(Buffer.alloc(16_777_217, ' '))],
  ];
  for (const [what, kind, answer] of cases) {
    const fault = await read(await helper(t, answer)).catch((error: unknown) => error);
    t.match(fault, { name: 'DeviceFault', kind }, what);
  }
  const nobody = await read(1).catch((error: unknown) => error);
  t.match(nobody, { kind: 'unreachable' });
});

t.test('a read that is given up ends', async (t) => {
  const gone = new AbortController();
  const port = await helper(t, () => gone.abort(new Error('given up')));
  await t.rejects(read(port, gone.signal), { name: 'AbortError' });
});
