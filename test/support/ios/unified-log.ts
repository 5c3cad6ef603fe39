import type { XcrunAnswer } from './xcrun-answer.ts';

/** A message in the guest's log. */
export interface LoggedMessage {
  readonly atMs: number;
  readonly type: 'Default' | 'Info' | 'Debug' | 'Error' | 'Fault';
  readonly image: string;
  readonly pid: number;
  readonly text: string;
}

const LEVELS = ['default', 'info', 'debug'];
const LEVEL_OF: Readonly<Record<string, number>> = { Default: 0, Error: 0, Fault: 0, Info: 1, Debug: 2 };
const USAGE = { exitCode: 64, stderr: 'usage: log stream [<options>]\n' };

/** The unified log of a guest, and `log stream` as Apple's manual has it: what comes from now on, by a level. */
export class UnifiedLog {
  readonly #readers = new Map<() => void, (message: LoggedMessage) => void>();

  get readers(): number {
    return this.#readers.size;
  }

  write(message: Partial<LoggedMessage> & Pick<LoggedMessage, 'text'>): void {
    const whole: LoggedMessage = {
      ...{ atMs: Date.now(), type: 'Default', image: '/nowhere/SpringBoard.app/SpringBoard', pid: 4_711 },
      ...message,
    };
    for (const tell of this.#readers.values()) tell(whole);
  }

  /** Everything that reads ends. */
  restart(): void {
    for (const end of [...this.#readers.keys()]) end();
  }

  answer(words: readonly string[]): XcrunAnswer {
    const [program, verb, ...options] = words;
    if (program !== 'log' || verb !== 'stream') return USAGE;
    const option = (name: string) => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined);
    const level = LEVELS.indexOf(option('--level') ?? 'default');
    if (level < 0 || option('--style') !== 'ndjson') return USAGE;
    return { running: (say, gone) => this.#stream(level, say, gone) };
  }

  #stream(level: number, say: (out: string) => void, gone: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        this.#readers.delete(end);
        resolve();
      };
      const tell = (message: LoggedMessage) => {
        if ((LEVEL_OF[message.type] ?? 0) <= level) say(printed(message));
      };
      say(activity());
      tell({ atMs: Date.now(), type: 'Default', image: '/usr/libexec/logd', pid: 20, text: 'a client attached' });
      this.#readers.set(end, tell);
      gone.addEventListener('abort', end, { once: true });
    });
  }
}

/** The hour is that of a zone east of Greenwich. */
function stampOf(atMs: number): string {
  const [day, time] = new Date(atMs + 7_200_000).toISOString().slice(0, -1).split('T');
  return `${day} ${time}000+0200`;
}

const printed = ({ atMs, type, image, pid, text }: LoggedMessage): string =>
  line({
    traceID: 1_729_386_954_756,
    eventMessage: text,
    eventType: 'logEvent',
    source: null,
    formatString: '%{public}@',
    activityIdentifier: 0,
    subsystem: 'com.example',
    category: 'standin',
    threadID: 18_253,
    processImagePath: image,
    timestamp: stampOf(atMs),
    machTimestamp: 1_049_318_543_125,
    messageType: type,
    processID: pid,
    timezoneName: '',
  });

const activity = (): string =>
  line({ eventMessage: 'tap', eventType: 'activityCreateEvent', timestamp: stampOf(Date.now()), processID: 1 });

/** Slashes are escaped, as Foundation does. */
const line = (value: object): string => `${JSON.stringify(value).replaceAll('/', '\\/')}\n`;
