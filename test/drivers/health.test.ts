import t from 'tap';
import { watchHealth } from '../../server/drivers/health.ts';
import { FakeClock, settled } from '../support/fake-clock.ts';

const EVERY_MS = 15_000;

/** A watch over a device that answers as it is told to. */
function watch() {
  const clock = new FakeClock();
  const world = { asked: 0, answer: async (): Promise<string | undefined> => undefined };
  const lost: string[] = [];
  const ask = () => {
    world.asked++;
    return world.answer();
  };
  const end = watchHealth(ask, (reason) => lost.push(reason), clock, EVERY_MS);
  return { clock, world, lost, end };
}

const silence = async () => {
  throw new Error('no answer');
};

t.test('a device that is there is asked again and again, and never lost', async (t) => {
  const { clock, world, lost } = watch();
  await clock.advance(EVERY_MS * 10);
  t.same([world.asked, lost], [10, []]);
});

t.test('a device that is gone is reported lost at once, with the reason, and not checked again', async (t) => {
  const { clock, world, lost } = watch();
  world.answer = async () => 'it is off';
  await clock.advance(EVERY_MS);
  t.same(lost, ['it is off']);
  await clock.advance(EVERY_MS * 10);
  t.same([world.asked, lost.length, clock.waiting], [1, 1, 0]);
});

t.test(
  'a device that does not answer a check is checked again soon, and reported lost if that fails, too',
  async (t) => {
    const { clock, world, lost } = watch();
    world.answer = silence;
    await clock.advance(EVERY_MS);
    t.same([world.asked, lost], [1, []]);
    world.answer = async () => undefined;
    await clock.advance(EVERY_MS / 2);
    t.same([world.asked, lost], [2, []], 'it was only busy');
    await clock.advance(EVERY_MS);
    world.answer = silence;
    await clock.advance(EVERY_MS * 0.75);
    t.same([world.asked, lost], [4, []], 'failures count in a row');
    await clock.advance(EVERY_MS / 4);
    t.same(lost, ['no answer']);
  },
);

t.test('a watch that is ended tells nothing, also of a question that is under way', async (t) => {
  const { clock, world, lost, end } = watch();
  let answer: (reason: string) => void = () => undefined;
  world.answer = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  await clock.advance(EVERY_MS);
  end();
  answer('it is off');
  await settled();
  await clock.advance(EVERY_MS * 2);
  t.same([lost, clock.waiting], [[], 0]);
});
