import { drawIcon } from '../../viewer/ui/draw-icon.ts';

/** Line icons on a grid of 24, drawn by strokes of the text's own colour, like the viewer's. */
const PATHS = {
  sessions:
    'M8 3.500h8a1.500 1.500 0 0 1 1.500 1.500v14a1.500 1.500 0 0 1-1.500 1.500H8A1.500 1.500 0 0 1 6.500 19V5A1.500 1.500 0 0 1 8 3.500zM10.500 17.800h3',
  recordings: 'M4 6.500h11v11H4zM15 10.500l5-3v9l-5-3z',
  apps: 'M12 3.500l7.500 4.200v8.600L12 20.500l-7.500-4.200V7.700zM4.700 7.800 12 12l7.300-4.200M12 12v8.300',
  keys: 'M8.500 18.500a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM11.400 11.700 19.500 4M16 7.300l2.800 2.800',
  usage: 'M5 19.500v-6M10 19.500V9M15 19.500v-8M20 19.500V4.500',
  account:
    'M12 11.500a3.800 3.800 0 1 0 0-7.600 3.800 3.800 0 0 0 0 7.600zM4.500 20.200c.8-3.600 3.700-5.700 7.500-5.700s6.700 2.100 7.500 5.700',
  plus: 'M12 5v14M5 12h14',
  play: 'M8.500 6v12l9.500-6z',
  download: 'M12 4.500v10M8 11l4 4 4-4M5 19.500h14',
  upload: 'M12 15V4.800M8 8.500l4-4 4 4M5 19.500h14',
  copy: 'M9 9h10.500v10.500H9zM15 9V4.500H4.500V15H9',
  done: 'M5 12.500l4.500 4.500L19 7.500',
  phone:
    'M8 3.500h8a1.500 1.500 0 0 1 1.500 1.500v14a1.500 1.500 0 0 1-1.500 1.500H8A1.500 1.500 0 0 1 6.500 19V5A1.500 1.500 0 0 1 8 3.500z',
  warning: 'M12 4.500l8.500 15h-17zM12 10v4.500M12 17h.01',
} as const;

export type IconName = keyof typeof PATHS;

export const icon = (name: IconName): SVGSVGElement => drawIcon(PATHS[name]);
