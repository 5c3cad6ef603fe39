import { forwardRef, type IframeHTMLAttributes, useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { ActionName } from '../../protocol/actions/index.ts';
import type { Asked } from '../sdk/interactions.ts';
import { type ClipboardOptions, type InteractOptions, SimulatorActions } from './actions.ts';
import { lost } from './calls.ts';
import type { SimulatorFrameError } from './failure.ts';
import { type ViewerLook, withLook } from './look.ts';
import type { ClipboardAction, ClipboardResult, FrameEvent, FrameReady, InteractionResult } from './messages.ts';
import { createSimulatorFrame, type SimulatorFrame } from './simulator-frame.ts';

export interface SimulatorFrameProps
  extends Omit<IframeHTMLAttributes<HTMLIFrameElement>, 'src' | 'srcDoc' | keyof ViewerLook>,
    Partial<ViewerLook> {
  /** The session's `url`. */
  readonly src: string;
  readonly onReady?: (ready: FrameReady) => void;
  readonly onEvent?: (event: FrameEvent) => void;
  /** The viewer did not connect within 10 seconds, or cannot any more. */
  readonly onFailure?: (error: SimulatorFrameError) => void;
}

/** The value of a `ref` to the component, with a method for every action. */
export class SimulatorHandle extends SimulatorActions {
  /** Set while the component is mounted. */
  frame: SimulatorFrame | undefined;

  override interact<Name extends ActionName>(
    request: Asked<Name>,
    options?: InteractOptions,
  ): Promise<InteractionResult<Name>> {
    if (this.frame) return this.frame.interact(request, options);
    const { requestId = '', action } = request;
    return Promise.resolve(lost({ requestId, action }, NOT_THERE));
  }

  override getClipboard(options?: ClipboardOptions): Promise<ClipboardResult> {
    return this.frame?.getClipboard(options) ?? noClipboard('clipboard.get');
  }

  override setClipboard(text: string, options?: ClipboardOptions): Promise<ClipboardResult> {
    return this.frame?.setClipboard(text, options) ?? noClipboard('clipboard.set');
  }

  /** Turns the inspector on or off; see `SimulatorFrame.inspect`. What is chosen comes to `onEvent`. */
  inspect(on: boolean): void {
    this.frame?.inspect(on);
  }

  override cancel(requestId: string, action?: string): void {
    this.frame?.cancel(requestId, action);
  }
}

const NOT_THERE = 'The simulator is not on the page.';

const noClipboard = (action: ClipboardAction): Promise<ClipboardResult> =>
  Promise.resolve(lost({ requestId: '', action }, NOT_THERE));

/** The viewer keeps its own origin and can save screenshots; it cannot open windows or lead the page elsewhere. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-downloads';

/** A session's viewer. A page of another origin than the server's has to be one of the session's `embedOrigins`. */
export const SimulatorFrameView = forwardRef<SimulatorHandle, SimulatorFrameProps>(function SimulatorFrameView(
  { src, onReady, onEvent, onFailure, toolbar, frame: framed, theme, scale, ...attributes },
  ref,
) {
  const iframe = useRef<HTMLIFrameElement>(null);
  const [handle] = useState(() => new SimulatorHandle());
  const listeners = useRef({ onReady, onEvent, onFailure });
  useEffect(() => {
    listeners.current = { onReady, onEvent, onFailure };
  });
  useEffect(() => {
    if (!iframe.current) return undefined;
    const frame = createSimulatorFrame(iframe.current, { url: src });
    handle.frame = frame;
    frame.on('ready', (ready) => listeners.current.onReady?.(ready));
    frame.on('event', (event) => listeners.current.onEvent?.(event));
    frame.ready.catch((error: SimulatorFrameError) => {
      if (error.code !== 'disposed') listeners.current.onFailure?.(error);
    });
    return () => {
      frame.dispose();
      handle.frame = undefined;
    };
  }, [src, handle]);
  useImperativeHandle(ref, () => handle, [handle]);
  return (
    <iframe
      title="Simulator"
      allow="clipboard-write; fullscreen"
      sandbox={SANDBOX}
      referrerPolicy="no-referrer"
      {...attributes}
      ref={iframe}
      src={withLook(src, { toolbar, frame: framed, theme, scale })}
    />
  );
});

export { SimulatorFrameView as SimulatorFrame };
