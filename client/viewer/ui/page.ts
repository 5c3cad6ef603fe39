import { takeKeys } from '../input/keyboard-input.ts';
import { takeTouches } from '../input/touch-input.ts';
import { typeText } from '../input/typed-text.ts';
import { takeWheel } from '../input/wheel-input.ts';
import { Painter } from '../screen/painter.ts';
import type { ScreenStream } from '../screen/screen-stream.ts';
import type { Viewer } from '../viewer.ts';
import { connectionCard } from './connection-card.ts';
import { DeviceFrame } from './device-frame.ts';
import { element } from './element.ts';
import { LatencyPanel } from './latency-panel.ts';
import { statusBar } from './status-bar.ts';
import { Toasts } from './toasts.ts';
import { Toolbar } from './toolbar.ts';

const HELP = 'Keys go to the device. Shift+Escape leaves the screen.';

/** Builds the page and mirrors its state in the data attributes of `app`. */
export function buildPage(app: HTMLElement, viewer: Viewer, screen: ScreenStream): { readonly latency: LatencyPanel } {
  const toasts = new Toasts();
  const say = (sentence: string): void => toasts.show(sentence);
  const frame = new DeviceFrame();
  const latency = new LatencyPanel(viewer);
  const toolbar = new Toolbar({ viewer, latency, say, focusScreen: () => frame.screen.focus() });
  const help = element('p', { class: 'help', id: 'screen-help' }, HELP);
  const stage = element('section', { class: 'stage', 'aria-label': 'Device' }, frame.element, latency.element, help);
  stage.append(connectionCard(viewer));
  app.replaceChildren(statusBar(viewer), stage, toolbar.element, toasts.element, toolbar.dialog);
  app.classList.add('app');
  app.dataset.embedded = String(parent !== window);

  const painter = new Painter(frame.canvas, (width, height, orientation) => frame.resize(width, height, orientation));
  screen.on('picture', (picture) => {
    painter.draw(picture);
    latency.meter.shown(picture.header.inputSeq, performance.now());
    app.dataset.shown = 'true';
  });
  screen.on('started', ({ way, encoding }) => {
    app.dataset.encoding = encoding;
    app.dataset.decoder = way;
  });
  screen.on('impossible', () => say('This browser cannot show the screen of this session.'));

  followState(app, viewer, say);
  viewer.on('ready', ({ role, session }) => {
    const { width, height, model } = session.device;
    if (app.dataset.shown !== 'true') frame.expect(session.platform, width, height, session.orientation);
    const control = role === 'control';
    frame.screen.tabIndex = control ? 0 : -1;
    frame.screen.setAttribute('role', control ? 'application' : 'group');
    frame.screen.setAttribute('aria-label', `Screen of ${model}`);
    frame.screen.setAttribute('aria-describedby', control ? 'screen-help' : '');
    help.hidden = !control;
  });

  takeTouches({
    viewer,
    surface: frame.screen,
    showFingers: (points, pressed) => frame.showFingers(points, pressed),
  });
  takeWheel(viewer, frame.screen);
  takeKeys({ viewer, surface: frame.screen, leave: () => toolbar.focus(), refuse: say });
  takePaste(viewer, frame.screen, say);
  return { latency };
}

function followState(app: HTMLElement, viewer: Viewer, say: (sentence: string) => void): void {
  app.dataset.state = viewer.state.kind;
  viewer.on('state', (state) => {
    app.dataset.state = state.kind;
    if (state.kind === 'connected') app.dataset.role = state.ready.role;
  });
  viewer.on('orientation', (orientation) => {
    app.dataset.orientation = orientation;
  });
  viewer.on('event', (event) => {
    if (event.event !== 'session.expiring') return;
    say(`This session ends in ${Math.round(event.inMs / 1_000)} seconds, unless it is used.`);
  });
}

/** Control+V and the browser's own menus, while the screen has the focus. */
function takePaste(viewer: Viewer, surface: HTMLElement, say: (sentence: string) => void): void {
  document.addEventListener('paste', (event) => {
    if (document.activeElement !== surface || viewer.role !== 'control') return;
    event.preventDefault();
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text === '') say('The clipboard holds no text.');
    else void typeText(viewer, text).then(say);
  });
}
