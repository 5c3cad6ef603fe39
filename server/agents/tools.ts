import type { Tool } from './tool.ts';
import { act } from './tools/act.ts';
import { app } from './tools/app.ts';
import { check, wait } from './tools/conditions.ts';
import { control } from './tools/control.ts';
import { device } from './tools/device.ts';
import { find } from './tools/find.ts';
import { history } from './tools/history.ts';
import { logs } from './tools/logs.ts';
import { look } from './tools/look.ts';
import { openUrl } from './tools/open-url.ts';
import { record } from './tools/record.ts';
import { devices, end, start } from './tools/sessions.ts';

/** Every tool; the first ones are needed most. */
export const TOOLS: readonly Tool[] = [
  start,
  look,
  act,
  wait,
  check,
  app,
  openUrl,
  end,
  devices,
  find,
  history,
  logs,
  record,
  device,
  control,
];
