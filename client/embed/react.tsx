import { forwardRef, type IframeHTMLAttributes, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { type InteractOptions, SimulatorActions } from './actions.ts';
import { lost } from './calls.ts';
import type { FrameEvent, FrameReady, InteractionRequest, InteractionResult } from './messages.ts';
import { createSimulatorFrame, type SimulatorFrame } from './simulator-frame.ts';

export interface SimulatorFrameProps extends Omit<IframeHTMLAttributes<HTMLIFrameElement>, 'src' | 'srcDoc'> {
  /** The session's `url`. */
  readonly src: string;
  readonly onReady?: (ready: FrameReady) => void;
  readonly onEvent?: (event: FrameEvent) => void;
}

/** The value of a `ref` to the component, with a method for every action. */
export class SimulatorHandle extends SimulatorActions {
  /** Set while the component is mounted. */
  frame: SimulatorFrame | undefined;

  override interact(request: InteractionRequest, options?: InteractOptions): Promise<InteractionResult> {
    if (this.frame) return this.frame.interact(request, options);
    const { requestId = '', action } = request;
    return Promise.resolve(lost({ requestId, action }, 'The simulator is not on the page.'));
  }

  override cancel(requestId: string, action?: string): void {
    this.frame?.cancel(requestId, action);
  }
}

/** The viewer keeps its own origin and can save screenshots; it cannot open windows or lead the page elsewhere. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-downloads';

/** A session's viewer. A page of another origin than the server's has to be one of the session's `embedOrigins`. */
export const SimulatorFrameView = forwardRef<SimulatorHandle, SimulatorFrameProps>(function SimulatorFrameView(
  { src, onReady, onEvent, ...attributes },
  ref,
) {
  const iframe = useRef<HTMLIFrameElement>(null);
  const [handle] = useState(() => new SimulatorHandle());
  const listeners = useRef({ onReady, onEvent });
  useEffect(() => {
    listeners.current = { onReady, onEvent };
  });
  useEffect(() => {
    if (!iframe.current) return undefined;
    const frame = createSimulatorFrame(iframe.current, { url: src });
    handle.frame = frame;
    frame.on('ready', (ready) => listeners.current.onReady?.(ready));
    frame.on('event', (event) => listeners.current.onEvent?.(event));
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
      src={src}
    />
  );
});

export { SimulatorFrameView as SimulatorFrame };
