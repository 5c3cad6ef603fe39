import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { buildPackage, complaintsAbout, projectWith } from '../../support/built-package.ts';

/** Programs as users write them, against the declarations that are published. Each bad line is refused by the compiler. */

const folder = projectWith(await buildPackage(t));

const ACTIONS = `
import { RunCloud, type Completed, type Key } from 'runcloud';

const session = new RunCloud().session({ id: 'ses_1', platform: 'ios' });

export const key: Key = 'arrowLeft';
export const held = session.pressKey('f12', { modifiers: ['shift'], durationMs: 100 });
export const digit = session.pressKey('numpad7');
// @ts-expect-error a misspelt key
session.pressKey('entr');
// @ts-expect-error keys are lower case
session.pressKey('A');
// @ts-expect-error there is no such key on the number pad
session.pressKey('numpad10');
// @ts-expect-error a misspelt modifier
session.pressKey('a', { modifiers: ['ctrl'] });
// @ts-expect-error a misspelt option
session.pressKey('a', { durationMS: 100 });
// @ts-expect-error a misspelt button
session.pressButton('hom');
// @ts-expect-error a misspelt orientation
session.rotate('landscape');
// @ts-expect-error a tap has two coordinates
session.tap(0.5);

export const tapped: Completed<'tap'> = await session.tap(0.5, 0.5);
export const fingers: number = tapped.result.pointCount;
export const characters: number = (await session.typeText('hi')).result.characterCount;
export const turned: 'tap' | 'rotate' = (await session.setOrientation('portrait')).action;
// @ts-expect-error a tap tells no such thing
tapped.result.characterCount;
// @ts-expect-error an orientation is no number
export const wrong: number = (await session.rotate('portrait')).result.orientation;
// @ts-expect-error a reload tells nothing
(await session.reload()).result.pointCount;
export const nothing: undefined = (await session.reload()).result;

const swiped = await session.interact({ action: 'swipe', from: { x: 0, y: 0 }, to: { x: 1, y: 1 }, requestId: 's-1' });
export const tookMs: number = swiped.result.durationMs;
// @ts-expect-error a misspelt field of an interaction
session.interact({ action: 'swipe', from: { x: 0, y: 0 }, to: { x: 1, y: 1 }, duration: 100 });
// @ts-expect-error fields of another action
session.interact({ action: 'swipe', x: 1, y: 1 });
// @ts-expect-error there is no such action
session.interact({ action: 'dance' });

for await (const stage of session.stages({ action: 'typeText', text: 'hi' })) {
  if (stage.type === 'accepted') console.log(stage.queued);
  else if (stage.type === 'dispatched') console.log(stage.inputSeq);
  else if (stage.ok) console.log(stage.result.characterCount);
  else console.log(stage.status, stage.error.code);
}
`;

const ERRORS = `
import { isCapacityError, RunCloud, RunCloudError, type ErrorCode } from 'runcloud';

const cloud = new RunCloud();
const failure = await cloud.sessions.create({ platform: 'ios' }).catch((error: unknown) => error);
if (failure instanceof RunCloudError) {
  const { code } = failure;
  if (code === 'simulator_capacity_unavailable' || code === 'transport_error') console.log(failure.retryAfterMs);
  // @ts-expect-error a misspelt code is never equal
  if (code === 'simulator_capacity_unavailble') console.log('never');
  switch (code) {
    case 'rate_limited':
      break;
    // @ts-expect-error there is no such code
    case 'too_many_requests':
      break;
    default:
      if (failure.retryable) console.log('a newer code is treated by this');
  }
}
if (isCapacityError(failure)) console.log(failure.retryAfterMs);
export const code: ErrorCode = 'session_not_found';
// @ts-expect-error there is no such platform
cloud.sessions.create({ platform: 'windows' });
// @ts-expect-error a misspelt option
cloud.sessions.create({ platform: 'ios', lables: {} });
`;

const DISPOSAL = `
import { RunCloud } from 'runcloud';

const cloud = new RunCloud();
{
  await using session = await cloud.sessions.create({ platform: 'ios' });
  await using control = await session.connect();
  await using finger = await session.pointer({ x: 0.5, y: 0.5 });
  await using recording = await session.recordings.start();
  finger.move({ x: 0.5, y: 0.4 });
  console.log(recording.id, control.ready.session.id);
}
{
  using control = await cloud.session({ id: 'ses_1', platform: 'ios' }).connect();
  control.on('event', console.log);
}
// @ts-expect-error a release takes time
using session = await cloud.sessions.create({ platform: 'ios' });
`;

const PAGE = `
import { RunCloud } from 'runcloud/browser';
import { createSimulatorFrame } from 'runcloud/embed';

const phone = createSimulatorFrame(document.querySelector('iframe')!);
const tapped = await phone.tap(0.5, 0.5);
if (tapped.status === 'completed') console.log(tapped.result.pointCount, tapped.timing.durationMs);
else if (tapped.error.code === 'interaction_timeout') console.log('late');
// @ts-expect-error a failure has no certain result
tapped.result.pointCount;
// @ts-expect-error a misspelt code is never equal
if (tapped.status === 'failed' && tapped.error.code === 'interaction_timout') console.log('never');
// @ts-expect-error a misspelt key
phone.pressKey('entr');
// @ts-expect-error there is no such action
phone.interact({ action: 'dance' });
export const cloud = new RunCloud({ apiKey: 'a-key' });
`;

const COMPONENT = `
import { useEffect, useRef } from 'react';
import { SimulatorFrame, type SimulatorHandle } from 'runcloud/react';

export function Phone({ url }: { readonly url: string }) {
  const phone = useRef<SimulatorHandle>(null);
  useEffect(() => {
    void phone.current?.pressButton('home').then((pressed) => pressed.status === 'completed' && pressed.result.button);
  }, []);
  return <SimulatorFrame ref={phone} src={url} onReady={({ platform }) => console.log(platform)} />;
}
// @ts-expect-error the address is missing
export const none = <SimulatorFrame />;
`;

const NODE = { lib: ['es2023'], types: ['node'], noEmit: true };
const BROWSER = { lib: ['es2022', 'dom', 'dom.iterable'], types: [], jsx: 'react-jsx', noEmit: true };

for (const [title, name, program, options] of [
  ['keys, buttons and results are those of each action', 'actions.ts', ACTIONS, NODE],
  ['codes of errors are an enumeration', 'errors.ts', ERRORS, NODE],
  ['what a program opens can be closed by "using"', 'disposal.ts', DISPOSAL, { ...NODE, lib: ['esnext'] }],
  ['pages need no types of Node.js', 'page.ts', PAGE, BROWSER],
  ['a React component has types as well', 'component.tsx', COMPONENT, BROWSER],
] as const) {
  t.test(title, async (t) => {
    writeFileSync(join(folder, name), program);
    t.equal(await complaintsAbout(folder, [name], options), '');
  });
}
