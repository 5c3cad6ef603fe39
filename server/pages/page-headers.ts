/** Headers of the pages. An origin reaches them only out of a checked record: it can break out of no directive. */

const SAFE = {
  'Content-Type': 'text/html; charset=utf-8',
  // The address holds a token: nobody keeps the page, and no other site learns where it was.
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * @param ownOrigin the origin of the server's pages; its sockets are the only place that the page may talk to
 * @param embedOrigins whose pages may frame the viewer, beside the server's own
 */
export function viewerHeaders(ownOrigin: string, embedOrigins: readonly string[]): Record<string, string> {
  const { host } = new URL(ownOrigin);
  const policy = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "worker-src 'self' blob:",
    // Not every browser takes 'self' to cover the sockets of the same host.
    `connect-src 'self' ws://${host} wss://${host}`,
    "base-uri 'none'",
    "form-action 'none'",
    ["frame-ancestors 'self'", ...embedOrigins].join(' '),
  ];
  return {
    ...SAFE,
    'Content-Security-Policy': policy.join('; '),
    'Permissions-Policy': 'clipboard-write=(self), fullscreen=(self)',
  };
}

/**
 * For a page that has nothing to take.
 *
 * @param ancestors who may frame it: by default everybody, since wherever a viewer was embedded it says there why it does
 * not show
 */
export function noticeHeaders(ancestors = '*'): Record<string, string> {
  const policy = ["default-src 'none'", "style-src 'self'", 'img-src data:', "base-uri 'none'", "form-action 'none'"];
  return { ...SAFE, 'Content-Security-Policy': [...policy, `frame-ancestors ${ancestors}`].join('; ') };
}

/** For the reference of the API, where a key can be entered to try an operation. */
export function referenceHeaders(): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return { ...SAFE, 'Content-Security-Policy': policy.join('; '), 'X-Frame-Options': 'DENY' };
}

/**
 * For the dashboard, which nobody may frame: a click in it can make a key.
 *
 * @param ownOrigin the origin of the server's pages, whose sockets show live pictures
 * @param storeOrigin the origin of the object store, which recordings are played from; absent where there is none
 */
export function dashboardHeaders(ownOrigin: string, storeOrigin?: string): Record<string, string> {
  const { host } = new URL(ownOrigin);
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    `media-src 'self'${storeOrigin === undefined ? '' : ` ${storeOrigin}`}`,
    `connect-src 'self' ws://${host} wss://${host}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ];
  return {
    ...SAFE,
    'Content-Security-Policy': policy.join('; '),
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'clipboard-write=(self), fullscreen=(self)',
  };
}
