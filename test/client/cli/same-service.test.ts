import t from 'tap';
import { isOfSameService } from '../../../client/cli/same-service.ts';
import { commandLine } from '../../support/command-line.ts';
import { answerJson, startScriptedHttp } from '../../support/scripted-http.ts';

t.test('an address is of the same service by its origin, and loopback has several names', (t) => {
  const own = ['https://a.example/x', 'https://a.example:443/', 'https://A.example'];
  const foreign = [
    'https://b.example/',
    'http://a.example/',
    'https://a.example:444/',
    'https://a.example.b.example/',
    'https://a.example@b.example/',
    'https://me:secret@a.example/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'not an address',
    '',
  ];
  for (const url of own) t.equal(isOfSameService(url, 'https://a.example/base'), true, url);
  for (const url of foreign) t.equal(isOfSameService(url, 'https://a.example/base'), false, url);
  for (const url of ['http://localhost:8787/', 'http://127.0.0.1:8787/', 'http://[::1]:8787/']) {
    t.equal(isOfSameService(url, 'http://127.0.0.1:8787'), true, url);
    t.equal(isOfSameService(url, 'http://127.0.0.1:8788'), false, url);
    t.equal(isOfSameService(url, 'https://127.0.0.1:8787'), false, url);
    t.equal(isOfSameService(url, 'http://a.example:8787'), false, url);
  }
  t.equal(isOfSameService('http://127.0.0.1.a.example:8787/', 'http://127.0.0.1:8787'), false);
  t.end();
});

t.test('the browser opens what the service itself has, and no other page that it names', async (t) => {
  for (const elsewhere of [undefined, 'https://other.example']) {
    const { url } = await startScriptedHttp(t, ({ path }, response) => {
      const home = elsewhere ?? url;
      if (path === '/oauth/device_authorization') {
        const page = { verification_uri: `${url}/device`, verification_uri_complete: `${home}/device?code=A` };
        return answerJson(response, 200, { device_code: 'd', user_code: 'A', expires_in: 60, interval: 0.01, ...page });
      }
      if (path === '/oauth/token') return answerJson(response, 400, { error: 'access_denied' });
      return answerJson(response, 200, { id: 'ses_1', platform: 'ios', url: `${home}/view/1` });
    });
    const opened: string[] = [];
    const about = {
      isTerminal: true,
      onBrowser: (address: string) => opened.push(address),
      stateFolder: t.testdir({}),
    };
    const env = { RUNCLOUD_BASE_URL: url };
    const login = await commandLine(['login'], { ...about, env });
    const view = await commandLine(['view', '--open', '-s', 'ses_1'], {
      ...about,
      env: { ...env, RUNCLOUD_API_KEY: 'k' },
    });
    t.match(view, { code: 0, stdout: `${elsewhere ?? url}/view/1\n` }, 'it is printed in any case');
    const own = [`${url}/device?code=A`, `${url}/view/1`];
    t.same(opened, elsewhere === undefined ? own : []);
    for (const { stderr } of [login, view]) t.equal(/is not opened for you/.test(stderr), elsewhere !== undefined);
  }
});
