/** Where nobody listens. No system gives this port to who asks for any free one, as it may one that was just closed. */
export const NOBODY_URL = 'http://127.0.0.1:2';
