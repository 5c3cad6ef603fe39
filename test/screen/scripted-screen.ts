import { readScreenHeader, type ScreenHeader } from '@runcloud/protocol/terms';
import type { PictureSink } from '../../server/link/host-link.ts';
import type { ScreenProfile, StreamPicture } from '../../server/link/messages.ts';
import { noScreenFigures } from '../../server/observe/screen-metrics.ts';
import { ScreenFanOut } from '../../server/screen/screen-fan-out.ts';
import { SendScheduler } from '../../server/screen/send-scheduler.ts';
import type { PacketSink } from '../../server/screen/stream-viewer.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { DESCRIPTOR } from '../support/scripted-device.ts';

/** A stream of the device that shows what the test says. */
export interface ScriptedStream {
  readonly profile: ScreenProfile;
  readonly listener: PictureSink;
  keysAsked: number;
  /** The bounds of its rate that it was told. */
  readonly bounds: (number | undefined)[];
  stopped: boolean;
}

/** A sink that keeps what it is told. */
export class FakeSink implements PacketSink {
  bufferedBytes = 0;
  readonly packets: ScreenHeader[] = [];
  readonly formats: Pick<StreamPicture, 'encoding' | 'width' | 'height' | 'display'>[] = [];
  readonly endings: string[] = [];
  readonly failures: unknown[] = [];
  /** Called for each packet before it is stored. */
  onPacket: (header: ScreenHeader) => void = () => undefined;
  takes = true;

  started({ encoding, width, height, display }: StreamPicture): void {
    this.formats.push({ encoding, width, height, ...(display === undefined ? {} : { display }) });
  }

  packet(bytes: Uint8Array): boolean {
    const header = readScreenHeader(bytes);
    if (!header) throw new Error('no screen packet');
    this.onPacket(header);
    if (this.takes) this.packets.push(header);
    return this.takes;
  }

  ended(reason: string): void {
    this.endings.push(reason);
  }

  failed(error: unknown): void {
    this.failures.push(error);
  }

  get sequence(): number[] {
    return this.packets.map(({ seq }) => seq);
  }

  get inputs(): number[] {
    return this.packets.map(({ inputSeq }) => inputSeq);
  }
}

/** A fan-out on a scripted device, with a clock that stands still and slices that run when the test says. */
export function openScreens({ msPerSend = 0 } = {}) {
  const clock = new FakeClock();
  const streams: ScriptedStream[] = [];
  const deferred: (() => void)[] = [];
  const figures = noScreenFigures();
  let nowMs = 0;
  const scheduler = new SendScheduler({
    nowMs: () => {
      nowMs += msPerSend;
      return nowMs;
    },
    defer: (task) => void deferred.push(task),
  });
  const device = {
    descriptor: DESCRIPTOR,
    watch: (profile: ScreenProfile, listener: PictureSink) => {
      const stream: ScriptedStream = { profile, listener, keysAsked: 0, bounds: [], stopped: false };
      streams.push(stream);
      return {
        requestKey: () => void stream.keysAsked++,
        boundRate: (bytesPerMs: number | undefined) => void stream.bounds.push(bytesPerMs),
        stop: () => {
          stream.stopped = true;
        },
      };
    },
  };
  return {
    clock,
    streams,
    figures,
    screens: new ScreenFanOut({ device, clock, scheduler, figures: () => figures }),
    /** The event loop goes round once; tells whether slices were left. */
    turnLoop(): boolean {
      const tasks = deferred.splice(0);
      for (const task of tasks) task();
      return tasks.length > 0;
    },
  };
}
