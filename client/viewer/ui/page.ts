import type { ViewerLook } from '../../embed/look.ts';
import type { Api } from '../../page/api.ts';
import { element } from '../../page/element.ts';
import { Toasts } from '../../page/toasts.ts';
import { takeKeys } from '../input/keyboard-input.ts';
import { textField } from '../input/text-field.ts';
import { takeTouches } from '../input/touch-input.ts';
import { typeText } from '../input/typed-text.ts';
import { takeWheel } from '../input/wheel-input.ts';
import { Inspector } from '../inspector/inspector.ts';
import { takeDroppedApps } from '../owner/drop-app.ts';
import { Painter } from '../screen/painter.ts';
import { PictureSize } from '../screen/picture-size.ts';
import type { ScreenStream } from '../screen/screen-stream.ts';
import type { Viewer } from '../viewer.ts';
import { connectionCard } from './connection-card.ts';
import { controlCards } from './control-card.ts';
import { DeviceFrame } from './device-frame.ts';
import { lastLive } from './last-live.ts';
import { LatencyPanel } from './latency-panel.ts';
import { listenForShortcuts } from './shortcuts.ts';
import { statusBar } from './status-bar.ts';
import { askForText } from './text-dialog.ts';
import { Toolbar } from './toolbar.ts';
import { UnsentText } from './unsent-text.ts';

const HELP = 'Keys go to the device. Shift+Escape leaves the screen.';

export interface PageParts {
  /** The place of the page; its data attributes mirror the state. */
  readonly app: HTMLElement;
  readonly viewer: Viewer;
  readonly screen: ScreenStream;
  /** Calls for the owner of the session; absent where nobody is signed in. */
  readonly api: Api | undefined;
}

/** Builds the page. */
export function buildPage({ app, viewer, screen, api }: PageParts) {
  const toasts = new Toasts();
  const say = (sentence: string): void => toasts.show(sentence);
  const size = new PictureSize(viewer, screen);
  const frame = new DeviceFrame(({ longEdgePixels, spare }) => {
    size.shown(longEdgePixels);
    // The tools stand at the phone, and not at the edge of the window.
    app.style.setProperty('--spare', `${spare}px`);
  });
  const latency = new LatencyPanel(viewer);
  const type = async (text: string): Promise<void> => {
    const { left, reason } = await typeText(viewer, text);
    if (reason !== '') unsent.keep(left, reason);
  };
  const openText = async (text: string): Promise<void> => {
    const wanted = await askForText(viewer, text);
    frame.focus(field);
    if (wanted !== undefined) void type(wanted);
  };
  const unsent = new UnsentText(toasts, (text) => void openText(text));
  const field = textField({
    take: (text) => void type(text),
    edit: (key) => void viewer.act({ action: 'pressKey', key }).then(({ error }) => error && say(error.message)),
  });
  frame.screen.append(field, lastLive(viewer));
  const inspector = new Inspector({ viewer, surface: frame.screen, say });
  const toolbar = new Toolbar({ viewer, api, frame, latency, inspector, say, openText: (text) => void openText(text) });
  const help = element('p', { class: 'help', id: 'screen-help' }, HELP);
  const stage = element('section', { class: 'stage', 'aria-label': 'Device' }, frame.element, latency.element, help);
  stage.append(inspector.panel);
  stage.append(controlCards(viewer, api !== undefined, say), connectionCard(viewer, api));
  app.replaceChildren(statusBar(viewer, api, say), stage, toolbar.element, toasts.element);
  app.classList.add('app');
  app.dataset.embedded = String(parent !== window);

  const painter = new Painter(frame.canvas, (width, height, orientation) => {
    // The frame has the size of the display, also where the picture is a smaller one.
    const share = size.shareOf(Math.max(width, height));
    frame.resize(Math.round(width / share), Math.round(height / share), orientation);
  });
  screen.on('picture', (picture) => {
    painter.draw(picture);
    latency.meter.shown(picture.header.inputSeq, performance.now());
    app.dataset.shown = 'true';
    inspector.pictured();
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
    frame.screen.setAttribute('aria-label', `Screen of ${model}`);
    field.setAttribute('aria-label', `Keyboard of ${model}`);
    field.setAttribute('aria-describedby', 'screen-help');
    field.hidden = !control;
    help.hidden = !control;
  });
  frame.screen.addEventListener('pointerdown', () => {
    const { other } = viewer.control;
    if (viewer.role === 'view') say('You are watching. This link does not control the device.');
    else if (other !== undefined) say(`${other} has control. Your input is not sent.`);
  });

  takeTouches({
    viewer,
    surface: frame.screen,
    showFingers: (points, pressed) => frame.showFingers(points, pressed),
    focus: () => frame.focus(field),
  });
  takeWheel(viewer, frame.screen);
  takeKeys({
    viewer,
    field,
    leave: () => toolbar.focus(),
    refuse: say,
    lost: (character, reason) => unsent.keep(character, reason),
  });
  field.addEventListener('paste', (event) => {
    event.preventDefault();
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text === '') say('The clipboard holds no text.');
    else void type(text);
  });
  takeDroppedApps({ viewer, api, place: app, say });
  inspector.on('toggled', (isOn) => {
    app.dataset.inspecting = String(isOn);
    if (!isOn && inspector.panel.contains(document.activeElement)) toolbar.focus();
  });
  listenForShortcuts(inspector);

  /** Changes how the page looks; an embedding page may do it at any time. */
  const dress = ({ toolbar, frame: framed, theme, scale }: ViewerLook): void => {
    app.dataset.toolbar = toolbar ? 'on' : 'off';
    app.dataset.frame = framed ? 'on' : 'off';
    document.documentElement.dataset.theme = theme;
    frame.bezel = framed;
    frame.scale = scale;
  };
  return { latency, inspector, dress };
}

function followState(app: HTMLElement, viewer: Viewer, say: (sentence: string) => void): void {
  app.dataset.state = viewer.state.kind;
  app.dataset.liveness = viewer.liveness;
  viewer.on('liveness', (liveness) => {
    app.dataset.liveness = liveness;
  });
  viewer.on('state', (state) => {
    app.dataset.state = state.kind;
    if (state.kind === 'connected') app.dataset.role = state.ready.role;
  });
  viewer.on('control', ({ isMine, other }) => {
    app.dataset.control = isMine ? 'mine' : other === undefined ? 'free' : 'other';
  });
  viewer.on('orientation', (orientation) => {
    app.dataset.orientation = orientation;
  });
  viewer.on('event', (event) => {
    if (event.event !== 'session.expiring') return;
    say(`This session ends in ${Math.round(event.inMs / 1_000)} seconds, unless it is used.`);
  });
}
