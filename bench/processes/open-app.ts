import type { Service, ServiceSession } from './service.ts';

/** Where the apps are on the home screen of the virtual iPhone. */
const MOTION = { action: 'tap', x: 0.388, y: 0.32 } as const;
const TOUCH_LAB = { action: 'tap', x: 0.164, y: 0.922 } as const;

/** Longer than an app takes to open. */
export const OPENING_MS = 1_500;

type Place = Pick<ServiceSession, 'interactionsPath'>;

/** Opens Motion from the home screen, whose picture changes all the time. */
export async function openMotion(service: Service, { interactionsPath }: Place): Promise<void> {
  await service.post(interactionsPath, MOTION);
}

/** Opens Touch Lab from the home screen, which shows each touch, so that every one of them changes the picture. */
export async function openTouchLab(service: Service, { interactionsPath }: Place): Promise<void> {
  await service.post(interactionsPath, TOUCH_LAB);
}
