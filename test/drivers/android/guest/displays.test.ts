import t from 'tap';
import { describeAttached } from '../../../../server/drivers/android/attached/attached-devices.ts';
import { builtInDisplays, displayShown } from '../../../../server/drivers/android/guest/displays.ts';
import { dumpDisplays, FOLD_DISPLAYS, INNER, OUTER } from '../../../support/android/fold-displays.ts';

/** The lines that Android 16 prints on an AVD of a foldable, shortened in the middle. */
const FOLDED = `DISPLAY MANAGER (dumpsys display)
  mViewports=[DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, uniqueId='local:4619827551948147201', physicalPort=1, orientation=0, logicalFrame=Rect(0, 0 - 1080, 2424), deviceWidth=1080, deviceHeight=2424}, DisplayViewport{type=VIRTUAL, valid=true, isActive=true, displayId=5, uniqueId='virtual:com.android.systemui:View', physicalPort=null}]
Display Devices: size=3
  DisplayDeviceInfo{"Built-in Screen": uniqueId="local:4619827259835644672", 2076 x 2152, modeId 1, renderFrameRate 60.000004, supportedModes [{id=1, width=2076, height=2152}], density 390, 390.0 x 390.0 dpi, touch INTERNAL, rotation 0, type INTERNAL, address {port=0, model=0x401cec6a7a2b7b}, state OFF, committedState OFF}
    mPhysicalDisplayId=4619827259835644672
  DisplayDeviceInfo{"Built-in Screen": uniqueId="local:4619827551948147201", 1080 x 2424, modeId 2, density 390, 390.0 x 390.0 dpi, touch INTERNAL, rotation 0, type INTERNAL, address {port=1, model=0x401cecae7d6e8a}, state ON, committedState ON}
  DisplayDeviceInfo{"HDMI Screen": uniqueId="local:4619827124781842690", 1920 x 1080, modeId 3, density 213, 213.0 x 213.0 dpi, touch NONE, rotation 0, type EXTERNAL, address {port=2}, state ON}
  Logical Displays: size=2
  Display 0:
    mPrimaryDisplayDevice=Built-in Screen(local:4619827551948147201)
`;

t.test('the panels of a foldable are listed in their order, with the one that shows apps', async (t) => {
  t.strictSame(builtInDisplays(FOLDED), [
    { name: '4619827259835644672', width: 2_076, height: 2_152, scale: 2.4375, active: false },
    { name: '4619827551948147201', width: 1_080, height: 2_424, scale: 2.4375, active: true },
  ]);
  t.match(builtInDisplays(dumpDisplays(FOLD_DISPLAYS, INNER.name, 210)), [
    { ...INNER, scale: 1.3125, active: true },
    { ...OUTER, active: false },
  ]);
});

t.test('a device with one panel has no list, nor one that does not say which is active', async (t) => {
  const unknown = [
    '',
    'garbage',
    dumpDisplays([INNER], INNER.name, 210),
    dumpDisplays(FOLD_DISPLAYS, undefined, 210),
    FOLDED.replace('displayId=0', 'displayId=4'),
    FOLDED.replace("uniqueId='local:4619827551948147201'", "uniqueId='local:1'"),
    FOLDED.replaceAll('type INTERNAL', 'type EXTERNAL'),
  ];
  for (const dump of unknown) t.equal(builtInDisplays(dump), undefined);
});

t.test('a picture shows the display of its form, turned or scaled', async (t) => {
  const device = { ...describeAttached('x'), displays: builtInDisplays(FOLDED) ?? [] };
  const shown = (width: number, height: number) => displayShown(device, { width, height })?.width;
  for (const [width, height] of [
    [2_076, 2_152],
    [2_152, 2_076],
    [1_040, 1_072],
  ] as const)
    t.equal(shown(width, height), 2_076);
  for (const [width, height] of [
    [1_080, 2_424],
    [2_424, 1_080],
    [544, 1_216],
  ] as const)
    t.equal(shown(width, height), 1_080);
  t.equal(shown(0, 0), 1_080, 'before there is a picture, the active one');
  const twins = { ...device, displays: device.displays.map((display) => ({ ...display, width: 9, height: 16 })) };
  t.match(displayShown(twins, { width: 9, height: 16 }), { active: true }, 'and among equals');
  t.equal(displayShown(describeAttached('x'), { width: 9, height: 16 }), undefined);
});
