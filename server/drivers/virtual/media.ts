import type { DeviceMedia } from '../../device/driver.ts';
import { DeviceFault } from '../../device/fault.ts';
import type { VirtualPhone } from '../../phone/phone.ts';
import { decodePhoto } from './photo.ts';

/** The photo library of a virtual phone, which its Photos app shows. */
export const mediaOf = ({ photos }: VirtualPhone): DeviceMedia => ({
  add: async ({ name, mediaType, file }, signal) => {
    if (!mediaType.startsWith('image/')) {
      throw new DeviceFault(
        'unsupported',
        'Videos are not supported by virtual phones: their Photos app shows pictures.',
      );
    }
    const photo = await decodePhoto(name, file, photos.sizes);
    if (signal.aborted) throw new DeviceFault('aborted', 'Adding the picture was ended.');
    photos.add(photo);
    return { readBack: photos.photos.includes(photo) };
  },
});
