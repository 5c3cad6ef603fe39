/**
 * Loaded into the helper before its own code: whatever it listens on, it listens for this machine alone. It asks for no
 * password and would otherwise let the whole network in.
 */
const { Server } = require('node:net');

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
