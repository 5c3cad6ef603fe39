/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/client/sdk/bounds.test.ts > TAP > the default bounds of a client > must match snapshot 1`] = `
Object {
  "answerMs": 30000,
  "connectMs": 15000,
  "createMs": 150000,
  "failureBytes": 65536,
  "fileBytes": 68719476736,
  "graceMs": 2000,
  "heldBytes": 2000000000,
  "jsonBytes": 16777216,
  "reconnectMs": 30000,
  "screenshotBytes": 67108864,
  "silenceMs": 60000,
  "uploadedMs": 180000,
  "workMs": 60000,
}
`
