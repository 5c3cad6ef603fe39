import { Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from '../action-limits.ts';
import { AppId } from '../app.ts';
import { fault } from '../fault.ts';
import { defineAction } from './define-action.ts';

const bytesMax = ACTION_LIMITS.pushPayloadBytes;

/** As APNs has it: whatever else stands beside `aps` is the app's own. */
const Payload = Type.Object(
  {
    aps: Type.Object(
      {},
      {
        additionalProperties: true,
        words: 'an object',
        description:
          'What Apple defines: `alert`, a text or `{ title, body }`, `badge`, `sound`, `content-available` and others',
        examples: [{ alert: { title: 'Order 7', body: 'It is on its way' } }],
      },
    ),
  },
  {
    additionalProperties: true,
    words: 'an object with "aps"',
    description: `The payload as Apple Push Notification service takes it, of at most ${bytesMax} bytes of JSON in UTF-8`,
    examples: [{ aps: { alert: { title: 'Order 7', body: 'It is on its way' } }, order: 7 }],
  },
);

export const sendPush = defineAction({
  name: 'sendPush',
  summary: 'Deliver a push notification to an app that the session has brought',
  example: { app: 'com.example.shop', payload: { aps: { alert: { title: 'Order 7', body: 'It is on its way' } } } },
  fields: { app: AppId, payload: Payload },
  result: {
    app: AppId,
    shown: Type.Optional(
      Type.Boolean({
        description:
          'Whether the device shows it: without an alert, or where the app may not notify, it does not; absent where the device took ' +
          'it and tells nothing',
      }),
    ),
    readBack: Type.Boolean({ description: 'Whether the device itself told what came of it' }),
  },
  rules: ({ payload }) => {
    if (!isJson(payload)) return fault('payload', 'must be JSON');
    const { length } = new TextEncoder().encode(JSON.stringify(payload));
    return length > bytesMax ? fault('payload', `must be at most ${bytesMax} bytes of JSON`) : undefined;
  },
  // The copy is made of the text that devices get.
  complete: ({ app, payload }) => ({ app, payload: JSON.parse(JSON.stringify(payload)) as typeof payload }),
  absence: 'Android takes notifications from Firebase Cloud Messaging alone',
  long: true,
});

/** MessagePack has more: bytes, times, and numbers that are not finite. */
function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null)
    return ['string', 'boolean'].includes(typeof value) || value === null;
  if (Array.isArray(value)) return value.every(isJson);
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJson);
}
