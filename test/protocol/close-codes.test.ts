import t from 'tap';
import { CLOSE } from '../../protocol/terms.ts';

t.test('the close codes are these', async (t) => {
  t.strictSame(CLOSE, {
    normal: { code: 1000, reason: 'closed by the client', reconnect: false },
    draining: { code: 1001, reason: 'server is draining', reconnect: true },
    text: { code: 1003, reason: 'messages are binary', reconnect: false },
    undecodable: { code: 1007, reason: 'message cannot be decoded', reconnect: false },
    policy: { code: 1008, reason: 'too many refused messages', reconnect: false },
    tooLarge: { code: 1009, reason: 'message is too large', reconnect: false },
    fault: { code: 1011, reason: 'server fault', reconnect: true },
    revoked: { code: 4401, reason: 'key revoked or token expired', reconnect: false },
    ended: { code: 4404, reason: 'session ended', reconnect: false },
    notReading: { code: 4408, reason: 'client does not read', reconnect: true },
    moved: { code: 4409, reason: 'connection goes on over another socket', reconnect: true },
  });
});

t.test('every reason fits into a close frame', async (t) => {
  // RFC 6455, section 5.5: a control frame carries 125 bytes, two of them the code.
  for (const { reason } of Object.values(CLOSE)) t.ok(new TextEncoder().encode(reason).byteLength <= 123, reason);
});
