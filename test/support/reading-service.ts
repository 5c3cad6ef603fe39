import { systemClock } from '../../server/flow/clock.ts';
import { PackageReader } from '../../server/link/package-reader.ts';
import { startPackageLauncher, startPackageProcess } from '../../server/packages/package-process.ts';

/** A service that reads one package, named on its command line, and says when the process that does so is there. */
const launcher = startPackageLauncher({ clock: systemClock, onLost: () => undefined });
const spawn = () => {
  const port = startPackageProcess(launcher);
  return {
    ...port,
    onReceive: (listener: Parameters<typeof port.onReceive>[0]) =>
      port.onReceive((batch) => {
        listener(batch);
        if (batch.some(({ kind }) => kind === 'ready')) process.stdout.write('reading\n');
      }),
  };
};
const reader = new PackageReader({ spawn, clock: systemClock, onCrash: () => undefined });
void reader.read('acme', process.argv[2] ?? '', 1).catch(() => undefined);
