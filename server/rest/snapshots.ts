import { type Acknowledgement, newId, ROUTES, type SnapshotRecord } from '@runcloud/protocol';
import { keepSnapshot } from '../session/snapshot.ts';
import type { CallTo } from './call.ts';
import { senderOf } from './control.ts';
import { answerList } from './listing.ts';
import { acknowledgementReply, type FailureReply, type JsonReply, json } from './reply.ts';
import type { Services } from './services.ts';

/** `POST .../snapshots`: keeps the state of the session's device. */
export function createSnapshot(
  call: CallTo<'createSnapshot'>,
  services: Services,
): Promise<JsonReply<201, SnapshotRecord> | FailureReply> {
  const { session, named, body } = call;
  const { snapshots } = services;
  const requestId = newId('req');
  named.requestId = requestId;
  return new Promise((resolve) => {
    const settled = (acknowledgement: Acknowledgement) => {
      const { ok, result, error } = acknowledgement;
      const headers = error?.code === 'store_unavailable' ? { 'Retry-After': '1' } : undefined;
      if (ok && result) resolve(json(201, result as SnapshotRecord));
      else resolve(acknowledgementReply(acknowledgement, headers) as FailureReply);
    };
    const { id, accountId, platform } = session.facts;
    const device = { id, accountId, platform, descriptor: session.device.descriptor };
    const begin = () => snapshots.begin(device, body.name);
    keepSnapshot(session, { requestId, name: body.name }, begin, { ...senderOf(call, services), settled });
  });
}

export function listSnapshots(call: CallTo<'listSnapshots'>, { snapshots, cursors }: Services) {
  const { owner } = call;
  return answerList('snapshots', ROUTES.listSnapshots, call, cursors, owner.accountId, (span) =>
    snapshots.list(owner, span),
  );
}

export function getSnapshot({ owner, params }: CallTo<'getSnapshot'>, { snapshots }: Services) {
  return json(200, snapshots.read(owner, params.snapshotName));
}

export async function deleteSnapshot({ owner, params }: CallTo<'deleteSnapshot'>, { snapshots }: Services) {
  const { snapshotName: name } = params;
  await snapshots.delete(owner, name);
  return json(200, { name, deleted: true } as const);
}
