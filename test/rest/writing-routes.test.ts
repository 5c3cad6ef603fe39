import t from 'tap';
import { ROUTES, type RouteName } from '../../protocol/index.ts';
import { writingOf } from '../../server/rest/writing-routes.ts';

const names = Object.keys(ROUTES) as RouteName[];

t.test(
  'a route that is no GET is answered when its change is on disk, but for those that see to that themselves',
  async (t) => {
    const unkept = names.filter((name) => ROUTES[name].method !== 'GET' && writingOf(name) === undefined);
    const recordings = ['startRecording', 'stopRecording'];
    t.strictSame(unkept.sort(), ['cancelInteraction', 'interact', 'openUrl', 'readInvitation', ...recordings]);
  },
);

t.test('a GET keeps nothing', async (t) => {
  const kept = names.filter((name) => ROUTES[name].method === 'GET' && writingOf(name) !== undefined);
  t.strictSame(kept, []);
});

t.test('what ends or takes something waits for no database', async (t) => {
  const atOnce = names.filter((name) => writingOf(name) === 'at once');
  t.strictSame(atOnce.sort(), ['deleteAsset', 'deleteSession', 'uploadAsset']);
});
