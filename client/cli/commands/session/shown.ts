import type { SessionRecord } from '../../../sdk/types.ts';
import type { View } from '../../cli.ts';
import { ageOf, spanOf } from '../../terminal/age.ts';
import { facts } from '../../terminal/facts.ts';
import { dim, type Line, type Span } from '../../terminal/line.ts';
import { statusSpan } from '../../terminal/status.ts';

/** A session without its signed address, which only `view` prints. */
export function shown({ url: _url, ...record }: SessionRecord): Omit<SessionRecord, 'url'> {
  return record;
}

/** One line for a program. */
export const lineOf = ({ id, platform, status, device }: SessionRecord): string =>
  `${id}  ${platform}  ${status}  ${deviceOf({ device })}`;

export const deviceOf = ({ device: { model, osVersion } }: Pick<SessionRecord, 'device'>): string =>
  `${model} (${osVersion})`;

/** When the session ends, or when it did. */
export const endOf = ({ releasedAt, expiresAt }: SessionRecord, nowMs: number): Span =>
  releasedAt === undefined ? ageOf(expiresAt, nowMs) : dim(ageOf(releasedAt, nowMs));

export const labelsOf = ({ labels }: SessionRecord): string =>
  Object.entries(labels ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

/** Everything of a session that a person asks for. */
export function sessionFacts(record: SessionRecord, { nowMs }: View): Line[] {
  const { id, platform, status, orientation, createdAt, releasedAt, releaseReason, installAssets = [] } = record;
  const labels = labelsOf(record);
  return facts({
    Session: id,
    Device: `${deviceOf(record)}, ${platform}, ${orientation}`,
    Status: statusSpan(status),
    Started: ageOf(createdAt, nowMs),
    Ends: releasedAt === undefined ? `${ageOf(record.expiresAt, nowMs)}${limitsOf(record)}` : undefined,
    Ended: releasedAt && `${ageOf(releasedAt, nowMs)}${releaseReason === undefined ? '' : ` (${releaseReason})`}`,
    Labels: labels === '' ? undefined : labels,
    Apps: installAssets.length === 0 ? undefined : installAssets.join(', '),
  });
}

const limitsOf = ({ inactivityTimeoutMs, hardTimeoutMs }: SessionRecord): string =>
  `, after ${spanOf(inactivityTimeoutMs)} without activity or ${spanOf(hardTimeoutMs)} in all`;
