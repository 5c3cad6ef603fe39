import t from 'tap';
import { ORIENTATIONS } from '../../../protocol/terms.ts';
import { accept, refuse } from '../checks.ts';

t.test('every orientation is accepted, whatever the platform', async (t) => {
  for (const orientation of ORIENTATIONS) t.match(accept({ action: 'rotate', orientation }), { orientation });
});

t.test('any other orientation is refused with the list of orientations', async (t) => {
  const misses = [
    '',
    'Portrait',
    'landscape',
    'landscapeLeft',
    'landscape-left',
    'portraitUpsideDown',
    90,
    null,
    undefined,
  ];
  for (const orientation of misses) {
    t.match(
      refuse({ action: 'rotate', orientation }, 'orientation', t).message,
      /must be one of portrait, portrait_upside_down, landscape_left, landscape_right$/,
    );
  }
});
