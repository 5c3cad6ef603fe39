import { BareSubject } from './bare-subject.ts';
import type { PhotonFigures, PhotonJob, PhotonOrder, PhotonReply, Subject } from './job.ts';
import { PageSubject } from './page-subject.ts';
import { ScreencastSubject } from './screencast-subject.ts';
import { SocketSubject } from './socket-subject.ts';
import { tapAndWatch } from './tap-loop.ts';
import { VncSubject } from './vnc-subject.ts';

/** The photon process: taps and watches, one order after the other. */
function open(job: PhotonJob): Promise<Subject> {
  if (job.kind === 'socket') return SocketSubject.open(job.session, job.encoding);
  if (job.kind === 'bare') return BareSubject.open(job.url, job.encoding);
  if (job.kind === 'page') return PageSubject.open(job.url, job.bare);
  if (job.kind === 'vnc') return VncSubject.open(job.width, job.height, job.frameRate);
  return ScreencastSubject.open(job.width, job.height);
}

async function carryOut(order: PhotonOrder): Promise<PhotonFigures> {
  const subject = await open(order.job);
  try {
    return await tapAndWatch(subject, order);
  } finally {
    await subject.close();
  }
}

process.on('message', (order: PhotonOrder) => {
  const reply = (answer: PhotonReply) => void process.send?.(answer);
  carryOut(order).then(
    (figures) => reply({ ok: true, figures }),
    (error: unknown) => reply({ ok: false, error: error instanceof Error ? error.message : String(error) }),
  );
});
// In a child of the bench the channel is unreferenced, but this process has nothing else that keeps it alive.
process.channel?.ref();
