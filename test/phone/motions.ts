import type { Platform } from '@runcloud/protocol';
import type { ManualPhone } from './manual-phone.ts';

/** A motion of the phone: what comes before it, and what sets it off. */
export interface Motion {
  readonly title: string;
  readonly platforms?: readonly Platform[];
  prepare(subject: ManualPhone): void;
  act(subject: ManualPhone): void;
}

/** Longer than any motion. */
export const MOTION_MS_MAX = 400;

const middle = ({ size }: ManualPhone, share: number) => ({
  x: Math.round(size.width / 2),
  y: Math.round(size.height * share),
});

const open =
  (...apps: readonly string[]) =>
  (subject: ManualPhone): void => {
    for (const app of apps) subject.open(app);
  };

const switcher = (subject: ManualPhone): void => {
  open('scroll', 'browser')(subject);
  subject.button('recents');
};

/** Opens the search: by the field on Android's home screen, by a pull on that of iOS. */
export function search(subject: ManualPhone): void {
  if (subject.platform === 'ios') return subject.swipe(middle(subject, 0.4), middle(subject, 0.6));
  const { navigationBar } = subject.layout(false);
  subject.tap({ x: middle(subject, 0).x, y: navigationBar.y - subject.theme.px(34) });
}

/** Every motion of the phone. */
export const MOTIONS: readonly Motion[] = [
  { title: 'an app opens', prepare: () => undefined, act: (subject) => subject.tap(subject.icon('scroll'), 0) },
  { title: 'an app closes', prepare: open('scroll'), act: (subject) => subject.button('home', 0) },
  {
    title: 'the keyboard goes',
    prepare: open('notes'),
    act: (subject) => subject.phone.toggleSoftwareKeyboard(subject.nextSeq()),
  },
  {
    title: 'the keyboard comes',
    prepare: open('scroll'),
    act: (subject) => subject.phone.toggleSoftwareKeyboard(subject.nextSeq()),
  },
  {
    title: 'the app switcher comes over an app',
    prepare: open('scroll', 'browser'),
    act: (subject) => subject.button('recents', 0),
  },
  {
    title: 'the app switcher comes over the home screen',
    prepare(subject) {
      open('scroll', 'browser')(subject);
      subject.button('home');
    },
    act: (subject) => subject.button('recents', 0),
  },
  { title: 'the app switcher goes home', prepare: switcher, act: (subject) => subject.button('home', 0) },
  { title: 'a card becomes its app', prepare: switcher, act: (subject) => subject.tap(middle(subject, 0.5), 0) },
  {
    title: 'a card is thrown away',
    prepare: switcher,
    act: (subject) => subject.swipe(middle(subject, 0.7), middle(subject, 0.5), 100),
  },
  {
    title: 'the screen wakes',
    prepare(subject) {
      open('browser')(subject);
      subject.button('power');
    },
    act: (subject) => subject.button('power', 0),
  },
  {
    title: 'the lock screen goes up',
    prepare(subject) {
      open('browser')(subject);
      subject.button('power');
      subject.button('power');
    },
    act: (subject) => subject.swipe(middle(subject, 0.8), middle(subject, 0.65), 100),
  },
  {
    title: 'the notifications come down',
    prepare: open('browser'),
    act: (subject) => subject.swipe({ x: 100, y: 10 }, { x: 100, y: 300 }, 100),
  },
  {
    title: 'the notifications go up',
    prepare: (subject) => {
      open('browser')(subject);
      subject.swipe({ x: 100, y: 10 }, { x: 100, y: 300 }, 100);
    },
    act: (subject) => subject.swipe(middle(subject, 0.9), middle(subject, 0.6), 100),
  },
  {
    title: 'the control centre comes down',
    platforms: ['ios'],
    prepare: open('browser'),
    act: (subject) => subject.swipe({ x: 500, y: 10 }, { x: 500, y: 300 }, 100),
  },
  {
    title: 'the home screen turns its page',
    prepare: () => undefined,
    act: (subject) => subject.swipe({ x: 450, y: 600 }, { x: 300, y: 600 }, 100),
  },
  {
    title: 'the search comes',
    platforms: ['ios'],
    prepare: () => undefined,
    act: (subject) => subject.swipe(middle(subject, 0.4), middle(subject, 0.6), 100),
  },
  {
    title: 'the picture turns',
    prepare: open('browser'),
    act: (subject) => subject.phone.rotate('landscape_left', subject.nextSeq()),
  },
];
