import { encodePng } from '../../server/host/png.ts';
import { PngRows } from '../../server/host/png-rows.ts';
import { placeOf } from '../photon/places.ts';
import { encodeBare, rawPicture } from './bare-encoder.ts';
import { ControlClient } from './control-client.ts';
import { HttpStills } from './http-stills.ts';
import type { StillSource, StillsJob, StillsSession } from './job.ts';

const nothing = async () => undefined;

/** Opens what a row takes its stills from. */
export async function openSource(job: StillsJob): Promise<StillSource> {
  if ('session' in job) return sessionSource(job.kind, job.session, job.changed);
  if (job.kind === 'route') {
    const stills = await HttpStills.open(job);
    return { prepare: nothing, take: () => stills.fetch(), close: () => stills.close() };
  }
  const picture = await rawPicture(job.png);
  // What changed since the picture before is not told: all of it is encoded from its pixels on, as the library does.
  const rows = new PngRows();
  const take = () => (job.kind === 'library' ? encodeBare(picture) : encodePng(picture, rows));
  return { prepare: nothing, take, close: () => undefined };
}

/** Taps Touch Lab elsewhere before each picture of a changed screen; every picture is checked for that. */
async function sessionSource(kind: 'rest' | 'socket', session: StillsSession, changed: boolean): Promise<StillSource> {
  const client = await ControlClient.open(session);
  const headers = { Authorization: `Bearer ${session.key}` };
  const rest = await HttpStills.open({ ...session, path: `${session.path}/screenshot` }, headers);
  let before: Uint8Array | undefined;
  return {
    async prepare(n) {
      const { x, y } = placeOf(n);
      if (changed) await client.tap(x, y);
    },
    async take() {
      const png = kind === 'rest' ? await rest.fetch() : await client.screenshot();
      const same = before !== undefined && Buffer.compare(before, png) === 0;
      if (before && same === changed) {
        throw new Error(changed ? 'a picture of a changed screen is as before' : 'a screen at rest has changed');
      }
      before = png;
      return png;
    },
    close() {
      client.close();
      rest.close();
    },
  };
}
