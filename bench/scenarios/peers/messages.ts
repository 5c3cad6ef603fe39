import { ID_DIGITS, type RequestTemplate } from '../../load/job.ts';
import { TAP } from '../tap/messages.ts';

const DIGITS = '0'.repeat(ID_DIGITS);

function template(before: string, after: string): RequestTemplate {
  return { bytes: Buffer.from(before + DIGITS + after), digitsAt: before.length };
}

/** A tap as a socket.io event with acknowledgement; the placeholder digits are the acknowledgement's id. */
export function socketIoTap(requestId: string): RequestTemplate {
  return template('42', JSON.stringify(['interaction', { requestId, ...TAP }]));
}

export interface WebDriverTarget {
  readonly host: string;
  readonly port: number;
  /** Before `/session`. */
  readonly path?: string;
  readonly sessionId: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The whole HTTP/1.1 request of a tap in W3C actions (WebDriver, "Perform Actions"); the placeholder digits are part of the finger's id. */
export function webDriverTap({ host, port, path = '', sessionId, headers = {} }: WebDriverTarget): RequestTemplate {
  const finger = (id: string) => ({
    type: 'pointer',
    id,
    parameters: { pointerType: 'touch' },
    actions: [
      { type: 'pointerMove', duration: 0, x: 258, y: 680 },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ],
  });
  const body = JSON.stringify({ actions: [finger(`finger-${DIGITS}`)] });
  const head = [
    `POST ${path}/session/${sessionId}/actions HTTP/1.1`,
    `Host: ${host}:${port}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ].join('\r\n');
  const [before = '', after = ''] = `${head}\r\n\r\n${body}`.split(DIGITS);
  return template(before, after);
}
