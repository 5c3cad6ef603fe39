import { setTimeout as sleep } from 'node:timers/promises';
import type { UiTree } from '@runcloud/protocol';
import { conform } from './conform.ts';

const MINUTE_MS = 60_000;
/** Longer than a comparison takes. */
const NEEDED_MS = 15_000;

/** The home screen shows the minute: a picture from before it ends is not there again. */
async function minuteWithTime(): Promise<void> {
  const leftMs = MINUTE_MS - (Date.now() % MINUTE_MS);
  if (leftMs < NEEDED_MS) await sleep(leftMs + 200);
}

conform([
  {
    title: 'the device is put back to how it was when the session began, by pixels and by elements',
    needs: ({ actions }) => actions.includes('resetDevice'),
    async prove(t, subject) {
      const { server, session } = subject.stage;
      const path = `/service/${subject.platform}/${session.id}/ui`;
      const tree = async () => (await server.rest.call<UiTree>('GET', path)).body.nodes;
      await minuteWithTime();
      // Other proofs may have used the session before.
      await subject.do({ action: 'resetDevice' });
      const [picture, elements] = [await subject.stillPicture(), await tree()];
      await subject.open('notes');
      await subject.do({ action: 'typeText', text: 'To be forgotten' });
      await subject.do({ action: 'configureDevice', appearance: 'dark' });
      await subject.do({ action: 'rotate', orientation: 'landscape_left' });
      t.not(Buffer.compare(await subject.stillPicture(), picture), 0, 'another picture is on the screen');
      await subject.do({ action: 'resetDevice' });
      t.equal(Buffer.compare(await subject.stillPicture(), picture), 0, 'the picture of the start is there again');
      t.same(await tree(), elements, 'and its elements');
      await subject.open('notes');
      t.match(await subject.app(), { text: '' }, 'an app has forgotten what was typed');
    },
  },
  {
    title: 'a device that cannot be put back refuses it, and does not list it',
    needs: ({ actions }) => !actions.includes('resetDevice'),
    async prove(t, subject) {
      const { acknowledgement } = await subject.ask({ action: 'resetDevice', requestId: 'no-reset' });
      t.match(acknowledgement, { ok: false, error: { code: 'unsupported_action', message: /resetDevice/ } });
    },
  },
]);
