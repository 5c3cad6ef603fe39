import type { Session } from '../../client/sdk/sessions.ts';
import type { Point, SessionRecord, UiNode, UiTree } from '../../client/sdk/types.ts';

/** Where something is, in the unit of its platform: points on iOS, pixels on Android, as Appium counts. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What is on the screen, and how large it is. */
export class Screen {
  readonly tree: UiTree;
  readonly platform: SessionRecord['platform'];
  readonly width: number;
  readonly height: number;
  /** Every element with the one that it is in, each before those within it. */
  readonly elements: readonly Placed[];

  private constructor(tree: UiTree, record: SessionRecord) {
    const { width, height } = sizeOf(record, tree.orientation);
    this.tree = tree;
    this.platform = record.platform;
    this.width = width;
    this.height = height;
    this.elements = placed(tree.nodes, undefined);
  }

  static async of(session: Session, signal: AbortSignal): Promise<Screen> {
    return new Screen(await session.ui({ signal }), session.record);
  }

  rectOf({ frame }: UiNode): Rect {
    const [left, top] = [Math.round(frame.x * this.width), Math.round(frame.y * this.height)];
    const [right, bottom] = [(frame.x + frame.width) * this.width, (frame.y + frame.height) * this.height];
    return { x: left, y: top, width: Math.round(right) - left, height: Math.round(bottom) - top };
  }
}

/** An element, and the one that it is in. */
export interface Placed {
  readonly node: UiNode;
  readonly parent: Placed | undefined;
}

const placed = (nodes: readonly UiNode[], parent: Placed | undefined): readonly Placed[] =>
  nodes.flatMap((node) => {
    const own = { node, parent };
    return [own, ...placed(node.children ?? [], own)];
  });

export const middleOf = ({ frame: { x, y, width, height } }: UiNode): Point => ({
  x: x + width / 2,
  y: y + height / 2,
});

/** The display's size as it is held. */
export function sizeOf({ platform, device }: SessionRecord, orientation: string): { width: number; height: number } {
  const { width, height, scale } = device;
  const unit = platform === 'ios' ? scale : 1;
  const [across, along] = [Math.round(width / unit), Math.round(height / unit)];
  const isPortrait = orientation.startsWith('portrait');
  return isPortrait ? { width: across, height: along } : { width: along, height: across };
}
