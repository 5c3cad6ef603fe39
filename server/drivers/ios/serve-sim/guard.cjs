/**
 * Stands in front of the helper's own listeners. It takes a request of whoever knows the secret alone: a port of the loopback
 * interface is open to every user of this machine, and through a browser to every page (DNS rebinding).
 */
const { createHmac, timingSafeEqual } = require('node:crypto');

/** Events by which a server announces a request; the first argument is the request. */
const REQUESTS = new Set(['request', 'upgrade', 'connect', 'checkContinue', 'checkExpectation']);
/** Open without the secret: the program checks its own health here, and the answer tells nothing else. */
const OPEN = '/health';
const PROOF = /^\/runcloud-proof\/([0-9a-f]{32})$/;
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

const REFUSAL = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** The HMAC of `nonce`, which only a holder of the secret can compute. */
const proofOf = (secret, nonce) => createHmac('sha256', secret).update(nonce).digest('hex');

/** A name of this machine's own, with the port that was asked: a page that was rebound has another one. */
function isAddressed(request) {
  const [, name = '', port = ''] = /^(.*):(\d+)$/.exec(request.headers.host ?? '') ?? [];
  return LOOPBACK.has(name.toLowerCase()) && Number(port) === request.socket.localPort;
}

function knows(request, secret) {
  const [given, wanted] = [request.headers.authorization ?? '', `Bearer ${secret}`].map((text) =>
    createHmac('sha256', secret).update(text).digest(),
  );
  return timingSafeEqual(given, wanted);
}

const isTaken = (request, secret) =>
  request.headers.origin === undefined && isAddressed(request) && (request.url === OPEN || knows(request, secret));

function refuse(event, answer) {
  if (event === 'upgrade' || event === 'connect') return void answer.end(REFUSAL);
  answer.writeHead(403, { Connection: 'close' }).end();
}

/**
 * @param server a server, or the prototype of all
 * @param secret text; without one nothing is taken but the question whether it runs
 */
function guard(server, secret) {
  const { emit } = server;
  server.emit = function (event, ...values) {
    if (!REQUESTS.has(event)) return emit.call(this, event, ...values);
    const [request, answer] = values;
    const nonce = event === 'request' && isAddressed(request) ? PROOF.exec(request.url)?.[1] : undefined;
    if (nonce !== undefined) answer.end(proofOf(secret, nonce));
    else if (isTaken(request, secret)) return emit.call(this, event, ...values);
    else refuse(event, answer);
    return true;
  };
}

module.exports = { guard, proofOf };
