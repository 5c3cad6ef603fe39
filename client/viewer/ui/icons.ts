import { drawIcon } from './draw-icon.ts';

/** Line icons on a grid of 24, drawn by strokes of the text's own colour. */
const PATHS = {
  home: 'M4 11.5 12 5l8 6.5M6.5 10v9h11v-9',
  back: 'M14.5 6 8.5 12l6 6',
  recents: 'M8 4.5h9.5a2 2 0 0 1 2 2V16M4.5 8H14a2 2 0 0 1 2 2v9.5H6.5a2 2 0 0 1-2-2V8z',
  menu: 'M5 8h14M5 12h14M5 16h14',
  power: 'M12 4.5v7M8.2 7.2a6.5 6.5 0 1 0 7.6 0',
  volumeUp: 'M4.5 10v4h3l4 3.5v-11L7.500 10h-3zM15 12h5M17.5 9.500v5',
  volumeDown: 'M4.5 10v4h3l4 3.5v-11L7.500 10h-3zM15 12h5',
  sideButton:
    'M7 4.500h8a1.500 1.500 0 0 1 1.500 1.500v12a1.500 1.500 0 0 1-1.500 1.500H7A1.500 1.500 0 0 1 5.500 18V6A1.500 1.500 0 0 1 7 4.500zM19.500 9v5',
  actionButton: 'M13 3.500 6 13.500h5l-1 7 7.500-10.500h-5z',
  rotateLeft: 'M4.500 5v4.500H9M5 9.500a7.500 7.500 0 1 1-.6 5',
  rotateRight: 'M19.500 5v4.500H15M19 9.500a7.500 7.500 0 1 0 .6 5',
  camera: 'M4.500 8.500h3.500L9.500 6h5L16 8.500h3.500v10h-15zM12 16.200a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  copy: 'M9 9h10.500v10.500H9zM15 9V4.500H4.500V15H9',
  record:
    'M12 19.500a7.500 7.500 0 1 0 0-15 7.500 7.500 0 0 0 0 15zM12 14.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z',
  stop: 'M12 19.500a7.500 7.500 0 1 0 0-15 7.500 7.500 0 0 0 0 15zM9.800 9.800h4.400v4.400H9.800z',
  keyboard: 'M3.500 7h17v10.500h-17zM7 10.300h.01M10.300 10.300h.01M13.700 10.300h.01M17 10.300h.01M8.500 14h7',
  paste: 'M9 5.500H6v14h12v-14h-3M9 4h6v3.500H9zM9 12h6M9 15.500h4',
  fullScreen: 'M4.500 9V4.500H9M15 4.500h4.500V9M19.500 15v4.500H15M9 19.500H4.500V15',
  meter: 'M4.500 17.500a8 8 0 1 1 15 0M12 15l3.500-5',
  eye: 'M3 12s3.300-6 9-6 9 6 9 6-3.300 6-9 6-9-6-9-6zM12 14.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z',
} as const;

export type IconName = keyof typeof PATHS;

export const icon = (name: IconName): SVGSVGElement => drawIcon(PATHS[name]);
