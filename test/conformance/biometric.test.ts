import type { UiNode, UiTree } from '@runcloud/protocol';
import { conform } from './conform.ts';
import type { Subject } from './subject.ts';

const show = async (subject: Subject, match: unknown) =>
  (await subject.ask({ action: 'authenticateBiometric', match, requestId: `show-${Math.random()}` })).acknowledgement;

const tells = (subject: Subject) => !subject.stage.driver.name.startsWith('ios');

function shownValue(nodes: readonly UiNode[], id: string): string | undefined {
  for (const node of nodes) {
    const found = node.id === id ? node.value : shownValue(node.children ?? [], id);
    if (found !== undefined) return found;
  }
  return undefined;
}

conform([
  {
    title: 'what asks for a face or finger sees whether it is the right one',
    needs: ({ actions }) => actions.includes('authenticateBiometric'),
    async prove(t, subject) {
      if (!tells(subject)) {
        for (const match of [true, false]) t.same((await show(subject, match)).result, { match, readBack: false });
        return;
      }
      await subject.open('settings');
      await subject.do({ action: 'scrollTo', target: { id: 'settings.biometric' } });
      const row = async () => {
        const path = `/service/${subject.platform}/${subject.stage.session.id}/ui`;
        return shownValue((await subject.stage.server.rest.call<UiTree>('GET', path)).body.nodes, 'settings.biometric');
      };
      for (const [match, said] of [
        [true, 'Recognised'],
        [false, 'Not recognised'],
        [true, 'Recognised'],
      ] as const) {
        await subject.do({ action: 'tapElement', target: { id: 'settings.biometric' } });
        t.equal(await row(), 'Waiting');
        const waiting = await subject.stillPicture();
        const told = await show(subject, match);
        t.match(told, { status: 'completed', result: { match, readBack: true } });
        t.equal(await row(), said);
        t.not(Buffer.compare(await subject.stillPicture(), waiting), 0, 'it is seen');
      }
    },
  },
  {
    title: 'where nothing asks, a device that tells fails; what is neither true nor false is named',
    needs: ({ actions }) => actions.includes('authenticateBiometric'),
    async prove(t, subject) {
      for (const match of [undefined, null, 1, 'yes', 'true', {}]) {
        const refused = await show(subject, match);
        t.match(refused, { ok: false, error: { code: 'invalid_interaction', message: /"match" .*true or false/ } });
      }
      if (!tells(subject)) return;
      const message = /asks for a face or finger/;
      const failed = { status: 'failed', error: { code: 'interaction_failed', message } };
      t.match(await show(subject, true), failed, 'on the home screen');
      await subject.open('settings');
      t.match(await show(subject, true), failed, 'where the row was not tapped');
      await subject.do({ action: 'scrollTo', target: { id: 'settings.biometric' } });
      await subject.do({ action: 'tapElement', target: { id: 'settings.biometric' } });
      await subject.goHome();
      t.match(await show(subject, true), failed, 'where what asks is not in front');
    },
  },
  {
    title: 'a device without it refuses it with the reason, and does not list the action',
    needs: ({ actions }) => !actions.includes('authenticateBiometric'),
    async prove(t, subject) {
      const message = /"authenticateBiometric" is not supported by this device; Android knows no finger/;
      t.match(await show(subject, true), { ok: false, error: { code: 'unsupported_action', message } });
    },
  },
]);
