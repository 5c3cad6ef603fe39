import { ToolFailure } from '../failure.ts';
import { ACTS, said, tool } from '../tool.ts';

interface Given {
  readonly appearance?: 'light' | 'dark';
  readonly locale?: string;
  readonly textScale?: number;
  readonly network?: 'online' | 'offline';
  readonly downlinkKbps?: number;
  readonly networkDelayMs?: number;
  readonly networkLossPercent?: number;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly route?: readonly (readonly [latitude: number, longitude: number])[];
  readonly speedMPerS?: number;
  readonly biometric?: 'match' | 'mismatch';
  readonly requestId?: string;
}

export const device = tool<Given>({
  name: 'device',
  description:
    'Change settings or the location (degrees), or move it along a route of [latitude, longitude]; show the face or finger asked for; ' +
    'answers with those in force.',
  properties: {
    appearance: { enum: ['light', 'dark'] },
    locale: { type: 'string' },
    textScale: { type: 'number' },
    network: { enum: ['online', 'offline'] },
    downlinkKbps: { type: 'number' },
    networkDelayMs: { type: 'number' },
    networkLossPercent: { type: 'number' },
    latitude: { type: 'number' },
    longitude: { type: 'number' },
    route: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
    speedMPerS: { type: 'number' },
    biometric: { enum: ['match', 'mismatch'] },
  },
  annotations: ACTS,
  scope: 'device',
  async run({ given: { latitude, longitude, route, speedMPerS, biometric, requestId, ...given }, session, signal }) {
    if ((latitude === undefined) !== (longitude === undefined)) {
      throw new ToolFailure('invalid_request', '"latitude" and "longitude" are given together.');
    }
    if ((route === undefined) !== (speedMPerS === undefined)) {
      throw new ToolFailure('invalid_request', '"route" and "speedMPerS" are given together.');
    }
    const phone = await session();
    const part = (name: string) => (requestId === undefined ? {} : { requestId: `${requestId}.${name}` });
    const lines: string[] = [];
    if (biometric !== undefined) {
      await phone.authenticateBiometric(biometric === 'match', { ...part('biometric'), signal });
      lines.push(`biometric ${biometric}`);
    }
    if (latitude !== undefined && longitude !== undefined) {
      const { location } = (await phone.setLocation(latitude, longitude, { ...part('location'), signal })).result;
      if (location) lines.push(`location ${location.latitude}, ${location.longitude}`);
    }
    if (route !== undefined && speedMPerS !== undefined) {
      const points = route.map(([latitude, longitude]) => ({ latitude, longitude }));
      const { result } = await phone.followRoute(points, speedMPerS, { ...part('route'), signal });
      if (result.route) lines.push(`route ${result.route.state}, ${result.route.lengthM} m`);
    }
    const { result } = await phone.configureDevice({ ...given, ...part('settings'), signal });
    for (const [name, value] of Object.entries(result)) lines.push(`${name} ${value}`);
    return said(...lines);
  },
});
