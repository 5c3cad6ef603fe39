import t from 'tap';
import { readInstalledList } from '../../../server/drivers/ios/installed-list.ts';

t.test('the apps of a simulator are read as Foundation describes them', async (t) => {
  const text = `{
    "com.apple.Bridge" =     {
        ApplicationType = System;
        Bundle = "file:///Applications/Xcode.app/Watch.app/";
        CFBundleDisplayName = Watch;
        CFBundleIdentifier = "com.apple.Bridge";
        CFBundleName = Bridge;
        CFBundleVersion = 1;
        GroupContainers =         {
        };
        SBAppTags =         (
            hidden
        );
    };
    "com.example.shop" =     {
        ApplicationType = User;
        CFBundleDisplayName = "\\U4f60\\U597d \\"Shop\\" \\\\U0041 = {;}";
        CFBundleShortVersionString = "3.2.1";
        CFBundleVersion = 77;
    };
    "com.example.bare" =     {
        CFBundleName = "${'a'.repeat(5_000)}";
    };
    "not an identifier" =     {
    };
    "com.example.text" = text;
}
`;
  t.same(readInstalledList(text), [
    { bundle: 'com.apple.Bridge', name: 'Watch', version: '1', isSystem: true },
    { bundle: 'com.example.shop', name: '你好 "Shop" \\U0041 = {;}', version: '3.2.1', isSystem: false },
    { bundle: 'com.example.bare', name: 'a'.repeat(200), version: undefined, isSystem: true },
  ]);
});

t.test('what is no list is refused', async (t) => {
  for (const text of ['', '(a, b)', 'text', '{ a = ']) t.throws(() => readInstalledList(text), text);
});
