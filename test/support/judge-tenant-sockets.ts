import { setTimeout as sleep } from 'node:timers/promises';
import { CLIENT_MESSAGES, type ClientMessage, type RecordingList, type SessionRecord } from '@runcloud/protocol';
import type { Test } from 'tap';
import { TRAITS } from '../../protocol/messages/traits.ts';
import { changesOf, marksIn, stateOf } from './judge-tenants.ts';
import { TENANT_MESSAGES } from './tenant-messages.ts';
import { TenantSocket } from './tenant-socket.ts';
import { type Ids, type Tenant, type Tenants, tokenOf, unknownIds } from './tenants.ts';

/** Judges each message of control sockets with each kind of credential, and what sockets of two accounts are sent beside each other. */

type Type = ClientMessage['type'];

/** How a message is answered. */
interface Told {
  readonly ok: boolean;
  readonly code?: string;
}

/** Who sends it. */
interface Sender {
  readonly name: string;
  readonly socket: TenantSocket;
  /** It watches the owner's session; the others have sessions of their own. */
  readonly isWatcher: boolean;
  /** What its own session answers otherwise than another one. */
  readonly own?: Partial<Record<Type, string>>;
}

const TYPES = Object.keys(TENANT_MESSAGES) as Type[];
const DONE: Told = { ok: true };
const SWIPE = {
  action: 'swipe',
  from: { x: 0.5, y: 0.5 },
  to: { x: 0.5, y: 0.6 },
  durationMs: 30_000,
  timeoutMs: 60_000,
};
/** Of the owner's marks, what one who watches is shown. */
const WATCHED: ReadonlySet<string> = new Set(['sessionId', 'leaseId', 'label', 'typed', 'recordingId', 'requestId']);
/** What may be under way to sockets comes within this time. */
const QUIET_MS = 700;

let sent = 0;

/** Sends a message that names the things of `ids`, and waits for its answer. */
async function tell(socket: TenantSocket, type: Type, ids: Ids, given: Record<string, unknown> = {}): Promise<Told> {
  const { fields, done, also } = TENANT_MESSAGES[type];
  const { answered } = TRAITS[type];
  const schema = CLIENT_MESSAGES.get(type)?.schema;
  const requestId = `told-${++sent}`;
  const named = schema === undefined || 'requestId' in schema.properties ? { requestId } : {};
  const own = fields?.(ids) ?? {};
  const streamId = socket.messages.findLast((message) => message.type === 'screen.started')?.streamId ?? 1;
  const stream = 'streamId' in own ? { streamId } : {};
  const from = socket.messages.length;
  const message = { type, ...named, ...own, ...stream, ...given };
  socket.send(message);
  if (answered) {
    if (also) socket.send({ ...message, ...also });
    const { ok, error } = await socket.result(requestId);
    return error ? { ok, code: error.code } : { ok };
  }
  await socket.settled();
  const error = socket.messages.slice(from).find((each) => each.type === 'error');
  if (error?.type === 'error') return { ok: false, code: error.code };
  if (done !== undefined) await socket.next(done, () => true, from);
  return DONE;
}

/** Whose control is asked for: the id of one who waits for it in the owner's session. */
async function askForControl(key: TenantSocket, guest: TenantSocket): Promise<string> {
  const ask = async (socket: TenantSocket, type: Type) => {
    const requestId = `control-${++sent}`;
    socket.send({ type, requestId });
    return (await socket.result(requestId)).result as { readonly participant?: { readonly id: string } } | undefined;
  };
  await ask(key, 'control.take');
  return (await ask(guest, 'control.request'))?.participant?.id ?? '';
}

