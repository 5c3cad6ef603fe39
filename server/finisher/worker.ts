import { parentPort, workerData } from 'node:worker_threads';
import { serveFinisher } from '../link/finisher-side.ts';
import type { ObjectStoreSettings, StoreOrder } from '../link/recording-messages.ts';
import { portToGateway } from '../link/worker-port.ts';
import { finish } from './finish.ts';
import { ObjectStore } from './object-store.ts';
import { makePoster } from './poster.ts';
import { verify } from './verify.ts';

/**
 * Entry of the finisher thread, which reads and hashes whole files and carries them to the object store, so that sockets and devices do not
 * wait for that.
 */
if (!parentPort) throw new Error('finisher/worker.ts runs as a worker thread');
// The library of the store warns of the end of a Node.js version; README says which ones the service runs on.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
const objects =
  typeof workerData === 'string' ? new ObjectStore(JSON.parse(workerData) as ObjectStoreSettings) : undefined;
serveFinisher(portToGateway(parentPort), { finish, verify, makePoster, store });

async function store(order: StoreOrder): Promise<string | undefined> {
  if (!objects) throw new Error('there is no object store');
  switch (order.act) {
    case 'put':
      return void (await objects.put(order.object));
    case 'get':
      return void (await objects.get(order.object));
    case 'refer':
      return objects.refer(order.object);
    case 'delete':
      return void (await objects.delete(order.key));
    case 'reach':
      return void (await objects.reach());
  }
}
