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

/** Who answers a row's requests, and what they are. */
export interface RequestPlan {
  readonly server: ServerProcess;
  readonly target: LoadTarget;
  readonly template: RequestTemplate;
}

/** The servers of a scenario and the process that all its load comes from. */
export interface RequestBed<Row extends RequestRow> {
  readonly load: LoadProcess;
  /** One job of a row; no request id comes twice in the life of the bed. */
  plan(row: Row): RequestPlan;
  close(): Promise<void>;
}

export const rowName = (subject: string, load: string): string => `${subject}, ${load}`;
