import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionRecord } from '@runcloud/protocol';
import { ControlClient } from './control-client.ts';
import { FloodedService } from './flooded-service.ts';
import { LINK_FLOODS, type LinkFloodOrder } from './link-flood-order.ts';
import { Program } from './server-process.ts';

/** Who floods, and where: `elsewhere` is the control, the same floods at a service that nobody measures. */
export const LINK_PHASES = [
  'nobody',
  'view',
  'view elsewhere',
  'view and control',
  'view and control elsewhere',
] as const;
export type LinkPhase = (typeof LINK_PHASES)[number];

/** Where the home screen has the app that never stands still. */
const MOTION = { action: 'tap', x: 0.383, y: 0.292 };
/** Between two taps. */
const PAUSE_MS = 4;
/** Until sockets are filled, and what a burst lets through is done. */
const WARM_UP_MS = 2_000;

export interface LinkFlooded {
  readonly phase: LinkPhase;
  readonly tapsMs: readonly number[];
  /** The codes of the taps that were refused or failed. */
  readonly refused: readonly string[];
}

/** A session with a moving screen. */
async function openSession(service: FloodedService): Promise<SessionRecord> {
  const session = await service.own.createSession('ios');
  await service.own.call('POST', `/service/ios/${session.id}/interactions`, MOTION);
  return session;
}

/** Begins everything at once by a new link of the session; gives what ends it. */
async function floodBy(service: FloodedService, session: SessionRecord, role: 'control' | 'view') {
  const links = `/service/sessions/${session.id}/viewer-links`;
  const { body } = await service.own.call<{ url: string }>('POST', links, { role });
  const path = `/service/${session.platform}/${session.id}/control${new URL(body.url).search}`;
  const programs = LINK_FLOODS.map((flood) => {
    const order: LinkFloodOrder = { flood, role, origin: service.url, path };
    return new Program('test/support/link-flood-program.ts', [JSON.stringify(order)], {});
  });
  for (const program of programs) {
    while (program.running && program.stdout === '') await sleep(10);
    program.signal('SIGUSR2');
  }
  return async () => {
    const ended = programs.filter(({ running }) => !running);
    for (const program of programs) program.signal('SIGKILL');
    await Promise.all(programs.map((program) => program.ended));
    if (ended.length > 0) throw new Error(`a flood ended: ${ended.map(({ stderr }) => stderr).join('\n')}`);
  };
}

/** Taps as the owner of a session, so many in each phase, while links of it flood it. */
export async function tapThroughLinkFloods(
  phases: readonly LinkPhase[],
  taps: number,
): Promise<readonly LinkFlooded[]> {
  // The checks of messages are the tests' own, and would be most of what a socket costs.
  const service = await FloodedService.start({ RUNCLOUD_CHECK_ANSWERS: undefined });
  const elsewhere = await FloodedService.start({ RUNCLOUD_CHECK_ANSWERS: undefined });
  try {
    const found: LinkFlooded[] = [];
    for (const phase of phases) {
      const session = await openSession(service);
      const client = await ControlClient.connect(service.url, session, service.own.authorization);
      const flooded = phase.endsWith('elsewhere') ? elsewhere : service;
      const target = flooded === service ? session : await openSession(elsewhere);
      const ends: (() => Promise<void>)[] = [];
      try {
        if (phase !== 'nobody') ends.push(await floodBy(flooded, target, 'view'));
        if (phase.includes('control')) ends.push(await floodBy(flooded, target, 'control'));
        await sleep(WARM_UP_MS);
        found.push({ phase, ...(await tap(client, taps)) });
      } finally {
        for (const end of ends) await end();
      }
      client.terminate();
      await service.own.releaseSession(session.id);
      if (target !== session) await elsewhere.own.releaseSession(target.id);
    }
    return found;
  } finally {
    await service.stop();
    await elsewhere.stop();
  }
}

async function tap(client: ControlClient, taps: number): Promise<Pick<LinkFlooded, 'tapsMs' | 'refused'>> {
  const tapsMs: number[] = [];
  const refused: string[] = [];
  for (let index = 0; index < taps; index++) {
    const startMs = performance.now();
    const request = { requestId: `owner-${index}`, action: 'tap', x: 0.5, y: 0.5, acks: 'final' };
    const { status, error } = await client.interact(request);
    tapsMs.push(performance.now() - startMs);
    if (status !== 'completed') refused.push(error?.code ?? status);
    client.messages.length = 0;
    await sleep(PAUSE_MS);
  }
  return { tapsMs, refused };
}
