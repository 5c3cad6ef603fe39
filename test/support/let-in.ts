import type { RestClient } from './rest-client.ts';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Lets a program in by the device flow, with nobody's wait in between, and gives its tokens. */
export async function letIn(rest: RestClient, deviceName = 'laptop') {
  const post = async (path: string, form: Record<string, string>) => {
    const body = new URLSearchParams({ client_id: 'runcloud-cli', ...form });
    const answer = await fetch(`${rest.url}/oauth/${path}`, { method: 'POST', body });
    return (await answer.json()) as Readonly<Record<string, string>>;
  };
  const { device_code = '', user_code } = await post('device_authorization', { device_name: deviceName });
  await rest.call('POST', `/service/account/device-requests/${user_code}`, { decision: 'approve' });
  const { access_token = '', refresh_token = '' } = await post('token', { grant_type: DEVICE_GRANT, device_code });
  return { accessToken: access_token, refreshToken: refresh_token };
}
