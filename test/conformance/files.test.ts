import type { FileEntry } from '@runcloud/protocol';
import { HOSTILE_NAMES, REFUSED_PATHS } from '../support/hostile-names.ts';
import { conform } from './conform.ts';
import { installSample, SAMPLE } from './sample-app.ts';
import type { Subject } from './subject.ts';

/** A folder that no device has. */
const OWN = 'runcloud conformance';

interface Told {
  readonly status: number;
  readonly body: {
    readonly entries?: readonly FileEntry[];
    readonly byteSize?: number;
    readonly kind?: string;
    readonly error?: { readonly code: string; readonly message: string };
  };
}

async function call(
  { stage: { server, session } }: Subject,
  method: string,
  route: string,
  place: object,
  body?: Uint8Array,
) {
  const query = new URLSearchParams(place as Record<string, string>);
  return server.rest.fetch(`/service/${session.platform}/${session.id}/${route}?${query}`, {
    method,
    ...(body ? { body: new Uint8Array(body) } : {}),
  });
}

async function told(answer: Promise<Response>): Promise<Told> {
  const { status, ...response } = await answer.then(async (it) => ({
    status: it.status,
    body: (await it.json()) as Told['body'],
  }));
  return { status, ...response };
}

const list = (subject: Subject, place: object) => told(call(subject, 'GET', 'files', place));
const remove = (subject: Subject, place: object) => told(call(subject, 'DELETE', 'files', place));
const push = (subject: Subject, place: object, body: Uint8Array) =>
  told(call(subject, 'PUT', 'files/content', place, body));

async function pull(subject: Subject, place: object): Promise<Buffer | Told> {
  const answer = await call(subject, 'GET', 'files/content', place);
  if (answer.status !== 200) return { status: answer.status, body: (await answer.json()) as Told['body'] };
  return Buffer.from(await answer.arrayBuffer());
}

/** Bytes of every value, longer than any one message of adb. */
const LONG = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7 + (index >> 8)) & 255));

