import t from 'tap';
import { RENDER_OPTIONS } from '../../../protocol/terms.ts';
import { accept, refuse } from '../checks.ts';

t.test('every render option can be switched on and off', async (t) => {
  for (const option of RENDER_OPTIONS) {
    for (const enabled of [true, false]) {
      t.match(accept({ action: 'setRenderDebug', option, enabled }), { option, enabled });
    }
  }
});

t.test('an unknown option and a switch that is not a boolean are refused', async (t) => {
  for (const option of ['', 'ColorBlendedLayers', 'colorblendedlayers', 'all', 1, null, undefined]) {
    t.match(refuse({ action: 'setRenderDebug', option, enabled: true }, 'option', t).message, /one of colorBlended/);
  }
  for (const enabled of [1, 0, 'true', null, undefined]) {
    refuse({ action: 'setRenderDebug', option: 'slowAnimations', enabled }, 'enabled', t);
  }
});
