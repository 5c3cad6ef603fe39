/** Collects exceptions that nobody caught, from now until they are asked for. */
export function watchFaults(): () => unknown[] {
  const faults: unknown[] = [];
  const note = (fault: unknown) => {
    faults.push(fault);
  };
  process.on('uncaughtExceptionMonitor', note);
  process.on('unhandledRejection', note);
  return () => {
    process.off('uncaughtExceptionMonitor', note);
    process.off('unhandledRejection', note);
    return faults;
  };
}
