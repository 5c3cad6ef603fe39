import { fanOutPattern } from './fan-out-pattern.ts';
import { handOverPackets } from './hand-over-packets.ts';
import { connectControl, watchedOn } from './nats-control.ts';

/** The bare sender of a fleet's pictures: publishes packets while somebody watches. */
const { nats, subject } = await connectControl();
let isWatched = false;
nats.subscribe(watchedOn(subject), {
  callback: (_error, { data }) => {
    isWatched = data.byteLength > 0;
  },
});
await nats.flush();
handOverPackets(fanOutPattern(), (packet) => {
  if (isWatched) nats.publish(subject, packet);
});
process.stdout.write('ready\n');
