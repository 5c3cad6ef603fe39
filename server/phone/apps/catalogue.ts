import type { AppDefinition } from './app.ts';
import { browser } from './browser.ts';
import { files } from './files.ts';
import { motion } from './motion.ts';
import { notes } from './notes.ts';
import { photos } from './photos.ts';
import { scroll } from './scroll.ts';
import { settings } from './settings.ts';
import { touchLab } from './touch-lab.ts';

/** Apps that every virtual phone comes with, in the order of the home screen. */
export const BUILT_IN_APPS: readonly AppDefinition[] = [
  touchLab,
  notes,
  browser,
  settings,
  scroll,
  motion,
  photos,
  files,
];
