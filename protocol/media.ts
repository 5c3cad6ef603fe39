import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from './compile-check.ts';
import { text, whole } from './fields.ts';

/** Pictures and videos of the photo library, as their content tells, and how their files are called. */
export const MEDIA_EXTENSIONS = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
} as const;
export type MediaType = keyof typeof MEDIA_EXTENSIONS;
export const MEDIA_TYPES = Object.keys(MEDIA_EXTENSIONS) as readonly MediaType[];

/** A picture or a video that was added to the photo library. */
export const AddedMedia = Type.Object(
  {
    name: text('Its name on the device, which the service has chosen', 'runcloud-4kZ1bQx7Rm.png'),
    mediaType: oneOf(MEDIA_TYPES, { description: 'As its content tells' }),
    byteSize: whole('Its size in bytes', 482_113),
    readBack: Type.Boolean({
      description: 'Whether the library was then seen to have it; iOS Simulators only tell that they took it',
    }),
  },
  { $id: 'AddedMedia', additionalProperties: false, description: 'What the photo library has now' },
);
export type AddedMedia = Static<typeof AddedMedia>;
