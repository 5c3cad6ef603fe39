import type { SessionRecord } from '@runcloud/protocol';
import { CAPABILITIES, ORIENTATIONS } from '@runcloud/protocol/terms';
import { awayFromMinuteEdge } from '../support/minute-edge.ts';
import { decodePng } from '../support/picture.ts';
import { type Case, conform } from './conform.ts';

const rotations: readonly Case[] = ORIENTATIONS.map((orientation) => ({
  title: `rotate to ${orientation} turns the picture and everything that tells the orientation`,
  platforms: (['ios', 'android'] as const).filter((name) => CAPABILITIES[name].orientations.includes(orientation)),
  async prove(t, subject) {
    const { rest } = subject.stage.server;
    const { session } = subject.stage;
    await awayFromMinuteEdge();
    await subject.open('scroll');
    const upright = await subject.stillPicture();
    t.same((await subject.do({ action: 'rotate', orientation })).result, { orientation });
    t.equal((await subject.inspect()).orientation, orientation);
    const turned = await subject.stillPicture();
    const { width, height } = await decodePng(turned);
    const { device } = session;
    const lying = orientation.startsWith('landscape');
    t.same([width, height], lying ? [device.height, device.width] : [device.width, device.height]);
    // A picture is upright for a person who holds the device that way, so the two upright ones look the same.
    t.equal(Buffer.compare(turned, upright) === 0, !lying);
    const { body } = await rest.call<SessionRecord>('GET', `/service/sessions/${session.id}`);
    t.equal(body.orientation, orientation);
    await subject.do({ action: 'rotate', orientation });
    t.equal((await subject.inspect()).orientation, orientation, 'orientations are absolute');
  },
}));

conform([
  ...rotations,
  {
    title: 'reload starts the app in front anew and leaves it in front',
    async prove(t, subject) {
      await subject.open('notes');
      await subject.do({ action: 'typeText', text: 'gone after a reload' });
      const before = await subject.stillPicture();
      await subject.do({ action: 'reload' });
      t.match(await subject.inspect(), { foreground: 'notes', app: { text: '' } });
      t.not(Buffer.compare(await subject.stillPicture(), before), 0);
    },
  },
  {
    title: 'scroll moves the content by shares of the viewport, on with positive deltas and back with negative ones',
    async prove(t, subject) {
      await subject.open('scroll');
      const before = await subject.stillPicture();
      const { height } = await decodePng(before);
      const { result } = await subject.do({ action: 'scroll', deltaX: 0, deltaY: 0.5 });
      t.same(result, { deltaX: 0, deltaY: 0.5 });
      const half = Number((await subject.app()).offset);
      const slack = subject.stage.driver.scrollSlack;
      const offset = async () => Number((await subject.app()).offset);
      // Each way by itself: a finger's errors add up.
      const scrolls = async (deltaY: number) => {
        const [from, expected] = [await offset(), 2 * half * deltaY];
        await subject.do({ action: 'scroll', deltaX: 0, deltaY });
        return Math.abs((await offset()) - from - expected) <= 2 + slack * Math.abs(expected);
      };
      t.ok(half > height * 0.3 && half <= height * 0.5 * (1 + slack), `half a viewport of ${height} pixels is ${half}`);
      t.not(Buffer.compare(await subject.stillPicture(), before), 0);
      t.ok(await scrolls(1));
      t.ok(await scrolls(-1));
      await subject.do({ action: 'scroll', deltaX: 0, deltaY: -1 });
      t.equal(await offset(), 0, 'it stops at the beginning');
    },
  },
  {
    title: 'scroll with an anchor moves what lies there',
    async prove(t, subject) {
      await subject.open('scroll');
      const { result } = await subject.do({ action: 'scroll', deltaX: 0, deltaY: 0.25, x: 0.5, y: 0.6 });
      t.same(result, { deltaX: 0, deltaY: 0.25 });
      t.ok(Number((await subject.app()).offset) > 0);
    },
  },
  {
    title: 'toggleSoftwareKeyboard shows the keyboard, and hides it',
    async prove(t, subject) {
      await awayFromMinuteEdge();
      await subject.open('scroll');
      const hidden = await subject.stillPicture();
      await subject.do({ action: 'toggleSoftwareKeyboard' });
      t.equal((await subject.inspect()).keyboardShown, true);
      const shown = await subject.stillPicture();
      t.not(Buffer.compare(shown, hidden), 0);
      await subject.do({ action: 'toggleSoftwareKeyboard' });
      t.equal((await subject.inspect()).keyboardShown, false);
      t.equal(Buffer.compare(await subject.stillPicture(), hidden), 0, 'the picture is as it was');
    },
  },
  {
    title: 'simulateMemoryWarning warns once, to be seen for a moment',
    async prove(t, subject) {
      await subject.open('touch-lab');
      const { memoryWarnings } = await subject.inspect();
      const before = await subject.stillPicture();
      await subject.isSeen(() => subject.do({ action: 'simulateMemoryWarning' }));
      t.match(await subject.inspect(), { memoryWarnings: memoryWarnings + 1, foreground: 'touch-lab' });
      await subject.untilPictureIs(before);
    },
  },
  {
    title: 'a screenshot is the whole display as PNG, and the same while nothing changes',
    async prove(t, subject) {
      await subject.open('touch-lab');
      const first = await subject.stillPicture();
      t.equal(first.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
      const { width, height } = await decodePng(first);
      t.match(subject.stage.session.device, { width, height });
      t.equal(Buffer.compare(Buffer.from(await subject.transport.screenshot()), first), 0);
    },
  },
]);
