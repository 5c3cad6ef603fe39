import { readFileSync } from 'node:fs';
import type { Acknowledgement, AssetRecord } from '@runcloud/protocol';
import { conform } from './conform.ts';
import type { Subject } from './subject.ts';

type Listed = readonly {
  readonly app: string;
  readonly kind: string;
  readonly state: string;
  readonly name?: string;
}[];

const idOf = ({ stage }: Subject, app: string): string => stage.driver.appId?.(app) ?? app;
const resultOf = ({ result }: Acknowledgement): Record<string, unknown> => result ?? {};
const listOf = async (subject: Subject): Promise<Listed> =>
  resultOf(await subject.do({ action: 'listApps' })).apps as Listed;
const stateOf = async (subject: Subject, app: string) => (await listOf(subject)).find((one) => one.app === app)?.state;

async function upload({ stage }: Subject, platform: string): Promise<AssetRecord> {
  const file = readFileSync(`server/sample/sample.${platform === 'ios' ? 'ipa' : 'apk'}`);
  const answer = await stage.server.rest.fetch('/service/assets', { method: 'POST', body: new Uint8Array(file) });
  return (await answer.json()) as AssetRecord;
}

conform([
  {
    title: 'an app is launched, listed as being in front, then behind, and terminated',
    needs: ({ actions }) => actions.includes('launchApp'),
    async prove(t, subject) {
      const app = idOf(subject, 'notes');
      t.same((await subject.do({ action: 'launchApp', app })).result, { app, state: 'front' });
      t.equal((await subject.inspect()).foreground, 'notes');
      t.equal(await stateOf(subject, app), 'front');
      const list = (await listOf(subject)).map((one) => one.app);
      t.same(list, [...list].sort(), 'in the order of their identifiers');
      t.equal((await listOf(subject)).filter(({ state }) => state === 'front').length, 1);
      await subject.goHome();
      t.equal(await stateOf(subject, app), 'running');
      t.same((await subject.do({ action: 'terminateApp', app })).result, { app, state: 'stopped' });
      t.equal(await stateOf(subject, app), 'stopped');
      t.same((await subject.do({ action: 'terminateApp', app })).result, { app, state: 'stopped' }, 'and once more');
      await subject.do({ action: 'launchApp', app });
      await subject.do({ action: 'terminateApp', app });
      t.equal((await subject.inspect()).foreground, 'home', 'what was in front has gone');
    },
  },
  {
    title: 'an app is launched with a URL, which it gets, and with one that it does not take it is not',
    needs: ({ actions }) => actions.includes('launchApp'),
    async prove(t, subject) {
      // What the simulator's own browser is called is no app of the stand-in's.
      if (subject.stage.driver.name.startsWith('ios')) return void t.pass('its URLs are tested with uploaded apps');
      const app = idOf(subject, 'browser');
      const url = 'https://example.com/?a=$(id)%20b&c=\'d\'"e"';
      t.same((await subject.do({ action: 'launchApp', app, url })).result, { app, state: 'front' });
      t.equal((await subject.app()).address, url);
      const request = { action: 'launchApp', app: idOf(subject, 'notes'), url, requestId: `not-${Math.random()}` };
      const { acknowledgement } = await subject.ask(request);
      t.match(acknowledgement, { status: 'failed', error: { code: 'interaction_failed', retryable: false } });
      t.equal((await subject.inspect()).foreground, 'browser');
    },
  },
  {
    title: 'the data of an app is deleted, and it begins anew',
    needs: ({ actions }) => actions.includes('clearAppData'),
    async prove(t, subject) {
      const app = idOf(subject, 'notes');
      await subject.open('notes');
      await subject.do({ action: 'typeText', text: 'gone' });
      t.equal((await subject.app()).text, 'gone');
      t.same((await subject.do({ action: 'clearAppData', app })).result, { app });
      t.equal(await stateOf(subject, app), 'stopped');
      await subject.do({ action: 'launchApp', app });
      t.equal((await subject.app()).text, '');
    },
  },
  {
    title: 'an uploaded app is installed, listed, installed anew, and removed',
    needs: ({ actions }) => actions.includes('installApp'),
    async prove(t, subject) {
      const sample = 'com.example.sample';
      const { id: asset } = await upload(subject, subject.platform);
      const listed = async () => (await listOf(subject)).find(({ app }) => app === sample);
      t.equal(await listed(), undefined);
      const { result } = await subject.do({ action: 'installApp', asset });
      t.match(result, { app: sample, kind: 'user', state: 'stopped' });
      t.same(await listed(), result, 'as it was answered');
      t.match((await subject.do({ action: 'installApp', asset })).result, { app: sample }, 'and once more');
      t.equal((await listOf(subject)).filter(({ app }) => app === sample).length, 1);
      const { body } = await subject.stage.server.rest.call('DELETE', `/service/assets/${asset}`);
      t.match(body, { error: { code: 'asset_in_use' } });
      await subject.do({ action: 'uninstallApp', app: sample });
      t.equal(await listed(), undefined);
    },
  },
  {
    title: 'what is no app of the platform is not installed',
    needs: ({ actions }) => actions.includes('installApp'),
    async prove(t, subject) {
      const before = await listOf(subject);
      const ask = async (asset: string) => {
        const request = { action: 'installApp', asset, requestId: `odd-${Math.random()}` };
        return (await subject.transport.perform(request)).acknowledgement.error;
      };
      const other = await upload(subject, subject.platform === 'ios' ? 'android' : 'ios');
      t.match(await ask(other.id), { code: 'invalid_interaction', message: /is an app for/, retryable: false });
      t.match(await ask('ast_nobodyHasThis'), { code: 'asset_not_found', retryable: false });
      t.same(await listOf(subject), before);
    },
  },
  {
    title: 'an app that the device does not have is not found, and one of its own is not removed',
    needs: ({ actions }) => actions.includes('launchApp'),
    async prove(t, subject) {
      await subject.open('notes');
      const verbs = ['launchApp', 'terminateApp', 'clearAppData', 'uninstallApp'] as const;
      for (const action of verbs.filter((verb) => subject.can.actions.includes(verb))) {
        for (const app of ['com.example.none', 'constructor', 'com.example.notes.']) {
          const { acknowledgement, httpStatus = 404 } = await subject.ask({
            action,
            app,
            requestId: `none-${Math.random()}`,
          });
          t.match(
            { httpStatus, ...acknowledgement },
            { httpStatus: 404, status: 'failed', error: { code: 'app_not_found', retryable: false } },
            `${action} ${app}`,
          );
          t.ok(acknowledgement.error?.message.includes(app));
        }
      }
      const request = { action: 'uninstallApp', app: idOf(subject, 'notes'), requestId: `own-${Math.random()}` };
      const { acknowledgement } = await subject.ask(request);
      t.match(acknowledgement, { status: 'failed', error: { code: 'interaction_failed' } });
      t.equal(await stateOf(subject, idOf(subject, 'notes')), 'front');
    },
  },
]);
