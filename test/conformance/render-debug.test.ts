import { setTimeout as sleep } from 'node:timers/promises';
import { RENDER_OPTIONS } from '@runcloud/protocol/terms';
import { awayFromMinuteEdge } from '../support/minute-edge.ts';
import { type Case, conform } from './conform.ts';
import type { Subject } from './subject.ts';

const set = (subject: Subject, option: string, enabled: boolean) =>
  subject.do({ action: 'setRenderDebug', option, enabled });

/** How fast the phone's animations run against the wall clock, over at least `ms`, and so long that asking takes little of it. */
async function animationRate(subject: Subject, ms: number): Promise<number> {
  const read = async () => {
    const askedMs = performance.now();
    const elapsedMs = Number((await subject.app()).elapsedMs);
    return { askedMs, elapsedMs, toldMs: performance.now() };
  };
  const before = await read();
  for (;;) {
    await sleep(ms);
    const after = await read();
    const [leastMs, mostMs] = [after.askedMs - before.toldMs, after.toldMs - before.askedMs];
    if (leastMs > mostMs * 0.8) return (after.elapsedMs - before.elapsedMs) / mostMs;
  }
}

const colouring: readonly Case[] = RENDER_OPTIONS.filter((option) => option !== 'slowAnimations').map((option) => ({
  title: `${option} colours the picture until it is taken back`,
  platforms: ['ios'],
  async prove(t, subject) {
    await awayFromMinuteEdge();
    const before = await subject.stillPicture();
    t.same((await set(subject, option, true)).result, { option, enabled: true });
    t.same((await subject.inspect()).renderOptions, [option]);
    const coloured = await subject.stillPicture();
    t.not(Buffer.compare(coloured, before), 0);
    await set(subject, option, true);
    t.equal(Buffer.compare(await subject.stillPicture(), coloured), 0, 'once more changes nothing');
    t.same((await set(subject, option, false)).result, { option, enabled: false });
    t.same((await subject.inspect()).renderOptions, []);
    t.equal(Buffer.compare(await subject.stillPicture(), before), 0, 'the picture is as it was');
  },
}));

const cases: readonly Case[] = [
  ...colouring,
  {
    title: 'the options are told apart in the picture, and add up',
    platforms: ['ios'],
    async prove(t, subject) {
      await awayFromMinuteEdge();
      const pictures = [await subject.stillPicture()];
      for (const option of RENDER_OPTIONS) {
        await set(subject, option, true);
        if (option !== 'slowAnimations') pictures.push(await subject.stillPicture());
      }
      t.same([...(await subject.inspect()).renderOptions].sort(), [...RENDER_OPTIONS].sort());
      t.equal(new Set(pictures.map((picture) => picture.toString('base64'))).size, pictures.length);
    },
  },
  {
    title: 'slowAnimations makes what moves move slower, until it is taken back',
    platforms: ['ios'],
    async prove(t, subject) {
      await subject.open('motion');
      const normal = await animationRate(subject, 200);
      await set(subject, 'slowAnimations', true);
      const slow = await animationRate(subject, 300);
      await set(subject, 'slowAnimations', false);
      const again = await animationRate(subject, 200);
      t.ok(slow < normal / 2 && slow < again / 2, `${normal}, then ${slow}, then ${again}`);
    },
  },
];

conform(cases.map((each) => ({ ...each, needs: ({ renderOptions }) => renderOptions.length > 0 })));
