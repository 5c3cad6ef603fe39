import {
  CreateSession,
  checkCreateSession,
  checkSessionListQuery,
  SessionList,
  SessionListQuery,
  SessionRecord,
} from '../session.ts';
import {
  CreatedViewerLink,
  CreateViewerLink,
  checkCreateViewerLink,
  RevokedViewerLink,
  ViewerLinkList,
} from '../viewer-link.ts';
import { byKey, get, jsonBody, LIST_QUERY, post, query, remove } from './parts.ts';
import type { Route } from './route.ts';

const SESSIONS = '/service/sessions';
const SESSION = `${SESSIONS}/{sessionId}` as const;
const VIEWER_LINKS = `${SESSION}/viewer-links` as const;
const RECORD = { description: 'The session', schema: SessionRecord } as const;

export const SESSION_ROUTES = {
  createSession: {
    ...post(SESSIONS, 'Create a session; answers when the device is usable', 'again'),
    ...byKey('account'),
    headers: { 'Idempotency-Key': 'The same key again gives the session that it made before' },
    body: jsonBody(CreateSession, checkCreateSession, 'invalid_session_request'),
    answers: { 200: { ...RECORD, description: 'The session that this Idempotency-Key made before' }, 201: RECORD },
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
    ...post(VIEWER_LINKS, 'Make a link that shows, or controls, an active session', 'again'),
    ...byKey('activeSession'),
    body: jsonBody(CreateViewerLink, checkCreateViewerLink),
    answers: { 201: { description: 'The link; its address is shown this once', schema: CreatedViewerLink } },
  },
  listViewerLinks: {
    ...get(VIEWER_LINKS, "List a session's live viewer links, newest first"),
    ...byKey('activeSession'),
    query: LIST_QUERY,
    answers: { 200: { description: 'The links that open the session now', schema: ViewerLinkList } },
  },
  revokeViewerLink: {
    ...remove(`${VIEWER_LINKS}/{linkId}`, 'Revoke a viewer link; its sockets close', 'again'),
    ...byKey('activeSession'),
    answers: { 200: { description: 'The link is revoked', schema: RevokedViewerLink } },
  },
  thumbnail: {
    ...get(`${SESSION}/thumbnail`, "Read a small JPEG of a session's display"),
    ...byKey('activeSession'),
    answers: {
      200: { description: 'The display as a small picture, at most a second old', mediaType: 'image/jpeg' },
      304: { description: 'The display has not changed since the ETag of If-None-Match' },
    },
  },
} as const satisfies Record<string, Route>;
