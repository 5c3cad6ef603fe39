import type { Capabilities } from '../../client/sdk/index.ts';
import type { Certificate, CertifiedRow, DeviceFacts } from './certificate.ts';
import { evidenceOf } from './picture.ts';
import { APP_ROWS } from './rows/apps.ts';
import { BIOMETRIC_ROWS } from './rows/biometric.ts';
import { FILE_ROWS } from './rows/files.ts';
import { KEYBOARD_ROWS } from './rows/keyboard.ts';
import { LOCATION_ROWS } from './rows/location.ts';
import { LOG_ROWS } from './rows/logs.ts';
import { PERMISSION_ROWS } from './rows/permissions.ts';
import { PHOTO_ROWS } from './rows/photos.ts';
import { PUSH_ROWS } from './rows/push.ts';
import { RECORDING_ROWS } from './rows/recording.ts';
import { REQUEST_ROWS } from './rows/requests.ts';
import { NotOffered, type Row } from './rows/row.ts';
import { SCREEN_ROWS } from './rows/screen.ts';
import { FIRST_ROWS, LAST_ROWS } from './rows/sessions.ts';
import { SETTING_ROWS } from './rows/settings.ts';
import { SYSTEM_ROWS } from './rows/system.ts';
import { TOUCH_ROWS } from './rows/touches.ts';
import { type Ground, Subject } from './subject.ts';

/** In the order in which they are tried. */
export const ROWS: readonly Row[] = [
  ...FIRST_ROWS,
  ...TOUCH_ROWS,
  ...KEYBOARD_ROWS,
  ...REQUEST_ROWS,
  ...SCREEN_ROWS,
  ...RECORDING_ROWS,
  ...SYSTEM_ROWS,
  ...APP_ROWS,
  ...LOCATION_ROWS,
  ...SETTING_ROWS,
  ...PHOTO_ROWS,
  ...PERMISSION_ROWS,
  ...PUSH_ROWS,
  ...BIOMETRIC_ROWS,
  ...FILE_ROWS,
  ...LOG_ROWS,
  ...LAST_ROWS,
];

export interface CertifyOptions {
  /** As the settings name the device. */
  readonly entry: string;
  readonly versions: Certificate['versions'];
  readonly onRow: (row: CertifiedRow) => void;
}

/**
 * Tries every row on the device and judges it by the device's pictures. Resolves also when the device fails, or when the
 * signal ends the run early; the session is released in any case.
 */
export async function certify(ground: Ground, { entry, versions, onRow }: CertifyOptions): Promise<Certificate> {
  const startedAt = new Date();
  const startedMs = performance.now();
  const subject = new Subject(ground);
  const rows: CertifiedRow[] = [];
  const add = (row: CertifiedRow) => {
    rows.push(row);
    onRow(row);
  };
  let device: DeviceFacts | undefined;
  let can: Capabilities | undefined;
  try {
    for (const [index, row] of ROWS.entries()) {
      if (ground.signal.aborted) break;
      if (can && row.needs?.(can) === false) {
        add({ ...named(row), outcome: 'not offered', detail: 'the device does not offer it', durationMs: 0 });
        continue;
      }
      const tried = await tryRow(subject, row, index >= FIRST_ROWS.length);
      // A row that is interrupted says nothing of the device.
      if (ground.signal.aborted) break;
      add(tried);
      if (!subject.hasSession) break;
      device ??= factsOf(subject);
      can ??= subject.can;
    }
  } finally {
    // The service releases it otherwise when it ends.
    await subject.end().catch(() => undefined);
  }
  return {
    entry,
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(performance.now() - startedMs),
    versions,
    ...(device ? { device } : {}),
    passed: rows.length === ROWS.length && rows.every(({ outcome }) => outcome !== 'failed'),
    interrupted: ground.signal.aborted,
    rows,
    latencies: subject.measured.latencies,
  };
}

const named = ({ id, title }: Row) => ({ id, title });

async function tryRow(subject: Subject, row: Row, isPrepared: boolean): Promise<CertifiedRow> {
  const startedMs = performance.now();
  const ended = async (outcome: 'passed' | 'failed', detail: string): Promise<CertifiedRow> => {
    const durationMs = Math.round(performance.now() - startedMs);
    const picture = subject.picture && Buffer.from(await evidenceOf(subject.picture)).toString('base64');
    return { ...named(row), outcome, detail, durationMs, ...(picture ? { picture } : {}) };
  };
  try {
    if (!subject.hasSession) await subject.begin();
    if (isPrepared) await subject.prepare();
    return await ended('passed', await row.prove(subject));
  } catch (error) {
    if (error instanceof NotOffered) {
      return { ...named(row), outcome: 'not offered', detail: error.message, durationMs: 0 };
    }
    const failed = await ended('failed', error instanceof Error ? error.message : String(error));
    await subject.settle().catch(() => undefined);
    return failed;
  }
}

function factsOf({ session }: Subject): DeviceFacts {
  const { platform, device } = session.record;
  const { driver, model, osVersion, width, height, scale } = device;
  return { platform, driver, model, osVersion, width, height, scale };
}
