import type { SessionRecord } from '@runcloud/protocol';

/** Characters of an id that tell one session from another for a person. */
const SHORT_ID = 6;

const shortId = ({ id }: Pick<SessionRecord, 'id'>): string => id.replace(/^ses_/, '').slice(0, SHORT_ID);

type Named = Pick<SessionRecord, 'id' | 'device' | 'labels'>;

/** The label `name`, if the session has one, else its model; and the beginning of its id, since models repeat. */
export function sessionName({ id, device, labels }: Named): string {
  return `${labels.name ?? device.model} · ${shortId({ id })}`;
}

/** The session's name for a place that shows no labels beside it: what its owner called it, where they did. */
export function sessionTitle(session: Named): string {
  const { name, ...others } = session.labels;
  const words = Object.entries(others).map(([label, value]) => `${label}: ${value}`);
  return name === undefined && words.length > 0 ? `${words.join(', ')} · ${shortId(session)}` : sessionName(session);
}

export const sessionPath = (id: string): string => `/dashboard/sessions/${id}`;

export const recordingPath = (sessionId: string, recordingId: string): string =>
  `/dashboard/recordings/${recordingId}?session=${sessionId}`;

/** How a session came to its end, as people say it. */
const ENDINGS: Readonly<Record<string, string>> = {
  requested: 'Released',
  inactivity_timeout: 'Ended: inactivity timeout',
  hard_timeout: 'Ended: maximum duration reached',
  server_stopped: 'Ended: the service was stopped',
  server_restarted: 'Ended: the service was restarted',
  host_removed: 'Failed: its host was removed',
  device_lost: 'Failed: its device was lost',
  device_unresponsive: 'Failed: its device did not respond',
};

export const endingText = (releaseReason = ''): string => ENDINGS[releaseReason] ?? 'Ended';
