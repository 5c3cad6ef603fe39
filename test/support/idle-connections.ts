/** Where the runtime keeps the connection pool of its `fetch`. */
const POOL = Symbol.for('undici.globalDispatcher.1');

/**
 * Ends the connections that `fetch` keeps open for later calls. A server in the same process would otherwise hold the
 * process for seconds after its last test. No `fetch` works afterwards.
 */
export async function closeIdleConnections(): Promise<void> {
  const pool = (globalThis as { readonly [key: symbol]: { close?(): Promise<void> } | undefined })[POOL];
  await pool?.close?.();
}
