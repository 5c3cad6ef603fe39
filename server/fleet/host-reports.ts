import { compileCheck, faultSentence, RecordingDetails, SessionRecord } from '@runcloud/protocol';
import { placeIn } from '@runcloud/protocol/terms';
import { toRecordingDetails } from '../recording/recording-record.ts';
import { toSessionRecord } from '../session/session-record.ts';
import type { HostReport, HostSessionTable } from '../store/host-session-table.ts';
import type { KnownHost } from './edge-channels.ts';
import { type HostCalls, ownHead, textOf } from './host-calls.ts';
import type { OutboxPage } from './messages.ts';

export interface HostReportsOptions {
  readonly calls: HostCalls;
  readonly table: Pick<HostSessionTable, 'position' | 'keep'>;
  /** Runs a task that writes; it may run it again. */
  readonly commit: (task: () => void) => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

const OK = 200;

/** Takes from hosts what they have to tell: their sessions and recordings, as they are whenever something of them has changed. */
export class HostReports {
  readonly #options: HostReportsOptions;
  /** Names of the hosts that are asked now. */
  readonly #asked = new Set<string>();

  constructor(options: HostReportsOptions) {
    this.#options = options;
  }

  /** A host has said how far its outbox goes. Another edge may have asked it by now. */
  heard(host: KnownHost): void {
    const { table, onFault } = this.#options;
    const { place, outbox } = host.presence;
    if (outbox === undefined || this.#asked.has(host.name) || outbox === table.position(place)) return;
    this.#asked.add(host.name);
    this.#take(host, outbox)
      // A host that has gone is asked when it is back.
      .catch((error: unknown) => {
        if (!host.isAway) onFault(error);
      })
      .finally(() => this.#asked.delete(host.name));
  }

  /** @param newest the position that its outbox goes to */
  async #take(host: KnownHost, newest: number): Promise<void> {
    const { calls, table, commit, onFault } = this.#options;
    const { place } = host.presence;
    for (let more = true; more; ) {
      const known = table.position(place);
      // A host that has told more than it has is one whose data are of an earlier day.
      const after = known > newest ? 0 : known;
      const reply = await calls.call(host, ownHead('outbox'), { body: Buffer.from(String(after)) });
      if (reply.status !== OK) throw new Error(`a host did not tell what it has: ${reply.status}`);
      const page = JSON.parse(await textOf(reply)) as OutboxPage;
      const good = page.reports.filter((report) => {
        const fault = faultOf(report, place);
        if (fault !== undefined) onFault(new Error(`the host ${host.name} told of ${report.row?.id}: ${fault}`));
        return fault === undefined;
      });
      await commit(() => {
        if (table.position(place) === known) table.keep(place, good, page.position);
      });
      more = page.more;
    }
  }
}

const checkSession = compileCheck(SessionRecord);
const checkRecording = compileCheck(RecordingDetails);

/** Why clients cannot be answered from a report. A host tells only of what it has made. */
function faultOf(report: HostReport, place: string): string | undefined {
  try {
    if (placeIn(report.row.id) !== place) return 'it is not of this host';
    if (report.kind === 'session') {
      const fault = checkSession(toSessionRecord(report.row, 'http://host', report.row.expiresAtMs));
      return fault && faultSentence(fault);
    }
    if (placeIn(report.row.sessionId) !== place) return 'its session is not of this host';
    const fault = checkRecording(toRecordingDetails(report.row, report.events));
    return fault && faultSentence(fault);
  } catch (error) {
    return String(error);
  }
}
