import { CreateSession, checkCreateSession } from '../create-session.ts';
import { checkSessionListQuery, SessionListQuery } from '../queries.ts';
import { SessionList, SessionRecord } from '../session.ts';
import { byKey, get, jsonBody, post, query, remove } from './parts.ts';
import type { Route } from './route.ts';

const SESSIONS = '/service/sessions';
const SESSION = `${SESSIONS}/{sessionId}` as const;
const RECORD = { description: 'The session', schema: SessionRecord } as const;

export const SESSION_ROUTES = {
  createSession: {
    ...post(SESSIONS, 'Create a session; the answer comes when the device is ready', 'again'),
    description:
      'Leases a free device, and waits up to two minutes until it is ready. If all matching devices are leased, it ' +
      'answers 503 `simulator_capacity_unavailable` instead; that is safe to retry after `Retry-After`.',
    ...byKey('account'),
    headers: { 'Idempotency-Key': 'A repeated key returns the session that it created before' },
    body: jsonBody(CreateSession, checkCreateSession, 'invalid_session_request'),
    answers: { 200: { ...RECORD, description: 'The session that this Idempotency-Key created before' }, 201: RECORD },
  },
  listSessions: {
    ...get(SESSIONS, 'List sessions, newest first'),
    description: 'Ended sessions are listed for 30 days.',
    ...byKey('account'),
    query: query(SessionListQuery, checkSessionListQuery, 'invalid_session_request'),
    answers: { 200: { description: 'Newest first', schema: SessionList } },
  },
  getSession: {
    ...get(SESSION, 'Read a session, also after its end'),
    description: 'An ended session can be read for 30 days, and for as long as one of its recordings can.',
    ...byKey('session'),
    answers: { 200: RECORD },
  },
  deleteSession: {
    ...remove(SESSION, 'Release a session', 'at once'),
    description:
      "Answers when the session's work has ended and its recording is finalized. Repeating it answers the same record.",
    ...byKey('session'),
    answers: { 200: RECORD },
  },
  thumbnail: {
    ...get(`${SESSION}/thumbnail`, "Read a small JPEG of a session's display"),
    description:
      'For overviews of many sessions: captured at most once a second for all callers. Reading it is no activity of ' +
      'the session.',
    ...byKey('activeSession'),
    answers: {
      200: { description: 'A small JPEG of the display, at most a second old', mediaType: 'image/jpeg' },
      304: { description: 'The display has not changed since the ETag of If-None-Match' },
    },
  },
} as const satisfies Record<string, Route>;
