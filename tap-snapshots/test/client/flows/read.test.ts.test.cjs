/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/client/flows/read.test.ts > TAP > every form of a command that can be carried out is read > must match snapshot 1`] = `
launchApp "com.example.shop"
launchApp "com.example.other"
launchApp "com.example.other"
tapOn "Save"
tapOn "2022"
tapOn id "com.example:id/save" enabled number 0
tapOn at 50%, 25.5%
tapOn at 100,200
tapOn "Terms" at 10%,90%
tapOn "Delete" below "Groceries" right of id "title" with "Fruit"
doubleTapOn "Photo"
longPressOn "Row" in id "list"
inputText "\${GREETING}"
inputText "\\\\\${USER} is \${USER}"
eraseText
eraseText 5
eraseText 7
pressKey Volume Up
pressKey Enter
back
hideKeyboard
scroll
scrollUntilVisible "About"
swipe LEFT
swipe 90%,50% to 10%,50%
swipe UP from "Card"
assertVisible ".*saved.*"
assertNotVisible "Error"
extendedWaitUntil "Done"
waitForAnimationToEnd
waitForAnimationToEnd
takeScreenshot "after"
openLink "https://example.com"
copyTextFrom id "code"
pasteText
inputText
setClipboard "1234"
setLocation 52.52, 13.405
setOrientation LANDSCAPE_LEFT
startRecording "walk"
stopRecording
runFlow sub/login.yaml
runFlow sub/login.yaml
runFlow when "Cookies", Android
repeat 3 times
repeat while not "End"
retry 3 times at most
killApp "com.example.shop"
assertVisible "Optional"
`
