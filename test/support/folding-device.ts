import { withActive } from '../../server/device/displays.ts';
import type { DeviceDescriptor, DeviceScreen, Picture } from '../../server/device/driver.ts';
import { DESCRIPTOR, ScriptedDevice, solidPicture } from './scripted-device.ts';

/** Unfolded. */
export const FOLDABLE: DeviceDescriptor = {
  ...DESCRIPTOR,
  displays: [
    { name: 'inner', width: 4, height: 6, scale: 1, active: true },
    { name: 'outer', width: 2, height: 6, scale: 1, active: false },
  ],
};

/** One of the displays, which shows what the test says. */
export class ScriptedScreen implements DeviceScreen {
  picture: Picture = solidPicture(0, 0);
  failure: Error | undefined;
  captures = 0;
  #tellChange: () => void = () => undefined;

  async capture(): Promise<Picture> {
    this.captures++;
    if (this.failure) throw this.failure;
    return this.picture;
  }

  onChange(listener: () => void): void {
    this.#tellChange = listener;
  }

  show(picture: Picture): void {
    this.picture = picture;
    this.#tellChange();
  }
}

/** A scripted device with two displays. */
export class FoldingDevice extends ScriptedDevice {
  override descriptor: DeviceDescriptor = FOLDABLE;
  readonly screens = { inner: new ScriptedScreen(), outer: new ScriptedScreen() };
  #tellDisplays: () => void = () => undefined;

  display(name: string): DeviceScreen {
    return this.screens[name as 'inner' | 'outer'];
  }

  onDisplays(listener: () => void): void {
    this.#tellDisplays = listener;
  }

  activate(name: 'inner' | 'outer'): void {
    this.descriptor = withActive(this.descriptor, name);
    this.#tellDisplays();
  }
}
