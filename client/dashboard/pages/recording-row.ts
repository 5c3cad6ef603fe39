import type { RecordingRecord, SessionRecord } from '@runcloud/protocol';
import { PLATFORM_NAMES } from '../../../protocol/platforms.ts';
import { routeTo } from '../../../protocol/routes/address.ts';
import { element } from '../../page/element.ts';
import { icon } from '../../page/icons.ts';
import { recordingPath, sessionTitle } from '../ui/session-words.ts';
import { dateAndTime, fromNow, size, span } from '../ui/words.ts';

/** A recording and its session. */
export interface Found {
  readonly session: SessionRecord;
  readonly recording: RecordingRecord;
}

/** States of a recording as people say them. */
export const RECORDING_STATUS: Readonly<Record<RecordingRecord['status'], string>> = {
  starting: 'Starting',
  recording: 'Recording now',
  finalizing: 'Finishing',
  ready: 'Ready',
  failed: 'Failed',
  deleting: 'Being deleted',
  deleted: 'Deleted',
};

/** A recording in a list. */
export function recordingRow(found: Found): HTMLElement {
  const { session, recording } = found;
  const { status, createdAt, durationMs, byteSize, downloadUrl, failure, retentionExpiresAt } = recording;
  const title = sessionTitle(session);
  const name = `${title}, ${dateAndTime(createdAt)}`;
  const path = recordingPath(session.id, recording.id);
  const facts = [
    PLATFORM_NAMES[session.platform],
    dateAndTime(createdAt),
    ...(durationMs === undefined ? [] : [span(durationMs)]),
    ...(byteSize === undefined ? [] : [size(byteSize)]),
    ...(retentionExpiresAt === undefined ? [] : [`expires ${fromNow(retentionExpiresAt)}`]),
  ];
  const text = element(
    'div',
    { class: 'main' },
    element('a', { href: path }, title),
    element('span', { class: 'quiet' }, facts.join(' · ')),
  );
  if (failure) {
    const remedy = failure.action ?? 'Record the session again.';
    const next = failure.nextAttemptAt === undefined ? '' : ` The next attempt is ${fromNow(failure.nextAttemptAt)}.`;
    text.append(element('p', { class: 'remedy' }, `${failure.message} ${remedy}${next}`));
  }
  const actions = element('div', { class: 'actions' });
  if (downloadUrl !== undefined) {
    actions.append(
      element('a', { class: 'button', href: path, 'aria-label': `Play ${name}` }, icon('play'), 'Play'),
      element(
        'a',
        { class: 'button', href: downloadUrl, download: '', 'aria-label': `Download ${name}` },
        icon('download'),
        'Download',
      ),
    );
  }
  const chip = element('span', { class: `chip ${status}` }, RECORDING_STATUS[status]);
  return element(
    'li',
    { class: 'row recording', 'data-recording': recording.id },
    posterOf(found, name),
    text,
    chip,
    actions,
  );
}

/** The address of the recording's poster, which is there when the recording is ready. */
export function posterAddress({ session, recording }: Found): string | undefined {
  if (recording.status !== 'ready') return undefined;
  const to = { platform: session.platform, sessionId: session.id, recordingId: recording.id };
  return routeTo('GET /service/{platform}/{sessionId}/recordings/{recordingId}/poster', to).path;
}

/** The poster, loaded when it comes into view; an icon in its place where there is none. The keyboard has the link beside it. */
function posterOf(found: Found, name: string): HTMLElement {
  const { session, recording } = found;
  const src = posterAddress(found);
  const place = element('a', {
    class: 'poster',
    href: recordingPath(session.id, recording.id),
    tabindex: '-1',
    'aria-label': `Poster of ${name}`,
  });
  const none = () => place.replaceChildren(icon('recordings'));
  if (src === undefined) none();
  else {
    const picture = element('img', { alt: '', loading: 'lazy', decoding: 'async' });
    picture.addEventListener('error', none);
    picture.src = src;
    place.append(picture);
  }
  return place;
}
