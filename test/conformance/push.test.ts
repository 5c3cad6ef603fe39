import type { UiNode, UiTree } from '@runcloud/protocol';
import type { Test } from 'tap';
import { conform } from './conform.ts';
import { installSample, removeSample, SAMPLE } from './sample-app.ts';
import type { Subject } from './subject.ts';

const ALERT = { title: 'Order 7', body: 'It is on its way' };

const push = async (subject: Subject, fields: Record<string, unknown>) => {
  const request = { action: 'sendPush', app: SAMPLE, payload: { aps: { alert: ALERT } }, ...fields };
  return (await subject.ask({ ...request, requestId: `push-${Math.random()}` })).acknowledgement;
};

function found(nodes: readonly UiNode[], id: string): UiNode | undefined {
  for (const node of nodes) {
    const one = node.id === id ? node : found(node.children ?? [], id);
    if (one) return one;
  }
  return undefined;
}

async function bannerOf(subject: Subject): Promise<UiNode | undefined> {
  const path = `/service/${subject.platform}/${subject.stage.session.id}/ui`;
  return found((await subject.stage.server.rest.call<UiTree>('GET', path)).body.nodes, 'system.banner');
}

/** Simulators take it and tell nothing, and their stand-in has no banner: what it was handed is held by a test of its own. */
const tells = (subject: Subject) => !subject.stage.driver.name.startsWith('ios');

async function isHeld(t: Test, subject: Subject): Promise<void> {
  const told = await push(subject, {});
  t.match(told, { status: 'completed', result: { app: SAMPLE, readBack: tells(subject) } });
  t.equal(told.result?.shown, tells(subject) ? true : undefined);
}

conform([
  {
    title: 'a notification is a banner with its title and text, which opens its app',
    needs: ({ actions }) => actions.includes('sendPush'),
    async prove(t, subject) {
      await installSample(subject);
      if (!tells(subject)) {
        await isHeld(t, subject);
        await removeSample(subject);
        return;
      }
      const before = await subject.stillPicture();
      await isHeld(t, subject);
      const banner = await bannerOf(subject);
      t.match(banner, { role: 'button', name: ALERT.title, value: ALERT.body });
      t.not(Buffer.compare(await subject.stillPicture(), before), 0, 'it is seen');
      await subject.do({ action: 'tapElement', target: { id: 'system.banner' } });
      t.equal((await subject.inspect()).foreground, SAMPLE, 'it opens the app');
      t.match((await subject.app()).events, ['launched', 'foreground', 'notification']);
      t.equal(await bannerOf(subject), undefined, 'and is gone');
      await removeSample(subject);
    },
  },
  {
    title:
      'nothing is shown without an alert, nor of an app that may not notify, nor is anything left of a removed app',
    needs: ({ actions }) => actions.includes('sendPush'),
    async prove(t, subject) {
      await installSample(subject);
      if (tells(subject)) {
        for (const aps of [{}, { 'content-available': 1 }, { alert: '' }, { alert: { title: 7 } }, { alert: [] }]) {
          t.match(await push(subject, { payload: { aps } }), { result: { shown: false, readBack: true } });
        }
        const permission = { action: 'setPermission', app: SAMPLE, permission: 'notifications' };
        await subject.do({ ...permission, access: 'revoke' });
        t.match(await push(subject, {}), { result: { shown: false } });
        t.equal(await bannerOf(subject), undefined);
        await subject.do({ ...permission, access: 'grant' });
        await isHeld(t, subject);
        t.ok(await bannerOf(subject));
        t.match(((await subject.app()).notices as unknown[])[0], { title: ALERT.title, text: ALERT.body });
      }
      await removeSample(subject);
      t.equal(await bannerOf(subject), undefined);
      t.notMatch((await subject.app()).notices, [{ title: ALERT.title }]);
    },
  },
  {
    title: 'a device that is put back shows nothing of what it was sent, nor keeps it',
    needs: ({ actions }) => actions.includes('sendPush') && actions.includes('resetDevice'),
    async prove(t, subject) {
      await installSample(subject);
      await isHeld(t, subject);
      t.ok(await bannerOf(subject));
      const shown = await subject.stillPicture();
      await subject.do({ action: 'resetDevice' });
      t.equal(await bannerOf(subject), undefined);
      t.notMatch((await subject.app()).notices, [{ title: ALERT.title }]);
      t.not(Buffer.compare(await subject.stillPicture(), shown), 0, 'it is not seen');
    },
  },
  {
    title: 'a bad payload is named, as is an app that is not there or came with the device',
    needs: ({ actions }) => actions.includes('sendPush'),
    async prove(t, subject) {
      await installSample(subject);
      const filled = (bytes: number) => ({ aps: {}, own: 'x'.repeat(bytes - '{"aps":{},"own":""}'.length) });
      for (const [payload, message] of [
        [undefined, /"payload" is required and must be an object with "aps"/],
        [[], /"payload" must be an object with "aps"/],
        ['{"aps":{}}', /"payload" must be an object with "aps"/],
        [{}, /"payload.aps" is required and must be an object/],
        [{ alert: 'x' }, /"payload.aps" is required/],
        [{ aps: 'x' }, /"payload.aps" must be an object/],
        [{ aps: null }, /"payload.aps" must be an object/],
        [filled(4_097), /"payload" must be at most 4096 bytes of JSON/],
        [{ aps: {}, own: 'ü'.repeat(2_045) }, /"payload" must be at most 4096 bytes of JSON/],
      ] as const) {
        const refused = await push(subject, { payload });
        t.match(refused, { ok: false, error: { code: 'invalid_interaction', message } });
      }
      for (const app of ['-rf', '$(reboot)', '']) {
        t.match(await push(subject, { app }), { error: { code: 'invalid_interaction', message: /"app"/ } });
      }
      t.match(await push(subject, { payload: filled(4_096) }), { status: 'completed' }, 'as many bytes as APNs takes');
      for (const app of ['com.example.none', 'constructor']) {
        t.match(await push(subject, { app }), { status: 'failed', error: { code: 'app_not_found', retryable: false } });
      }
      const own = subject.stage.driver.appId?.('notes') ?? 'notes';
      t.match(await push(subject, { app: own }), { status: 'failed', error: { code: 'interaction_failed' } });
      await removeSample(subject);
    },
  },
  {
    title: 'a device without them refuses notifications with the reason, and does not list the action',
    needs: ({ actions }) => !actions.includes('sendPush'),
    async prove(t, subject) {
      const message = /"sendPush" is not supported by this device; Android takes .* Firebase Cloud Messaging alone/;
      t.match(await push(subject, {}), { ok: false, error: { code: 'unsupported_action', message } });
    },
  },
]);