export async function judgeMessages(t: Test, tenants: Tenants): Promise<void> {
  const { server, owner, stranger } = tenants;
  const { url } = server;
  t.strictSame([...TYPES].sort(), ['interaction', ...CLIENT_MESSAGES.keys()].sort(), 'each message is sent');
  const key = await TenantSocket.open(url, owner.session, owner);
  const guest = await TenantSocket.open(url, owner.session, { token: tokenOf(owner.session) });
  const senders: readonly Sender[] = [
    {
      name: 'a link to watch',
      socket: await TenantSocket.open(url, owner.session, { token: tokenOf(owner.watching) }),
      isWatcher: true,
    },
    {
      name: "another session's token",
      socket: await TenantSocket.open(url, owner.sibling, { token: tokenOf(owner.sibling) }),
      isWatcher: false,
      own: {
        'recording.start': 'recording_already_active',
        'control.take': 'owner_required',
      },
    },
    {
      name: "another account's key",
      socket: await TenantSocket.open(url, stranger.session, stranger),
      isWatcher: false,
    },
  ];
  t.teardown(() => {
    for (const socket of [key, guest, ...senders.map((sender) => sender.socket)]) socket.terminate();
  });
  const isAboutOthers = (type: Type) => type === 'control.grant' || type === 'control.deny';
  const idsFor = async (type: Type) =>
    isAboutOthers(type) ? { ...owner.ids, participantId: await askForControl(key, guest) } : owner.ids;

  for (const type of TYPES) {
    await t.test(`${type}, of others`, async (t) => {
      const named = await idsFor(type);
      // What is to be cancelled moves a finger on the device.
      const swiped = type === 'cancel' ? await swipe(key) : undefined;
      const before = swiped === undefined ? await stateOf(tenants, owner, owner.sibling) : undefined;
      const given = swiped === undefined ? {} : { requestId: swiped };
      for (const { name, socket, isWatcher, own } of senders) {
        const told = await tell(socket, type, named, given);
        const needsControl = TRAITS[type].role === 'control';
        const code =
          isWatcher && needsControl
            ? 'control_role_required'
            : isWatcher
              ? undefined
              : (own?.[type] ?? TENANT_MESSAGES[type].unknown);
        t.strictSame(told, code === undefined ? DONE : { ok: false, code }, name);
        if (TENANT_MESSAGES[type].unknown !== undefined && !isWatcher) {
          const none = await tell(socket, type, unknownIds(named), given);
          t.strictSame(told, none, `${name}: as of what never was`);
        }
      }
      if (isAboutOthers(type)) t.equal(await holderOf(owner), key.ready.participant?.id, 'control stays where it is');
      if (before)
        t.strictSame(
          changesOf(before, await stateOf(tenants, owner, owner.sibling)),
          [],
          "the owner's state is the same",
        );
      else await judgeSwipe(t, owner, key, swiped ?? '');
    });
  }

  await t.test('none was told anything of the owner', async (t) => {
    await sleep(QUIET_MS);
    for (const { name, socket, isWatcher } of senders) {
      if (name === "another session's token") continue;
      t.strictSame(
        marksIn(owner, socket.bytes).filter((mark) => !isWatcher || !WATCHED.has(mark)),
        [],
        name,
      );
    }
    const { session, sibling } = owner;
    const ofSibling = senders.find(({ name }) => name === "another session's token");
    t.notOk(ofSibling?.socket.bytes.includes(session.id), "another session's socket tells nothing of this one");
    t.ok(ofSibling?.socket.bytes.includes(sibling.id));
  });

  await t.test('the connection of another is not resumed, and goes on', async (t) => {
    for (const [name, session, credential] of [
      ["another account's key", stranger.session, stranger],
      ["another session's token", owner.sibling, { token: tokenOf(owner.sibling) }],
      ['the key, in another session', owner.sibling, owner],
      ['a link to watch', owner.session, { token: tokenOf(owner.watching) }],
    ] as const) {
      const socket = await TenantSocket.open(url, session, credential, key.resumeValue);
      const { resumed, pending, connection } = socket.ready;
      t.strictSame({ resumed, pending }, { resumed: false, pending: [] }, name);
      t.not(connection?.id, key.ready.connection?.id, name);
      await key.settled();
      socket.terminate();
    }
    const lost = await TenantSocket.open(url, owner.session, owner);
    await lost.settled();
    // The session's own link is of the same account and role as the key.
    const back = await TenantSocket.open(url, owner.session, { token: tokenOf(owner.session) }, lost.resumeValue);
    t.equal(back.ready.resumed, true, 'its own is resumed by such a value');
    await back.close();
  });

  await t.test('the same messages, of the owner', async (t) => {
    for (const type of TYPES) {
      const swiped = type === 'cancel' ? await swipe(key) : undefined;
      const named = await idsFor(type);
      const given = swiped === undefined ? {} : { requestId: swiped };
      t.strictSame(await tell(key, type, named, given), DONE, type);
      if (swiped !== undefined) t.match(await key.result(swiped), { status: 'cancelled' });
    }
    for (const tenant of [owner, stranger]) await stopRecording(tenant);
  });
}

/** Stops the recording that a message has started. */
async function stopRecording({ rest, session }: Tenant): Promise<void> {
  const path = `/service/ios/${session.id}/recordings`;
  const { body } = await rest.call<RecordingList>('GET', path);
  for (const { id, status } of body.recordings)
    if (status === 'recording') await rest.call('POST', `${path}/${id}/stop`);
}

/** Who has control of the owner's session. */
async function holderOf({ rest, session }: Tenant): Promise<string | undefined> {
  const { body } = await rest.call<SessionRecord>('GET', `/service/sessions/${session.id}`);
  return body.control?.holder?.id;
}

/** The owner's request that others try to cancel. */
async function swipe(key: TenantSocket): Promise<string> {
  const requestId = `swiped-${++sent}`;
  key.send({ type: 'interaction', requestId, ...SWIPE });
  await key.next('dispatched', (message) => message.requestId === requestId);
  return requestId;
}

async function judgeSwipe(t: Test, { rest, session }: Tenant, key: TenantSocket, requestId: string): Promise<void> {
  const path = `/service/ios/${session.id}/interactions/${requestId}`;
  const { body } = await rest.call<{ status: string }>('GET', path);
  t.equal(body.status, 'pending', "the owner's request is not cancelled");
  key.send({ type: 'cancel', requestId });
  t.match(await key.result(requestId), { status: 'cancelled' });
}
