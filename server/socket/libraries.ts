/** The libraries that can serve HTTP and WebSocket: uWebSockets.js, or `node:http` with `ws`. */
export const SOCKET_LIBRARIES = ['uws', 'ws'] as const;
export type SocketLibrary = (typeof SOCKET_LIBRARIES)[number];
