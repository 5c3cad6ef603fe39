import type { Acknowledgement, SnapshotRecord } from '@runcloud/protocol';
import { conform } from './conform.ts';
import type { Subject } from './subject.ts';

const keep = (subject: Subject, name: string) => {
  const { server, session } = subject.stage;
  const path = `/service/${subject.platform}/${session.id}/snapshots`;
  return server.rest.call<SnapshotRecord & Acknowledgement>('POST', path, { name });
};

conform([
  {
    title: 'the state of the device is kept under a name',
    needs: ({ snapshots }) => snapshots === true,
    async prove(t, subject) {
      const { server, session } = subject.stage;
      const name = `kept-${session.id.slice(-8)}-${Date.now()}`;
      const { status, body } = await keep(subject, name);
      t.match([status, body], [201, { name, platform: subject.platform, model: session.device.model }]);
      t.equal((await server.rest.call('DELETE', `/service/snapshots/${name}`)).status, 200);
    },
  },
  {
    title: 'a device whose state cannot be kept refuses it, says why, and does not list it',
    needs: ({ snapshots }) => snapshots !== true,
    async prove(t, subject) {
      const { status, body } = await keep(subject, 'none');
      t.match(
        [status, body],
        [422, { error: { code: 'unsupported_action', message: /Snapshots are not supported by/ } }],
      );
      const { server } = subject.stage;
      t.equal((await server.rest.call('GET', '/service/snapshots/none')).status, 404);
    },
  },
]);
