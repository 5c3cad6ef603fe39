import Fastify from 'fastify';
import { controlAnswer, controlReady } from '../controls/control-process.ts';
import { startDeviceThread } from './device-thread.mjs';

/**
 * The same route on Fastify, as its documentation recommends: with compiled schemas of body and answer, and without a log.
 * https://fastify.dev/docs/latest/Reference/Validation-and-Serialization/
 * With `DEVICE_THREAD` a tap is answered once another thread has taken it.
 */
const answer = JSON.parse(Buffer.from(controlAnswer()).toString());

/** JSON schema of a value, for the compiled serializer. */
function schemaOf(value) {
  if (Array.isArray(value)) return { type: 'array', items: value.length > 0 ? schemaOf(value[0]) : {} };
  if (typeof value === 'object' && value !== null) {
    const properties = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, schemaOf(each)]));
    return { type: 'object', properties };
  }
  return { type: typeof value };
}

const body = {
  type: 'object',
  required: ['requestId', 'action', 'x', 'y'],
  properties: {
    requestId: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,128}$' },
    action: { type: 'string', const: 'tap' },
    x: { type: 'number', minimum: 0, maximum: 1 },
    y: { type: 'number', minimum: 0, maximum: 1 },
  },
};
const response = { 200: schemaOf(answer) };

const performTap = process.env.DEVICE_THREAD ? startDeviceThread() : undefined;
const app = Fastify();
app.post('/service/:platform/:sessionId/interactions', { schema: { body, response } }, async ({ body }) => {
  await performTap?.(body);
  return { ...answer, requestId: body.requestId };
});
app.get('/service/sessions/:sessionId', { schema: { response } }, async () => answer);
await app.listen({ host: '127.0.0.1', port: 0 });
controlReady('Fastify', app.server.address().port);
