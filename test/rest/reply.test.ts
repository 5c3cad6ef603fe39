import { type ErrorCode, ServiceError } from '@runcloud/protocol/terms';
import t from 'tap';
import { timestampNow } from '../../server/flow/timestamp.ts';
import { acknowledgementReply, failureReply, toServiceError } from '../../server/rest/reply.ts';
import { ManualClock } from '../account/manual-clock.ts';
import { envelopeFault } from '../support/envelope.ts';

const clock = new ManualClock();
const failure = (error: ServiceError, headers?: Record<string, string>) =>
  failureReply(error, { platform: 'ios', sessionId: 'ses_1' }, timestampNow(clock), clock, headers);

t.test('a failure is the envelope with what the request named, and is never stored', async (t) => {
  const { status, headers, body } = failure(new ServiceError('active_session_not_found'));
  t.equal(envelopeFault('active_session_not_found', status, String(body)), undefined);
  t.match(JSON.parse(String(body)), {
    platform: 'ios',
    sessionId: 'ses_1',
    error: { action: 'Create a new session.' },
  });
  t.same(headers, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
});

t.test('a status has the headers that belong to it', async (t) => {
  t.match(failure(new ServiceError('authentication_required')).headers, { 'WWW-Authenticate': 'Bearer' });
  t.match(failure(new ServiceError('upgrade_required')).headers, { Upgrade: 'websocket' });
  t.match(failure(new ServiceError('rate_limited', 'Slow.', { retryAfterSeconds: 7 })).headers, { 'Retry-After': '7' });
  t.match(failure(new ServiceError('method_not_allowed'), { Allow: 'GET' }).headers, { Allow: 'GET' });
  t.notOk(failure(new ServiceError('rate_limited')).headers?.['Retry-After'], 'no time is made up');
});

t.test('a fault of our own tells nothing of itself', async (t) => {
  const error = toServiceError(new TypeError('cannot read /srv/runcloud/secret.ts of rck_123'));
  const { status, body } = failure(error);
  t.equal(envelopeFault('internal_error', status, String(body)), undefined);
  t.notMatch(String(body), /secret|TypeError/);
});

t.test('an acknowledgement is answered with the status of its error code', async (t) => {
  const base = { requestId: 'a', acceptedAt: '', completedAt: '', durationMs: 0 };
  t.equal(acknowledgementReply({ ...base, ok: true, status: 'completed' }).status, 200);
  const error = (code: ErrorCode) => ({ code, message: '', retryable: false });
  t.equal(
    acknowledgementReply({ ...base, ok: false, status: 'timed_out', error: error('interaction_timeout') }).status,
    504,
  );
  t.equal(
    acknowledgementReply({ ...base, ok: false, status: 'cancelled', error: error('interaction_cancelled') }).status,
    409,
  );
});
