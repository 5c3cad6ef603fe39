import t from 'tap';
import type { DeviceClipboard } from '../../server/device/driver.ts';
import { accessClipboard, followClipboard } from '../../server/host/clipboard.ts';
import { FakeClock } from '../support/fake-clock.ts';

const { signal } = new AbortController();

function holding(text: string): DeviceClipboard & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    read: async () => {
      asked.push('read');
      return text;
    },
    write: async (written) => void asked.push(`write ${written}`),
  };
}

t.test('the answer is what the device says, and not what was written', async (t) => {
  const clipboard = holding('another');
  t.strictSame(await accessClipboard({ clipboard }, 'mine', signal), { text: 'another' });
  t.strictSame(await accessClipboard({ clipboard }, undefined, signal), { text: 'another' });
  t.strictSame(await accessClipboard({ clipboard }, '', signal), { text: 'another' });
  t.strictSame(clipboard.asked, ['write mine', 'read', 'read', 'write ', 'read']);
});

t.test('of a longer text the first 10,000 characters are read, none of them in halves', async (t) => {
  for (const character of ['a', 'é', '😀']) {
    const longest = character.repeat(10_000);
    t.strictSame(await accessClipboard({ clipboard: holding(longest) }, undefined, signal), { text: longest });
    const longer = holding(`${longest}😀`);
    t.strictSame(await accessClipboard({ clipboard: longer }, undefined, signal), { text: longest, truncated: true });
  }
});

t.test('a device without a clipboard, and a caller that has gone while it was written', async (t) => {
  await t.rejects(accessClipboard({}, undefined, signal), { name: 'DeviceFault', kind: 'unsupported' });
  const controller = new AbortController();
  const asked: string[] = [];
  const clipboard = { ...holding(''), write: async () => controller.abort(), read: async () => String(asked.push('')) };
  await t.rejects(accessClipboard({ clipboard }, 'x', controller.signal), { name: 'DeviceFault', kind: 'aborted' });
  t.strictSame(asked, []);
});

t.test('changes that follow each other closely are told once, and later ones again', async (t) => {
  const clock = new FakeClock();
  let changed: () => void = () => undefined;
  let told = 0;
  const onChange = (listener: () => void) => {
    changed = listener;
  };
  followClipboard({ clipboard: { ...holding(''), onChange } }, clock, () => told++);
  for (let changes = 0; changes < 1_000; changes++) changed();
  t.equal(told, 0);
  await clock.advance(100);
  t.equal(told, 1);
  await clock.advance(1_000);
  t.equal(told, 1);
  changed();
  await clock.advance(100);
  t.equal(told, 2);
  t.doesNotThrow(() => followClipboard({ clipboard: holding('') }, clock, () => told++), 'one that does not tell');
  followClipboard({}, clock, () => told++);
});
