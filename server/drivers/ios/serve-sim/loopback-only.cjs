/**
 * Loaded into the helper before its own code: whatever it listens on, it listens for this machine alone, and for who knows
 * the secret. It asks for no password and would otherwise accept the whole network.
 */
const { randomBytes } = require('node:crypto');
const http = require('node:http');
const { Server } = require('node:net');
const { guard } = require('./guard.cjs');

const listen = Server.prototype.listen;

Server.prototype.listen = function (...args) {
  const [first, second] = args;
  if (typeof first === 'object' && first !== null && 'port' in first) args[0] = { ...first, host: '127.0.0.1' };
  else if (typeof first === 'number' || (typeof first === 'string' && /^\d+$/.test(first))) {
    if (typeof second === 'string') args[1] = '127.0.0.1';
    else args.splice(1, 0, '127.0.0.1');
  }
  return listen.apply(this, args);
};

// One that was told none is known to nobody.
guard(http.Server.prototype, process.env.RUNCLOUD_HELPER_SECRET || randomBytes(32).toString('hex'));
