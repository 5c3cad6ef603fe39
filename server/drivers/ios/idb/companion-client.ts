import { fileURLToPath } from 'node:url';
import type { ClientDuplexStream, ClientUnaryCall, ClientWritableStream, ServiceError } from '@grpc/grpc-js';
import { credentials, loadPackageDefinition, type ServiceClientConstructor } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const PROTO = fileURLToPath(new URL('companion.proto', import.meta.url));

/** A key picture of a 3000-pixel screen is below 4 MiB. */
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;

type Reply<T> = (error: ServiceError | null, value: T) => void;
interface Deadline {
  readonly deadline: number;
}

export interface Description {
  readonly target_description?: {
    readonly screen_dimensions?: { readonly width_points: number; readonly height_points: number };
  };
}

export interface VideoMessage {
  readonly payload?: { readonly data?: Buffer };
}

/** The calls that are used, as grpc-js makes them out of the definition. */
export interface CompanionClient {
  accessibility_info(request: object, options: Deadline, reply: Reply<{ readonly json: string }>): ClientUnaryCall;
  describe(request: object, options: Deadline, reply: Reply<Description>): ClientUnaryCall;
  hid(reply: Reply<object>): ClientWritableStream<object>;
  setting(request: object, options: Deadline, reply: Reply<object>): ClientUnaryCall;
  simulate_memory_warning(request: object, options: Deadline, reply: Reply<object>): ClientUnaryCall;
  video_stream(): ClientDuplexStream<object, VideoMessage>;
  close(): void;
}

/** @param path of the socket that the companion listens on: files have owners, ports have none */
export function companionClient(path: string): CompanionClient {
  const definition = loadSync(PROTO, { keepCase: true, longs: Number, enums: String, oneofs: true, defaults: true });
  const { idb } = loadPackageDefinition(definition) as unknown as {
    readonly idb: { readonly CompanionService: ServiceClientConstructor };
  };
  const options = { 'grpc.max_receive_message_length': MESSAGE_BYTES_MAX };
  return new idb.CompanionService(`unix:${path}`, credentials.createInsecure(), options) as unknown as CompanionClient;
}
