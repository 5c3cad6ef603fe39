import t, { type Test } from 'tap';
import { RunCloud } from '../../../client/sdk/index.ts';
import { answerJson, failure, type Script, startScriptedHttp } from '../../support/scripted-http.ts';

const ASSET = { id: 'ast_1', platform: 'android', name: 'Demo', identifier: 'com.example', version: '1', byteSize: 9 };

async function scripted(t: Test, script: Script) {
  const service = await startScriptedHttp(t, script);
  return { service, assets: new RunCloud({ apiKey: 'a-key', baseUrl: service.url }).assets };
}

const streamOf = (...chunks: readonly string[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk));
      controller.close();
    },
  });

t.test('bytes, files and streams are sent with their length', async (t) => {
  const { assets, service } = await scripted(t, (_request, response) => answerJson(response, 201, ASSET));
  t.same(await assets.upload(new Uint8Array([80, 75, 3, 4])), ASSET);
  t.same(await assets.upload(new Blob(['a package'])), ASSET);
  t.same(await assets.upload({ stream: streamOf('a ', 'package'), byteSize: 9 }), ASSET);
  t.same(
    service.seen.map(({ body, headers }) => [body.toString('latin1'), headers['content-length']]),
    [
      ['PK\x03\x04', '4'],
      ['a package', '9'],
      ['a package', '9'],
    ],
  );
  for (const { headers } of service.seen) {
    t.equal(headers['transfer-encoding'], undefined);
    t.equal(headers['content-type'], 'application/octet-stream');
  }
});

t.test('a stream that is longer or shorter than was said is a failure', async (t) => {
  const { assets } = await scripted(t, (_request, response) => answerJson(response, 201, ASSET));
  for (const byteSize of [5, 50]) {
    await t.rejects(assets.upload({ stream: streamOf('a ', 'package'), byteSize }), { code: 'transport_error' });
  }
});

t.test('assets are listed, read and deleted; failures come through', async (t) => {
  const { assets, service } = await scripted(t, ({ method, path }, response) => {
    if (path.endsWith('/used')) return answerJson(response, 409, failure('asset_in_use'));
    return answerJson(response, 200, method === 'GET' && path === '/service/assets' ? { assets: [ASSET] } : ASSET);
  });
  t.same(await assets.list(), [ASSET]);
  t.same(await assets.get('ast_1'), ASSET);
  await assets.delete('ast_1');
  await t.rejects(assets.delete('used'), { code: 'asset_in_use', status: 409 });
  t.equal(service.seen.length, 4);
});
