import type { Orientation } from '@runcloud/protocol';
import { VideoScreen } from '../video/video-screen.ts';
import type { VideoSource } from '../video/video-source.ts';
import type { PanelSize } from './physical-point.ts';
import { needsTurning, turned } from './upright.ts';

/** The longer edge of the largest panel that a simulator has, and some more. */
const EDGE_MAX = 4_096;
/** Helpers round edges to what encoders take, and may make the picture smaller: its form stays, but for this share. */
const FORM_SLACK = 0.02;

/** The screen of a simulator, by its helper's video, which may show the panel however the simulator is turned. */
export class SimulatorScreen extends VideoScreen {
  /** @param lose called once when the screen gives no more pictures */
  constructor(helper: VideoSource, panel: PanelSize, orientation: Orientation, lose: (reason: string) => void) {
    super(helper, { isOfScreen: (size) => isOfPanel(size, panel), needsTurning, turned }, orientation, lose);
  }
}

const isOfPanel = (size: PanelSize, panel: PanelSize): boolean =>
  Math.max(size.width, size.height) <= EDGE_MAX && Math.abs(form(size) / form(panel) - 1) <= FORM_SLACK;

const form = ({ width, height }: PanelSize): number => Math.max(width, height) / Math.min(width, height);
