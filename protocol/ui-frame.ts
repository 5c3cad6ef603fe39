import { Type } from '@sinclair/typebox';

const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description, examples: [0.25] });

export const UiFrameSchema = Type.Object(
  {
    x: Share('Left edge, as a fraction of the width'),
    y: Share('Top edge, as a fraction of the height'),
    width: Share('Fraction of the width'),
    height: Share('Fraction of the height'),
  },
  { $id: 'UiFrame', additionalProperties: false, description: 'A part of the display in its current orientation' },
);