conform([
  {
    title: 'a file is written, told, read and deleted, in the shared folder and in the folder of an app',
    needs: ({ files, actions }) => files === true && actions.includes('installApp'),
    async prove(t, subject) {
      await installSample(subject);
      for (const root of ['shared', `app:${SAMPLE}`]) {
        const path = `${OWN}/below/long.bin`;
        const namesOf = async (folder: string) => (await list(subject, { root, path: folder })).body.entries ?? [];
        t.notOk(
          (await namesOf('')).some(({ name }) => name === OWN),
          root,
        );
        t.match(await push(subject, { root, path }, LONG), {
          status: 200,
          body: { root, path, byteSize: LONG.length },
        });
        t.match(await namesOf(`${OWN}/below`), [{ name: 'long.bin', kind: 'file', byteSize: LONG.length }]);
        t.match((await namesOf(OWN)).length, 1, 'nothing is beside it');
        t.match(await namesOf(OWN), [{ name: 'below', kind: 'folder' }]);
        t.same(await pull(subject, { root, path }), LONG);
        t.match(await push(subject, { root, path }, Buffer.from('short')), { status: 200, body: { byteSize: 5 } });
        t.same(await pull(subject, { root, path }), Buffer.from('short'), 'in its place');
        t.match(await push(subject, { root, path: `${OWN}/empty` }, new Uint8Array()), {
          status: 200,
          body: { byteSize: 0 },
        });
        t.same(await pull(subject, { root, path: `${OWN}/empty` }), Buffer.alloc(0));
        t.match(await remove(subject, { root, path: OWN }), { body: { error: { message: /not empty/ } } });
        t.match(await remove(subject, { root, path }), { status: 200, body: { root, path, kind: 'file' } });
        t.match(await remove(subject, { root, path: `${OWN}/below` }), { status: 200, body: { kind: 'folder' } });
        t.match(await remove(subject, { root, path: `${OWN}/empty` }), { status: 200, body: { kind: 'file' } });
        t.match(await remove(subject, { root, path: OWN }), { status: 200, body: { kind: 'folder' } });
        t.notOk(
          (await namesOf('')).some(({ name }) => name === OWN),
          root,
        );
      }
      await subject.do({ action: 'uninstallApp', app: SAMPLE });
    },
  },
  {
    title: 'names reach the device byte for byte, whatever a shell would make of them',
    needs: ({ files, actions }) => files === true && actions.includes('installApp'),
    async prove(t, subject) {
      await installSample(subject);
      for (const root of ['shared', `app:${SAMPLE}`]) {
        for (const name of HOSTILE_NAMES) {
          const pushed = await push(subject, { root, path: `${OWN}/${name}` }, Buffer.from(name));
          t.match(pushed, { status: 200, body: { byteSize: Buffer.byteLength(name) } }, JSON.stringify(name));
        }
        const { entries = [] } = (await list(subject, { root, path: OWN })).body;
        t.same(entries.map(({ name }) => name).sort(), [...HOSTILE_NAMES].sort());
        for (const name of HOSTILE_NAMES) {
          t.same(await pull(subject, { root, path: `${OWN}/${name}` }), Buffer.from(name), JSON.stringify(name));
          t.match(await remove(subject, { root, path: `${OWN}/${name}` }), { status: 200 }, JSON.stringify(name));
        }
        t.match(await remove(subject, { root, path: OWN }), { status: 200, body: { kind: 'folder' } });
      }
      await subject.do({ action: 'uninstallApp', app: SAMPLE });
    },
  },
  {
    title: 'what is no path below the root is refused, and so is what is not there',
    needs: ({ files }) => files === true,
    async prove(t, subject) {
      for (const [path, why] of REFUSED_PATHS) {
        const refused = { status: 400, body: { error: { code: 'invalid_request', message: why } } };
        t.match(await list(subject, { path }), refused, JSON.stringify(path));
        t.match(await pull(subject, { path }), refused);
        t.match(await push(subject, { path }, Buffer.from('x')), refused);
        t.match(await remove(subject, { path }), refused);
      }
      t.match(await list(subject, { root: 'app:-rf' }), { status: 400, body: { error: { message: /"root"/ } } });
      const none = { body: { error: { code: 'interaction_failed', message: /There is no "runcloud none/ } } };
      for (const path of ['runcloud none', 'runcloud none/below']) {
        t.match(await list(subject, { path }), none);
        t.match(await pull(subject, { path }), none);
        t.match(await remove(subject, { path }), none);
      }
      const app = 'app:com.example.none';
      const missing = { status: 404, body: { error: { code: 'app_not_found' } } };
      t.match(await list(subject, { root: app }), missing);
      t.match(await pull(subject, { root: app, path: 'x' }), missing);
      t.match(await push(subject, { root: app, path: 'x' }, Buffer.from('x')), missing);
      t.match(await remove(subject, { root: app, path: 'x' }), missing);
      await push(subject, { path: `${OWN}/file` }, Buffer.from('x'));
      t.match(await list(subject, { path: `${OWN}/file` }), {
        body: { error: { message: /is a file, and no folder/ } },
      });
      t.match(await pull(subject, { path: OWN }), { body: { error: { message: /is a folder, and no file/ } } });
      t.match(await push(subject, { path: OWN }, Buffer.from('x')), {
        body: { error: { message: /is a folder, and no file/ } },
      });
      t.match(await push(subject, { path: `${OWN}/file/x` }, Buffer.from('x')), {
        body: { error: { message: /is a file, and no folder/ } },
      });
      t.match(await remove(subject, { path: `${OWN}/file` }), { status: 200 });
      t.match(await remove(subject, { path: OWN }), { status: 200 });
    },
  },
  {
    title: 'a pushed file is seen in the Files app',
    needs: ({ files, actions }) => files === true && actions.includes('launchApp'),
    async prove(t, subject) {
      if (subject.stage.driver.name !== 'virtual') return void t.pass('their own apps show them');
      await subject.do({ action: 'launchApp', app: 'files' });
      const before = await subject.stillPicture();
      t.match(await push(subject, { path: 'seen.txt' }, Buffer.from('x')), { status: 200 });
      t.not(Buffer.compare(await subject.stillPicture(), before), 0);
      t.same((await subject.app()).files, ['seen.txt']);
      t.match(await remove(subject, { path: 'seen.txt' }), { status: 200 });
      await subject.untilPictureIs(before);
      await subject.do({ action: 'launchApp', app: 'notes' });
      t.match(await push(subject, { root: 'app:notes', path: 'Note.txt' }, Buffer.from('Grüße')), {
        status: 200,
        body: { byteSize: 7 },
      });
      t.equal((await subject.app()).text, 'Grüße');
      t.same(await pull(subject, { root: 'app:notes', path: 'Note.txt' }), Buffer.from('Grüße'));
      for (const [root, path] of [
        ['app:notes', 'other'],
        ['app:settings', 'x'],
      ]) {
        t.match(await push(subject, { root, path }, Buffer.from('x')), {
          body: { error: { message: /came with the device/ } },
        });
      }
      await subject.do({ action: 'terminateApp', app: 'notes' });
    },
  },
  {
    title: 'a device without a way to its files says so',
    needs: ({ files }) => files !== true,
    async prove(t, subject) {
      const refused = { status: 422, body: { error: { code: 'unsupported_action' } } };
      t.match(await list(subject, {}), refused);
      t.match(await pull(subject, { path: 'x' }), refused);
      t.match(await push(subject, { path: 'x' }, Buffer.from('x')), refused);
      t.match(await remove(subject, { path: 'x' }), refused);
    },
  },
]);
