import { get } from './parts.ts';
import type { Route } from './route.ts';

const TEXT = { description: 'Plain text', mediaType: 'text/plain' } as const;
const PAGE = { description: 'An HTML page', mediaType: 'text/html' } as const;
const DASHBOARD = {
  200: PAGE,
  307: { description: "Redirects to the service's own origin; only for browsers on the service's machine" },
} as const;
const DASHBOARD_BELOW = {
  ...DASHBOARD,
  404: { description: 'There is no such page: said by the dashboard, and in JSON to programs', mediaType: '*/*' },
} as const;

/** Routes without a credential: probes, the OpenAPI document and pages. */
export const PAGE_ROUTES = {
  health: {
    ...get('/healthz', 'Check that the process is alive'),
    description: 'For a supervisor that restarts the process.',
    credential: 'none',
    unmetered: true,
    answers: { 200: TEXT },
  },
  ready: {
    ...get('/readyz', 'Check that the service accepts new work'),
    description: 'For a load balancer. Answers 503 with the reason while the service starts, drains or cannot store.',
    credential: 'none',
    unmetered: true,
    answers: { 200: TEXT, 503: TEXT },
  },
  metrics: {
    ...get('/metrics', 'Read the metrics in the format of Prometheus'),
    description: 'Counts and durations for a Prometheus server.',
    credential: 'none',
    answers: { 200: TEXT },
  },
  openapi: {
    ...get('/openapi.json', 'Read the description of these routes (OpenAPI 3.1)'),
    description: 'Made from the schemas that check requests and answers. `GET /docs` shows it as a page.',
    credential: 'none',
    answers: { 200: { description: 'A JSON object', mediaType: 'application/json' } },
  },
  viewerPage: {
    ...get('/view/{sessionId}', "Show the viewer page of a session; the session's url leads here"),
    internal: true,
    credential: 'viewerToken',
    answers: {
      200: { ...PAGE, description: 'The viewer' },
      401: { ...PAGE, description: 'The token is invalid, expired or revoked' },
      410: { ...PAGE, description: 'The session has ended' },
    },
  },
  viewerFile: {
    ...get('/viewer/{file}', 'Read a script or a style sheet of the viewer page or of a page that embeds it'),
    internal: true,
    credential: 'none',
    answers: {
      200: { description: 'The script or the style sheet', mediaType: '*/*' },
      304: { description: 'The file has not changed since the ETag of If-None-Match' },
    },
  },
  reference: {
    ...get('/docs', 'Show the reference of the API'),
    internal: true,
    credential: 'none',
    answers: { 200: PAGE },
  },
  home: {
    ...get('/', 'Show the page that starts a phone'),
    internal: true,
    credential: 'none',
    answers: DASHBOARD,
  },
  dashboardPage: {
    ...get('/dashboard', 'Show the dashboard'),
    internal: true,
    credential: 'none',
    answers: DASHBOARD,
  },
  dashboardSubpage: {
    ...get('/dashboard/{page}', 'Show a page of the dashboard'),
    internal: true,
    credential: 'none',
    answers: DASHBOARD_BELOW,
  },
  dashboardItem: {
    ...get('/dashboard/{page}/{item}', "Show the dashboard's page of one session or recording"),
    internal: true,
    credential: 'none',
    answers: DASHBOARD_BELOW,
  },
} as const satisfies Record<string, Route>;
