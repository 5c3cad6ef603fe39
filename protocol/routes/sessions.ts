import { CreateSession, checkCreateSession } from '../create-session.ts';
import { CreateViewerLink, checkCreateViewerLink } from '../create-viewer-link.ts';
import { checkSessionListQuery, SessionListQuery } from '../list-queries.ts';
import { SessionList, SessionRecord } from '../session.ts';
import { CreatedViewerLink, RevokedViewerLink, ViewerLinkList } from '../viewer-link.ts';
import { byKey, get, jsonBody, LIST_QUERY, post, query, remove } from './parts.ts';
import type { Route } from './route.ts';

const SESSIONS = '/service/sessions';
const SESSION = `${SESSIONS}/{sessionId}` as const;
const VIEWER_LINKS = `${SESSION}/viewer-links` as const;
const RECORD = { description: 'The session', schema: SessionRecord } as const;

export const SESSION_ROUTES = {
  createSession: {
    ...post(SESSIONS, 'Create a session; the answer comes when the device is ready', 'again'),
    ...byKey('account'),
    headers: { 'Idempotency-Key': 'A repeated key returns the session that it created before' },
    body: jsonBody(CreateSession, checkCreateSession, 'invalid_session_request'),
    answers: { 200: { ...RECORD, description: 'The session that this Idempotency-Key created before' }, 201: RECORD },
  },
  listSessions: {
    ...get(SESSIONS, 'List sessions, newest first'),
    ...byKey('account'),
    query: query(SessionListQuery, checkSessionListQuery, 'invalid_session_request'),
    answers: { 200: { description: 'Newest first', schema: SessionList } },
  },
  getSession: {
    ...get(SESSION, 'Read a session, also after its end'),
    ...byKey('session'),
    answers: { 200: RECORD },
  },
  deleteSession: {
    ...remove(SESSION, 'Release a session', 'at once'),
    ...byKey('session'),
    answers: { 200: RECORD },
  },
  createViewerLink: {
    ...post(VIEWER_LINKS, 'Create a link that shows or controls an active session', 'again'),
    ...byKey('activeSession'),
    body: jsonBody(CreateViewerLink, checkCreateViewerLink),
    answers: { 201: { description: 'The link; no later answer contains its url', schema: CreatedViewerLink } },
  },
  listViewerLinks: {
    ...get(VIEWER_LINKS, "List a session's valid viewer links, newest first"),
    ...byKey('activeSession'),
    query: LIST_QUERY,
    answers: { 200: { description: 'The links that are neither revoked nor expired', schema: ViewerLinkList } },
  },
  revokeViewerLink: {
    ...remove(`${VIEWER_LINKS}/{linkId}`, 'Revoke a viewer link and close its sockets', 'again'),
    ...byKey('activeSession'),
    answers: { 200: { description: 'The link is revoked', schema: RevokedViewerLink } },
  },
  thumbnail: {
    ...get(`${SESSION}/thumbnail`, "Read a small JPEG of a session's display"),
    ...byKey('activeSession'),
    answers: {
      200: { description: 'A small JPEG of the display, at most a second old', mediaType: 'image/jpeg' },
      304: { description: 'The display has not changed since the ETag of If-None-Match' },
    },
  },
} as const satisfies Record<string, Route>;
