import type { LoadMode, LoadTarget, RequestTemplate } from '../../load/job.ts';
import type { LoadProcess } from '../../processes/load-process.ts';
import type { ServerProcess } from '../../processes/server-process.ts';

/** One line of a table of requests: a subject under one kind of load. */
export interface RequestRow {
  readonly name: string;
  readonly subject: string;
  readonly load: string;
  readonly mode: LoadMode;
}

/** The server of a row, and the requests that are sent to it. */
export interface RequestPlan {
  readonly server: ServerProcess;
  readonly target: LoadTarget;
  readonly template: RequestTemplate;
}

/** The servers of a scenario and the process that generates its load. */
export interface RequestBed<Row extends RequestRow> {
  readonly load: LoadProcess;
  /** Plans one job of a row; every request id is unique in the life of the bed. */
  plan(row: Row): RequestPlan;
  close(): Promise<void>;
}

export const rowName = (subject: string, load: string): string => `${subject}, ${load}`;
