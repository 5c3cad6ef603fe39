/** Where the runtime keeps the connection pool of its `fetch`. */
const POOL = Symbol.for('undici.globalDispatcher.1');

interface Pool {
  destroy(): Promise<void>;
}

/**
 * Ends the connections that `fetch` keeps open, for later calls or for bodies that nobody reads; later calls use new ones. A
 * server in the same process would otherwise hold the process for seconds after its last test.
 */
export async function closeIdleConnections(): Promise<void> {
  const runtime = globalThis as { [key: symbol]: Pool | undefined };
  const pool = runtime[POOL];
  if (!pool) return;
  runtime[POOL] = new (pool.constructor as new () => Pool)();
  await pool.destroy();
}
