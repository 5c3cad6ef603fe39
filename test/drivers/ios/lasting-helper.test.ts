import t from 'tap';
import type { SimulatorHelper } from '../../../server/drivers/ios/helper.ts';
import { LastingHelper } from '../../../server/drivers/ios/lasting-helper.ts';
import type { VideoListener } from '../../../server/drivers/video/video-source.ts';

type Unit = Parameters<VideoListener['picture']>[0];

/** A program that notes what it is told. */
function program(name: string) {
  const told: string[] = [];
  const videos: VideoListener[] = [];
  let lose: (reason: string) => void = () => undefined;
  const helper = {
    name,
    can: { fingers: 1, buttons: [], renderOptions: [], toggleSoftwareKeyboard: false },
    home: () => void told.push('home'),
    taken: async () => void told.push('taken'),
    video(listener: VideoListener) {
      videos.push(listener);
      return () => void told.push('video stopped');
    },
    onLost: (listener: typeof lose) => {
      lose = listener;
    },
    close: async () => void told.push('closed'),
  } as unknown as SimulatorHelper;
  return { helper, told, videos, lose: (reason: string) => lose(reason) };
}

function viewer() {
  const seen: string[] = [];
  const listener: VideoListener = {
    head: () => seen.push('head'),
    picture: ({ payload }) => seen.push(`picture ${payload[0]}`),
    ended: (reason) => seen.push(reason),
  };
  return { seen, listener };
}

const unit = (payload: number): Unit => ({ key: true, payload: Uint8Array.of(payload) });
const head = {} as Parameters<VideoListener['head']>[0];

t.test('a video goes on with the next program, and nobody is told of an end', async (t) => {
  const [one, two] = [program('one'), program('two')];
  const lasting = new LastingHelper(one.helper);
  const lost: string[] = [];
  lasting.onLost((reason) => lost.push(reason));
  const [early, late] = [viewer(), viewer()];
  lasting.video(early.listener);
  one.videos[0]?.picture(unit(1));
  await lasting.leave();
  t.same(one.told, ['video stopped', 'closed']);
  // What was still on its way.
  one.videos[0]?.picture(unit(2));
  one.videos[0]?.ended('it broke off');
  one.lose('it has ended');
  const stop = lasting.video(late.listener);
  t.throws(() => lasting.home(), { name: 'DeviceFault', kind: 'unavailable' });
  await t.rejects(lasting.taken(), { name: 'DeviceFault', kind: 'unavailable' });

  await lasting.follow(two.helper, () => early.seen.push('turned'));
  t.equal(two.videos.length, 2);
  two.videos[0]?.head(head);
  two.videos[0]?.picture(unit(3));
  two.videos[1]?.picture(unit(4));
  t.same(early.seen, ['picture 1', 'head', 'turned', 'picture 3']);
  t.same(late.seen, ['picture 4']);
  stop();
  two.videos[1]?.picture(unit(5));
  t.same(late.seen, ['picture 4'], 'who looks away sees no more');
  lasting.home();
  two.videos[0]?.ended('it broke off');
  t.same(early.seen.at(-1), 'it broke off', 'an end that nobody wanted is told');
  t.same(lost, []);
  two.lose('it has ended');
  t.same(lost, ['it has ended']);
  const later: string[] = [];
  lasting.onLost((reason) => later.push(reason));
  t.same(later, lost, 'also to who asks later');
});

t.test('a program that comes after the end is closed', async (t) => {
  const [one, two] = [program('one'), program('two')];
  const lasting = new LastingHelper(one.helper);
  await lasting.close();
  await t.rejects(
    lasting.follow(two.helper, () => undefined),
    { name: 'DeviceFault', kind: 'unreachable' },
  );
  t.same([one.told, two.told], [['closed'], ['closed']]);
  t.equal(lasting.current, undefined);
});
