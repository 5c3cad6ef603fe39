import type { UiNode, UiTree } from '@runcloud/protocol';
import { conform } from './conform.ts';
import { installSample, SAMPLE } from './sample-app.ts';
import type { Subject } from './subject.ts';

function shownValue(nodes: readonly UiNode[], id: string): string | undefined {
  for (const node of nodes) {
    const found = node.id === id ? node.value : shownValue(node.children ?? [], id);
    if (found !== undefined) return found;
  }
  return undefined;
}

const failureOf = async (subject: Subject, fields: Record<string, unknown>) => {
  const request = { action: 'setPermission', app: SAMPLE, permission: 'location', access: 'grant', ...fields };
  return (await subject.ask({ ...request, requestId: `no-${Math.random()}` })).acknowledgement;
};

conform([
  {
    title: 'a permission is granted, revoked and reset, and what the device tells of it is what is on its screen',
    needs: ({ actions }) => actions.includes('setPermission'),
    async prove(t, subject) {
      await installSample(subject);
      const isTold = !subject.stage.driver.name.startsWith('ios');
      const onScreen = async () => {
        const path = `/service/${subject.platform}/${subject.stage.session.id}/ui`;
        const { body } = await subject.stage.server.rest.call<UiTree>('GET', path);
        return shownValue(body.nodes, 'app.permission.location');
      };
      // Stand-ins of real devices have no page of the app.
      const isShown = subject.stage.driver.name === 'virtual';
      if (isShown) await subject.do({ action: 'launchApp', app: SAMPLE });
      let before = await subject.stillPicture();
      for (const [access, state] of [
        ['grant', 'granted'],
        ['revoke', 'denied'],
        ['grant', 'granted'],
        ['reset', 'undecided'],
      ] as const) {
        const asked = { app: SAMPLE, permission: 'location' } as const;
        const { result } = await subject.do({ action: 'setPermission', ...asked, access });
        if (!isTold) {
          t.same(result, { ...asked, readBack: false });
          continue;
        }
        t.same(result, { ...asked, state, readBack: true });
        if (!isShown) continue;
        t.equal(await onScreen(), state, access);
        const picture = await subject.stillPicture();
        t.not(Buffer.compare(picture, before), 0, `${access} is seen`);
        before = picture;
      }
      await subject.do({ action: 'uninstallApp', app: SAMPLE });
    },
  },
  {
    title: 'an app that asks for a permission has the user decide',
    needs: ({ actions }) => actions.includes('setPermission'),
    async prove(t, subject) {
      if (subject.stage.driver.name !== 'virtual') return void t.pass('no app of the stand-ins asks');
      await installSample(subject);
      await subject.do({ action: 'launchApp', app: SAMPLE });
      const tap = (id: string) => subject.do({ action: 'tapElement', target: { id } });
      const decided = async () => (await subject.app()).permissions;
      const alert = async () => (await subject.app()).alert as { readonly title: string } | undefined;
      await subject.do({ action: 'scrollTo', target: { id: 'app.permission.photos' } });
      const before = await subject.stillPicture();
      await tap('app.permission.camera');
      t.match(await alert(), { title: 'Allow “Sample” to use the camera?', permission: 'camera' });
      t.not(Buffer.compare(await subject.stillPicture(), before), 0, 'it is seen');
      await tap('system.deny');
      t.same([await decided(), await alert()], [[{ permission: 'camera', granted: false }], undefined]);
      await tap('app.permission.photos');
      await tap('system.allow');
      const both = [
        { permission: 'camera', granted: false },
        { permission: 'photos', granted: true },
      ];
      t.same(await decided(), both);
      await tap('app.permission.location');
      await subject.do({ action: 'setPermission', app: SAMPLE, permission: 'location', access: 'grant' });
      t.equal(await alert(), undefined, 'what is decided otherwise is asked no longer');
      await subject.do({ action: 'uninstallApp', app: SAMPLE });
    },
  },
  {
    title: 'what is decided of an app goes with it',
    needs: ({ actions }) => actions.includes('setPermission') && actions.includes('clearAppData'),
    async prove(t, subject) {
      if (subject.stage.driver.name !== 'virtual') return void t.pass('what their systems do of themselves');
      await installSample(subject);
      const look = async () => {
        await subject.do({ action: 'launchApp', app: SAMPLE });
        return (await subject.app()).permissions;
      };
      const grant = () =>
        subject.do({ action: 'setPermission', app: SAMPLE, permission: 'photos', access: 'grant' as const });
      await grant();
      t.same(await look(), [{ permission: 'photos', granted: true }]);
      await subject.do({ action: 'clearAppData', app: SAMPLE });
      t.same(await look(), [], 'with its data');
      await grant();
      await subject.do({ action: 'uninstallApp', app: SAMPLE });
      await installSample(subject);
      t.same(await look(), [], 'and when it is removed');
      await subject.do({ action: 'uninstallApp', app: SAMPLE });
    },
  },
  {
    title: 'a permission is not set of an app that is not there or came with the device, nor to what is none',
    needs: ({ actions }) => actions.includes('setPermission'),
    async prove(t, subject) {
      for (const app of ['com.example.none', 'constructor']) {
        const refused = await failureOf(subject, { app });
        t.match(refused, { status: 'failed', error: { code: 'app_not_found', retryable: false } });
      }
      const own = subject.stage.driver.appId?.('notes') ?? 'notes';
      t.match(await failureOf(subject, { app: own }), { status: 'failed', error: { code: 'interaction_failed' } });
      for (const [field, value] of [
        ['permission', 'everything'],
        ['permission', 'location; reboot'],
        ['access', 'allow'],
        ['app', '-rf'],
        ['app', '$(reboot)'],
      ] as const) {
        const refused = await failureOf(subject, { [field]: value });
        t.match(refused, { ok: false, error: { code: 'invalid_interaction', message: new RegExp(`"?${field}"?`) } });
      }
    },
  },
  {
    title: 'a device without permissions refuses them, and does not list the action',
    needs: ({ actions }) => !actions.includes('setPermission'),
    async prove(t, subject) {
      t.match(await failureOf(subject, {}), {
        ok: false,
        error: { code: 'unsupported_action', message: /setPermission/ },
      });
    },
  },
]);
