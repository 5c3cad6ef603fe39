import type { LineLevel, LineLog } from '../../server/observe/line-log.ts';

export interface KeptLine extends Readonly<Record<string, unknown>> {
  readonly level: string;
  readonly msg: string;
}

/** A log that is read by a test, at every level. */
export class KeptLines implements LineLog {
  readonly all: KeptLine[] = [];

  isLevelEnabled(): boolean {
    return true;
  }

  debug(fields: object, msg: string): void {
    this.#keep('debug', fields, msg);
  }

  info(fields: object, msg: string): void {
    this.#keep('info', fields, msg);
  }

  warn(fields: object, msg: string): void {
    this.#keep('warn', fields, msg);
  }

  #keep(level: LineLevel, fields: object, msg: string): void {
    this.all.push({ level, ...fields, msg });
  }
}
