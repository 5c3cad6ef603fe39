import { Counter, Gauge, Registry } from 'prom-client';
import { DurationHistogram } from './duration-histogram.ts';
import { type FleetFigures, publishFleet } from './fleet-metrics.ts';
import { ForwardMetrics } from './forward-metrics.ts';
import { LabelSeries } from './label-series.ts';
import { type ScreenFigures, ScreenMetrics } from './screen-metrics.ts';

const zero = () => ({ value: 0 });

/** Bytes buffered in this process because clients have not read them yet. */
export interface Buffered {
  readonly total: number;
  /** Bytes of the socket with the most. */
  readonly largest: number;
}

/** How the history is doing. */
export interface HistoryFigures {
  readonly isWriting: boolean;
  /** Requests that it could not keep. */
  readonly lost: number;
}

/**
 * The metrics for Prometheus. Events only increment plain numbers, which are published when the metrics are read.
 * Label values come from closed sets (platforms, actions, statuses, route templates), never from what a caller sent,
 * so that the number of series stays bounded.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #sessions = new LabelSeries(zero);
  readonly #interactions = new LabelSeries(zero);
  readonly #requests = new LabelSeries(zero);
  readonly #recordings = new LabelSeries(zero);
  readonly #durations = new DurationHistogram(
    'runcloud_interaction_duration_seconds',
    'From the acceptance of an interaction to its acknowledgement',
    ['platform', 'action'],
  );
  readonly #screens;
  #forwarded: ForwardMetrics | undefined;
  readonly #resumes = { true: 0, false: 0 };
  #sockets = 0;
  #buffered: () => Buffered = () => ({ total: 0, largest: 0 });
  #history: () => HistoryFigures = () => ({ isWriting: true, lost: 0 });

  constructor() {
    const registers = [this.#registry];
    const sessions = this.#sessions;
    const interactions = this.#interactions;
    const requests = this.#requests;
    const recordings = this.#recordings;
    const socketsOpen = () => this.#sockets;

    new Gauge({
      name: 'runcloud_sessions_active',
      help: 'Sessions that hold a device',
      labelNames: ['platform'],
      registers,
      collect() {
        for (const [platform, , , count] of sessions) this.set({ platform }, count.value);
      },
    });
    new Gauge({
      name: 'runcloud_sockets_open',
      help: 'Open control sockets',
      registers,
      collect() {
        this.set(socketsOpen());
      },
    });
    const resumes = this.#resumes;
    new Counter({
      name: 'runcloud_socket_resumes_total',
      help: 'Lost connections that clients asked to go on with, and whether that was possible',
      labelNames: ['resumed'],
      registers,
      collect() {
        this.reset();
        for (const resumed of [true, false] as const) this.inc({ resumed: String(resumed) }, resumes[`${resumed}`]);
      },
    });
    const buffered = () => this.#buffered();
    new Gauge({
      name: 'runcloud_sockets_buffered_bytes',
      help: 'Bytes that wait for the clients of control sockets to read',
      registers,
      collect() {
        this.set(buffered().total);
      },
    });
    new Gauge({
      name: 'runcloud_sockets_buffered_bytes_max',
      help: 'The same of the one socket that has the most',
      registers,
      collect() {
        this.set(buffered().largest);
      },
    });
    const history = () => this.#history();
    new Gauge({
      name: 'runcloud_history_writing',
      help: '1 while the history of sessions is written; 0 while its storage takes nothing',
      registers,
      collect() {
        this.set(history().isWriting ? 1 : 0);
      },
    });
    new Counter({
      name: 'runcloud_history_lost_total',
      help: 'Requests that the history of sessions could not keep',
      registers,
      collect() {
        this.reset();
        this.inc(history().lost);
      },
    });
    new Counter({
      name: 'runcloud_interactions_total',
      help: 'Interactions that ended, by how they ended',
      labelNames: ['platform', 'action', 'status'],
      registers,
      collect() {
        this.reset();
        for (const [platform, action, status, count] of interactions) {
          this.inc({ platform, action, status }, count.value);
        }
      },
    });
    this.#screens = new ScreenMetrics(this.#registry);
    new Counter({
      name: 'runcloud_recordings_total',
      help: 'Recordings that reached a status',
      labelNames: ['platform', 'status'],
      registers,
      collect() {
        this.reset();
        for (const [platform, status, , count] of recordings) this.inc({ platform, status }, count.value);
      },
    });
    new Counter({
      name: 'runcloud_http_requests_total',
      help: 'Answered HTTP requests, by route template and status code',
      labelNames: ['route', 'status'],
      registers,
      collect() {
        this.reset();
        for (const [route, status, , count] of requests) this.inc({ route, status }, count.value);
      },
    });
  }

  /** @param status new status of a recording */
  recordingMoved(platform: string, status: string): void {
    this.#recordings.at(platform, status).value += 1;
  }

  sessionStarted(platform: string): void {
    this.#sessions.at(platform).value += 1;
  }

  sessionEnded(platform: string): void {
    this.#sessions.at(platform).value -= 1;
  }

  interactionEnded(platform: string, action: string, status: string, durationMs: number): void {
    this.#interactions.at(platform, action, status).value += 1;
    this.#durations.record(durationMs, platform, action);
  }

  socketOpened(): void {
    this.#sockets += 1;
  }

  socketClosed(): void {
    this.#sockets -= 1;
  }

  resumeAsked(resumed: boolean): void {
    this.#resumes[`${resumed}`] += 1;
  }

  /** How to read, at each look, what waits in the sockets. */
  watchBuffered(read: () => Buffered): void {
    this.#buffered = read;
  }

  /** How to read, at each look, how the history is doing. */
  watchHistory(read: () => HistoryFigures): void {
    this.#history = read;
  }

  /** On an edge: how to read, at each look, how its fleet is doing. */
  watchFleet(read: () => FleetFigures): void {
    publishFleet(this.#registry, read);
  }

  /** On an edge: the metrics of what it passes on. */
  forwarding(): ForwardMetrics {
    this.#forwarded ??= new ForwardMetrics(this.#registry);
    return this.#forwarded;
  }

  /** The figures of all live screens of this encoding, to be moved in place. */
  screens(encoding: string): ScreenFigures {
    return this.#screens.of(encoding);
  }

  /** `route` is the template, as in `/service/sessions/{id}`. */
  requestAnswered(route: string, status: number): void {
    this.#requests.at(route, status).value += 1;
  }

  /** The media type of `text()`. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All metrics in the Prometheus text format. */
  async text(): Promise<string> {
    return `${await this.#registry.metrics()}\n${this.#durations.text()}${this.#forwarded?.text() ?? ''}`;
  }
}
