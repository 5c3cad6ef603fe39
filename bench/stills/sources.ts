import { encodePng } from '../../server/host/png.ts';
import { PngRows } from '../../server/host/png-rows.ts';
import { placeOf } from '../photon/places.ts';
import { encodeBare, rawPicture } from './bare-encoder.ts';
import { ControlClient } from './control-client.ts';
import { HttpStills } from './http-stills.ts';
import type { StillSource, StillsJob, StillsSession } from './job.ts';

const nothing = async () => undefined;

/** Opens the source of stills of a row. */
export async function openSource(job: StillsJob): Promise<StillSource> {
  if ('session' in job) return sessionSource(job.kind, job.session, job.changed);
  if (job.kind === 'route') {
    const stills = await HttpStills.open(job);
    return { prepare: nothing, take: () => stills.fetch(), close: () => stills.close() };
  }
  const picture = await rawPicture(job.png);
  // Does not say what has changed since the last picture, so that all pixels are encoded, as the library does.
  const rows = new PngRows();
  const take = () => (job.kind === 'library' ? encodeBare(picture) : encodePng(picture, rows));
  return { prepare: nothing, take, close: () => undefined };
}

/** Before each picture of a changed screen, taps a new place in Touch Lab; checks that every picture has changed. */
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
