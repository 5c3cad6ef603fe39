import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { exposedAddress } from '../../../../server/drivers/ios/serve-sim/exposure.ts';

const LOOPBACK_ONLY = fileURLToPath(
  new URL('../../../../server/drivers/ios/serve-sim/loopback-only.cjs', import.meta.url),
);

const hasNetwork = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .some(({ internal, address }) => !internal && !address.startsWith('fe80:'));

for (const listen of ["0, '0.0.0.0', tell", '0, tell', "{ port: 0, host: '::' }, tell", "'0', tell", '0, 128, tell']) {
  t.test(`a helper that says listen(${listen}) is kept on the loopback interface`, async (t) => {
    const tell = 'const tell = () => { console.log(server.address().address); server.close(); };';
    const program = `const server = require('node:http').createServer(); ${tell} server.listen(${listen});`;
    const said = execFileSync(process.execPath, ['--require', LOOPBACK_ONLY, '-e', program], {
      encoding: 'utf8',
      env: {},
    });
    t.equal(said.trim(), '127.0.0.1');
  });
}

for (const [host, exposed] of [
  ['127.0.0.1', false],
  ['0.0.0.0', true],
] as const) {
  const skip = exposed && !hasNetwork ? 'this machine is in no network' : false;
  t.test(`a port on ${host} is ${exposed ? '' : 'not '}found to be open to others`, { skip }, async (t) => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    t.equal((await exposedAddress(port)) !== undefined, exposed);
    await new Promise((resolve) => server.close(resolve));
  });
}
