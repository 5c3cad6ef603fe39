/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/client/cli/terminal.test.ts > TAP > "--help" fits the terminal > 200 columns 1`] = `
Usage: runcloud [options] [command]

Remote control of iOS Simulators and Android Emulators

Options:
  -V, --version                    print the version
  -h, --help                       display help for command

Sessions:
  session                          Sessions
  ls                               List sessions, as "session list" does
  view                             Print the viewer's link; whoever has it may use it, so keep it
                                   like a key
  links                            Links for others to view or control a session
  control                          Who controls a session; input of others is refused
  watch                            Print events as they happen, until the session ends
  history                          Print what was done in a session, even after it has ended

Interactions:
  tap [x] [y]                      Tap the screen, or an element of it
  scroll [deltaX] [deltaY]         Scroll by fractions of the viewport, or to an element
  swipe <from> <to>                Move a finger from one point to another
  gesture <file>                   Move one or two fingers, step by step
  type <text>                      Type text
  insert <text>                    Insert text in any language
  key <key>                        Press a key
  button <button>                  Press a button
  rotate <orientation>             Turn the device
  reload                           Restart the foreground app
  keyboard                         Show or hide the software keyboard
  memory-warning                   Send a memory warning to the apps
  render-debug <option> <on|off>   Switch a rendering debug option on or off (iOS)
  apps                             List the apps of the device, and which is in front
  launch <app>                     Start an app, or bring it to the front
  terminate <app>                  End an app
  clear-data <app>                 End an app and delete all that it has stored
  uninstall <app>                  Remove an app that the session has brought
  permission <app> <kind> <verb>   Grant, revoke or reset a permission of an app that the session
                                   has brought
  push <app> <file>                Deliver a push notification to an app that the session has
                                   brought
  biometric <on|off>               Show the device the face or finger that it asks for, or another
                                   one
  location <latitude> <longitude>  Set the location of the device
  clear-location                   Give the device the location that it had before the session
  route <file> <speed>             Move the location of the device along a route
  where                            Tell where the device is, and how far along its route
  configure                        Change settings of the device, and tell those in force
  reset                            Put the device back to how it was when the session began
  screenshot                       Take a PNG of the display
  ui [id]                          Print what is on the screen
  wait                             Wait until something is so on the screen
  check                            Say whether something is so on the screen: exit code 0 or 1
  install <app>                    Install an app on the running device
  open-url <url>                   Open a web address or a deep link
  clipboard                        The clipboard of the device
  logs                             Print the log of the device
  media                            The photo library of the device
  files                            Files of the device
  run <->                          Perform requests from standard input, one JSON object per line,
                                   over one control socket
  mcp                              Serve a language model over standard input and output (Model
                                   Context Protocol)
  flow                             Flows: tests of an app, as files in the format of Maestro
  replay <from>                    Send the inputs of a history to another session, and tell which
                                   end otherwise

Recordings, apps and snapshots:
  record                           Recordings of the screen
  app                              Apps to install
  snapshot                         Kept states of devices, to start sessions from

Account:
  login                            Sign in: approve a code in the dashboard
  logout                           Sign out: revoke the tokens and delete them
  account                          Show the account of the current credential
  keys                             API keys
  tokens                           Programs that are signed in

Help:
  doctor                           Check the devices and the prerequisites of the service's host,
                                   and how to fix what is missing
  hosts                            List the hosts of the service, and which devices are free; for
                                   the operator
  skill                            Print the skill that teaches agents these commands
  completion <shell>               Print a script that completes commands in a shell
  version                          Print the version
  help [command]                   Show the help of a command

Environment:
  RUNCLOUD_API_KEY   your key; takes precedence over a sign-in
  RUNCLOUD_BASE_URL  the service (default: http://127.0.0.1:8787)
  RUNCLOUD_SESSION   the session (default: the last one)
  NO_COLOR           no colours on a terminal; FORCE_COLOR overrides it

A terminal gets sentences and tables, a pipe plain lines, and --json JSON. With --json, and where
standard error is no terminal, a failure is one JSON object on standard error.
Exit codes: 1 failed, 2 wrong arguments, 124 timed out, 130 interrupted.

`

exports[`test/client/cli/terminal.test.ts > TAP > "--help" fits the terminal > 60 columns 1`] = `
Usage: runcloud [options] [command]

Remote control of iOS Simulators and Android Emulators

Options:
  -V, --version                    print the version
  -h, --help                       display help for command

Sessions:
  session                          Sessions
  ls                               List sessions, as
                                   "session list" does
  view                             Print the viewer's link;
                                   whoever has it may use
                                   it, so keep it like a key
  links                            Links for others to view
                                   or control a session
  control                          Who controls a session;
                                   input of others is
                                   refused
  watch                            Print events as they
                                   happen, until the session
                                   ends
  history                          Print what was done in a
                                   session, even after it
                                   has ended

Interactions:
  tap [x] [y]                      Tap the screen, or an
                                   element of it
  scroll [deltaX] [deltaY]         Scroll by fractions of
                                   the viewport, or to an
                                   element
  swipe <from> <to>                Move a finger from one
                                   point to another
  gesture <file>                   Move one or two fingers,
                                   step by step
  type <text>                      Type text
  insert <text>                    Insert text in any
                                   language
  key <key>                        Press a key
  button <button>                  Press a button
  rotate <orientation>             Turn the device
  reload                           Restart the foreground
                                   app
  keyboard                         Show or hide the software
                                   keyboard
  memory-warning                   Send a memory warning to
                                   the apps
  render-debug <option> <on|off>   Switch a rendering debug
                                   option on or off (iOS)
  apps                             List the apps of the
                                   device, and which is in
                                   front
  launch <app>                     Start an app, or bring it
                                   to the front
  terminate <app>                  End an app
  clear-data <app>                 End an app and delete all
                                   that it has stored
  uninstall <app>                  Remove an app that the
                                   session has brought
  permission <app> <kind> <verb>   Grant, revoke or reset a
                                   permission of an app that
                                   the session has brought
  push <app> <file>                Deliver a push
                                   notification to an app
                                   that the session has
                                   brought
  biometric <on|off>               Show the device the face
                                   or finger that it asks
                                   for, or another one
  location <latitude> <longitude>  Set the location of the
                                   device
  clear-location                   Give the device the
                                   location that it had
                                   before the session
  route <file> <speed>             Move the location of the
                                   device along a route
  where                            Tell where the device is,
                                   and how far along its
                                   route
  configure                        Change settings of the
                                   device, and tell those in
                                   force
  reset                            Put the device back to
                                   how it was when the
                                   session began
  screenshot                       Take a PNG of the display
  ui [id]                          Print what is on the
                                   screen
  wait                             Wait until something is
                                   so on the screen
  check                            Say whether something is
                                   so on the screen: exit
                                   code 0 or 1
  install <app>                    Install an app on the
                                   running device
  open-url <url>                   Open a web address or a
                                   deep link
  clipboard                        The clipboard of the
                                   device
  logs                             Print the log of the
                                   device
  media                            The photo library of the
                                   device
  files                            Files of the device
  run <->                          Perform requests from
                                   standard input, one JSON
                                   object per line, over one
                                   control socket
  mcp                              Serve a language model
                                   over standard input and
                                   output (Model Context
                                   Protocol)
  flow                             Flows: tests of an app,
                                   as files in the format of
                                   Maestro
  replay <from>                    Send the inputs of a
                                   history to another
                                   session, and tell which
                                   end otherwise

Recordings, apps and snapshots:
  record                           Recordings of the screen
  app                              Apps to install
  snapshot                         Kept states of devices,
                                   to start sessions from

Account:
  login                            Sign in: approve a code
                                   in the dashboard
  logout                           Sign out: revoke the
                                   tokens and delete them
  account                          Show the account of the
                                   current credential
  keys                             API keys
  tokens                           Programs that are signed
                                   in

Help:
  doctor                           Check the devices and the
                                   prerequisites of the
                                   service's host, and how
                                   to fix what is missing
  hosts                            List the hosts of the
                                   service, and which
                                   devices are free; for the
                                   operator
  skill                            Print the skill that
                                   teaches agents these
                                   commands
  completion <shell>               Print a script that
                                   completes commands in a
                                   shell
  version                          Print the version
  help [command]                   Show the help of a
                                   command

Environment:
  RUNCLOUD_API_KEY   your key; takes precedence over a
                     sign-in
  RUNCLOUD_BASE_URL  the service (default:
                     http://127.0.0.1:8787)
  RUNCLOUD_SESSION   the session (default: the last one)
  NO_COLOR           no colours on a terminal; FORCE_COLOR
                     overrides it

A terminal gets sentences and tables, a pipe plain lines,
and --json JSON. With --json, and where standard error is no
terminal, a failure is one JSON object on standard error.
Exit codes: 1 failed, 2 wrong arguments, 124 timed out, 130
interrupted.

`

exports[`test/client/cli/terminal.test.ts > TAP > "--help" fits the terminal > 80 columns 1`] = `
Usage: runcloud [options] [command]

Remote control of iOS Simulators and Android Emulators

Options:
  -V, --version                    print the version
  -h, --help                       display help for command

Sessions:
  session                          Sessions
  ls                               List sessions, as "session list" does
  view                             Print the viewer's link; whoever has it may
                                   use it, so keep it like a key
  links                            Links for others to view or control a session
  control                          Who controls a session; input of others is
                                   refused
  watch                            Print events as they happen, until the
                                   session ends
  history                          Print what was done in a session, even after
                                   it has ended

Interactions:
  tap [x] [y]                      Tap the screen, or an element of it
  scroll [deltaX] [deltaY]         Scroll by fractions of the viewport, or to an
                                   element
  swipe <from> <to>                Move a finger from one point to another
  gesture <file>                   Move one or two fingers, step by step
  type <text>                      Type text
  insert <text>                    Insert text in any language
  key <key>                        Press a key
  button <button>                  Press a button
  rotate <orientation>             Turn the device
  reload                           Restart the foreground app
  keyboard                         Show or hide the software keyboard
  memory-warning                   Send a memory warning to the apps
  render-debug <option> <on|off>   Switch a rendering debug option on or off
                                   (iOS)
  apps                             List the apps of the device, and which is in
                                   front
  launch <app>                     Start an app, or bring it to the front
  terminate <app>                  End an app
  clear-data <app>                 End an app and delete all that it has stored
  uninstall <app>                  Remove an app that the session has brought
  permission <app> <kind> <verb>   Grant, revoke or reset a permission of an app
                                   that the session has brought
  push <app> <file>                Deliver a push notification to an app that
                                   the session has brought
  biometric <on|off>               Show the device the face or finger that it
                                   asks for, or another one
  location <latitude> <longitude>  Set the location of the device
  clear-location                   Give the device the location that it had
                                   before the session
  route <file> <speed>             Move the location of the device along a route
  where                            Tell where the device is, and how far along
                                   its route
  configure                        Change settings of the device, and tell those
                                   in force
  reset                            Put the device back to how it was when the
                                   session began
  screenshot                       Take a PNG of the display
  ui [id]                          Print what is on the screen
  wait                             Wait until something is so on the screen
  check                            Say whether something is so on the screen:
                                   exit code 0 or 1
  install <app>                    Install an app on the running device
  open-url <url>                   Open a web address or a deep link
  clipboard                        The clipboard of the device
  logs                             Print the log of the device
  media                            The photo library of the device
  files                            Files of the device
  run <->                          Perform requests from standard input, one
                                   JSON object per line, over one control socket
  mcp                              Serve a language model over standard input
                                   and output (Model Context Protocol)
  flow                             Flows: tests of an app, as files in the
                                   format of Maestro
  replay <from>                    Send the inputs of a history to another
                                   session, and tell which end otherwise

Recordings, apps and snapshots:
  record                           Recordings of the screen
  app                              Apps to install
  snapshot                         Kept states of devices, to start sessions
                                   from

Account:
  login                            Sign in: approve a code in the dashboard
  logout                           Sign out: revoke the tokens and delete them
  account                          Show the account of the current credential
  keys                             API keys
  tokens                           Programs that are signed in

Help:
  doctor                           Check the devices and the prerequisites of
                                   the service's host, and how to fix what is
                                   missing
  hosts                            List the hosts of the service, and which
                                   devices are free; for the operator
  skill                            Print the skill that teaches agents these
                                   commands
  completion <shell>               Print a script that completes commands in a
                                   shell
  version                          Print the version
  help [command]                   Show the help of a command

Environment:
  RUNCLOUD_API_KEY   your key; takes precedence over a sign-in
  RUNCLOUD_BASE_URL  the service (default: http://127.0.0.1:8787)
  RUNCLOUD_SESSION   the session (default: the last one)
  NO_COLOR           no colours on a terminal; FORCE_COLOR overrides it

A terminal gets sentences and tables, a pipe plain lines, and --json JSON. With
--json, and where standard error is no terminal, a failure is one JSON object on
standard error.
Exit codes: 1 failed, 2 wrong arguments, 124 timed out, 130 interrupted.

`

exports[`test/client/cli/terminal.test.ts > TAP > "app list" is a table that fits the terminal, and lines in a pipe > 200 columns 1`] = `
ID     NAME  VERSION  PLATFORM  SIZE     UPLOADED  IDENTIFIER
ast_1  Demo  1.2.3    ios       4.0 KiB  3 d ago   com.example.demonstration
There are more: see all with --all, or the next with --cursor here

`

exports[`test/client/cli/terminal.test.ts > TAP > "app list" is a table that fits the terminal, and lines in a pipe > 60 columns 1`] = `
ID     NAME  VERSION  PLATFORM  SIZE     UPLOADED
ast_1  Demo  1.2.3    ios       4.0 KiB  3 d ago
There are more: see all with --all, or the next with
--cursor here

`

exports[`test/client/cli/terminal.test.ts > TAP > "app list" is a table that fits the terminal, and lines in a pipe > 80 columns 1`] = `
ID     NAME  VERSION  PLATFORM  SIZE     UPLOADED  IDENTIFIER
ast_1  Demo  1.2.3    ios       4.0 KiB  3 d ago   com.example.demonstration
There are more: see all with --all, or the next with --cursor here

`

exports[`test/client/cli/terminal.test.ts > TAP > "app list" is a table that fits the terminal, and lines in a pipe > pipe 1`] = `
ast_1  ios  Demo 1.2.3 (com.example.demonstration)  4.0 KiB
There are more: see all with --all, or the next with --cursor here

`

exports[`test/client/cli/terminal.test.ts > TAP > "doctor" is a table that fits the terminal, and lines in a pipe > 200 columns 1`] = `
✓ Service          http://service:8787
✓ Account          local (acc_1)
✓ Virtual devices  4 iOS, 4 Android
✗ adb              The program is not on the PATH of the service, and ANDROID_HOME is not set.
                   Install the platform tools of the Android SDK, or set ANDROID_HOME to where they are, and start the service again.
– Xcode            Only on macOS.

`

exports[`test/client/cli/terminal.test.ts > TAP > "doctor" is a table that fits the terminal, and lines in a pipe > 60 columns 1`] = `
✓ Service          http://service:8787
✓ Account          local (acc_1)
✓ Virtual devices  4 iOS, 4 Android
✗ adb              The program is not on the PATH of the
                   service, and ANDROID_HOME is not set.
                   Install the platform tools of the Android
                   SDK, or set ANDROID_HOME to where they
                   are, and start the service again.
– Xcode            Only on macOS.

`

exports[`test/client/cli/terminal.test.ts > TAP > "doctor" is a table that fits the terminal, and lines in a pipe > 80 columns 1`] = `
✓ Service          http://service:8787
✓ Account          local (acc_1)
✓ Virtual devices  4 iOS, 4 Android
✗ adb              The program is not on the PATH of the service, and
                   ANDROID_HOME is not set.
                   Install the platform tools of the Android SDK, or set
                   ANDROID_HOME to where they are, and start the service again.
– Xcode            Only on macOS.

`

exports[`test/client/cli/terminal.test.ts > TAP > "doctor" is a table that fits the terminal, and lines in a pipe > pipe 1`] = `
Service          ready     http://service:8787
Account          ready     local (acc_1)
Virtual devices  ready     4 iOS, 4 Android
adb              missing   The program is not on the PATH of the service, and ANDROID_HOME is not set.
                           fix: Install the platform tools of the Android SDK, or set ANDROID_HOME to where they are, and start the service again.
Xcode            unavailable  Only on macOS.

`

exports[`test/client/cli/terminal.test.ts > TAP > "keys list" is a table that fits the terminal, and lines in a pipe > 200 columns 1`] = `
ID     NAME                       CREATED    EXPIRES  LAST USED
key_2  CI                         3 min ago  in 30 d  30 s ago
key_1  a name that somebody gave  69 d ago   never    never

`

exports[`test/client/cli/terminal.test.ts > TAP > "keys list" is a table that fits the terminal, and lines in a pipe > 60 columns 1`] = `
ID     NAME                    CREATED    EXPIRES  LAST USED
key_2  CI                      3 min ago  in 30 d  30 s ago
key_1  a name that somebody …  69 d ago   never    never

`

exports[`test/client/cli/terminal.test.ts > TAP > "keys list" is a table that fits the terminal, and lines in a pipe > 80 columns 1`] = `
ID     NAME                       CREATED    EXPIRES  LAST USED
key_2  CI                         3 min ago  in 30 d  30 s ago
key_1  a name that somebody gave  69 d ago   never    never

`

exports[`test/client/cli/terminal.test.ts > TAP > "keys list" is a table that fits the terminal, and lines in a pipe > pipe 1`] = `
key_2  CI  expires 2026-03-31T12:00:00.000Z  last used 2026-03-01T11:59:30.000Z
key_1  a name that somebody gave  does not expire  never used

`

exports[`test/client/cli/terminal.test.ts > TAP > "links list" is a table that fits the terminal, and lines in a pipe > 200 columns 1`] = `
ID     ROLE  EXPIRES    IN PAGES OF
lnk_1  view  in 45 min  https://pages.example

`

exports[`test/client/cli/terminal.test.ts > TAP > "links list" is a table that fits the terminal, and lines in a pipe > 60 columns 1`] = `
ID     ROLE  EXPIRES    IN PAGES OF
lnk_1  view  in 45 min  https://pages.example

`

exports[`test/client/cli/terminal.test.ts > TAP > "links list" is a table that fits the terminal, and lines in a pipe > 80 columns 1`] = `
ID     ROLE  EXPIRES    IN PAGES OF
lnk_1  view  in 45 min  https://pages.example

`

exports[`test/client/cli/terminal.test.ts > TAP > "links list" is a table that fits the terminal, and lines in a pipe > pipe 1`] = `
lnk_1  view  expires 2026-03-01T12:45:00.000Z  in pages of https://pages.example

`

exports[`test/client/cli/terminal.test.ts > TAP > "ls" is a table that fits the terminal, and lines in a pipe > 200 columns 1`] = `
ID                          STATUS    STARTED     ENDS      PLATFORM  LABELS                                                  DEVICE
ses_1111111111111111111111  starting  7 min ago   in 4 min  android   build=7 team=日本語チーム                                Virtual iPhone 15 (iOS 17.4)
ses_2222222222222222222222  active    14 min ago  in 8 min  ios       purpose=a long label, which takes much room in a table  Virtual iPhone 15 (iOS 17.4)

`

exports[`test/client/cli/terminal.test.ts > TAP > "ls" is a table that fits the terminal, and lines in a pipe > 60 columns 1`] = `
ID                          STATUS    STARTED     ENDS
ses_1111111111111111111111  starting  7 min ago   in 4 min
ses_2222222222222222222222  active    14 min ago  in 8 min

`

exports[`test/client/cli/terminal.test.ts > TAP > "ls" is a table that fits the terminal, and lines in a pipe > 80 columns 1`] = `
ID                          STATUS    STARTED     ENDS      PLATFORM  LABELS
ses_1111111111111111111111  starting  7 min ago   in 4 min  android   build=7 t…
ses_2222222222222222222222  active    14 min ago  in 8 min  ios       purpose=a…

`

exports[`test/client/cli/terminal.test.ts > TAP > "ls" is a table that fits the terminal, and lines in a pipe > pipe 1`] = `
ses_1111111111111111111111  android  starting  Virtual iPhone 15 (iOS 17.4)
ses_2222222222222222222222  ios  active  Virtual iPhone 15 (iOS 17.4)
ses_9999999999999999999999  ios  released  Virtual iPhone 15 (iOS 17.4)

`

exports[`test/client/cli/terminal.test.ts > TAP > "record list" is a table that fits the terminal, and lines in a pipe > 200 columns 1`] = `
ID       STATUS     STARTED   LENGTH  SIZE     FAILURE
rec_333  recording  60 s ago
rec_222  ready      5 h ago   83.4 s  2.2 MiB
rec_111  failed     2 d ago                    The device was lost while it was recorded.

`

exports[`test/client/cli/terminal.test.ts > TAP > "record list" is a table that fits the terminal, and lines in a pipe > 60 columns 1`] = `
ID       STATUS     STARTED   LENGTH  SIZE     FAILURE
rec_333  recording  60 s ago
rec_222  ready      5 h ago   83.4 s  2.2 MiB
rec_111  failed     2 d ago                    The device w…

`

exports[`test/client/cli/terminal.test.ts > TAP > "record list" is a table that fits the terminal, and lines in a pipe > 80 columns 1`] = `
ID       STATUS     STARTED   LENGTH  SIZE     FAILURE
rec_333  recording  60 s ago
rec_222  ready      5 h ago   83.4 s  2.2 MiB
rec_111  failed     2 d ago                    The device was lost while it was…

`

exports[`test/client/cli/terminal.test.ts > TAP > "record list" is a table that fits the terminal, and lines in a pipe > pipe 1`] = `
rec_333  recording  2026-03-01T11:59:00.000Z
rec_222  ready  2026-03-01T07:00:00.000Z  83.4 s  2.2 MiB
rec_111  failed  2026-02-27T10:00:00.000Z  device_lost: The device was lost while it was recorded.

`

exports[`test/client/cli/terminal.test.ts > TAP > "record status rec_222" is a table that fits the terminal, and lines in a pipe > 200 columns 1`] = `
Recording   rec_222
Status      ready
Started     5 h ago
Length      83.4 s
Size        2.2 MiB
Kept until  in 7 d

EVENT    WHEN     STATUS    DETAIL
created  5 h ago  starting
ready    5 h ago  ready     verified and stored, after a second look

`

exports[`test/client/cli/terminal.test.ts > TAP > "record status rec_222" is a table that fits the terminal, and lines in a pipe > 60 columns 1`] = `
Recording   rec_222
Status      ready
Started     5 h ago
Length      83.4 s
Size        2.2 MiB
Kept until  in 7 d

EVENT    WHEN     STATUS    DETAIL
created  5 h ago  starting
ready    5 h ago  ready     verified and stored, after a se…

`

exports[`test/client/cli/terminal.test.ts > TAP > "record status rec_222" is a table that fits the terminal, and lines in a pipe > 80 columns 1`] = `
Recording   rec_222
Status      ready
Started     5 h ago
Length      83.4 s
Size        2.2 MiB
Kept until  in 7 d

EVENT    WHEN     STATUS    DETAIL
created  5 h ago  starting
ready    5 h ago  ready     verified and stored, after a second look

`

exports[`test/client/cli/terminal.test.ts > TAP > "record status rec_222" is a table that fits the terminal, and lines in a pipe > pipe 1`] = `
rec_222  ready  2026-03-01T07:00:00.000Z  83.4 s  2.2 MiB
  2026-03-01T07:00:00.000Z  created  starting
  2026-03-01T07:02:00.000Z  ready  ready

`

exports[`test/client/cli/terminal.test.ts > TAP > "session --help" fits the terminal > 200 columns 1`] = `
Usage: runcloud session [options] [command]

Sessions

Options:
  -h, --help         display help for command

Commands:
  create <platform>  Create a session and use it for later commands
  get [id]           Show a session, even after it has ended
  list               List sessions, newest first
  delete [id]        Release a session and its device
  use <id>           Use a session for later commands
  help [command]     display help for command

`

exports[`test/client/cli/terminal.test.ts > TAP > "session --help" fits the terminal > 60 columns 1`] = `
Usage: runcloud session [options] [command]

Sessions

Options:
  -h, --help         display help for command

Commands:
  create <platform>  Create a session and use it for later
                     commands
  get [id]           Show a session, even after it has ended
  list               List sessions, newest first
  delete [id]        Release a session and its device
  use <id>           Use a session for later commands
  help [command]     display help for command

`

exports[`test/client/cli/terminal.test.ts > TAP > "session --help" fits the terminal > 80 columns 1`] = `
Usage: runcloud session [options] [command]

Sessions

Options:
  -h, --help         display help for command

Commands:
  create <platform>  Create a session and use it for later commands
  get [id]           Show a session, even after it has ended
  list               List sessions, newest first
  delete [id]        Release a session and its device
  use <id>           Use a session for later commands
  help [command]     display help for command

`

exports[`test/client/cli/terminal.test.ts > TAP > "session create --help" fits the terminal > 200 columns 1`] = `
Usage: runcloud session create [options] <platform>

Create a session and use it for later commands

Arguments:
  platform                         ios or android

Options:
  --json                           print JSON
  --device <model>                 model of the device
  --os <version>                   version of its operating system
  --snapshot <name>                snapshot that the device begins with
  --orientation <orientation>      initial orientation (default: portrait)
  --inactivity-timeout <duration>  end after this time without activity (default: 10m)
  --hard-timeout <duration>        end after this time even if active (default: 2h)
  --app <ids>                      uploaded apps to install
  --embed-origin <origins>         origins of pages that may embed the viewer
  --label <name=value>             a label; can be repeated
  --history-texts <what>           full keeps texts in the history, to replay them (default: length)
  --history-elements               keep in the history what is under each touch, for "flow capture"
  -h, --help                       display help for command

Examples:
  $ runcloud session create ios
  $ runcloud session create android --inactivity-timeout 30m --label build=7

`

exports[`test/client/cli/terminal.test.ts > TAP > "session create --help" fits the terminal > 60 columns 1`] = `
Usage: runcloud session create [options] <platform>

Create a session and use it for later commands

Arguments:
  platform                         ios or android

Options:
  --json                           print JSON
  --device <model>                 model of the device
  --os <version>                   version of its operating
                                   system
  --snapshot <name>                snapshot that the device
                                   begins with
  --orientation <orientation>      initial orientation
                                   (default: portrait)
  --inactivity-timeout <duration>  end after this time
                                   without activity
                                   (default: 10m)
  --hard-timeout <duration>        end after this time even
                                   if active (default: 2h)
  --app <ids>                      uploaded apps to install
  --embed-origin <origins>         origins of pages that may
                                   embed the viewer
  --label <name=value>             a label; can be repeated
  --history-texts <what>           full keeps texts in the
                                   history, to replay them
                                   (default: length)
  --history-elements               keep in the history what
                                   is under each touch, for
                                   "flow capture"
  -h, --help                       display help for command

Examples:
  $ runcloud session create ios
  $ runcloud session create android --inactivity-timeout 30m --label build=7

`

exports[`test/client/cli/terminal.test.ts > TAP > "session create --help" fits the terminal > 80 columns 1`] = `
Usage: runcloud session create [options] <platform>

Create a session and use it for later commands

Arguments:
  platform                         ios or android

Options:
  --json                           print JSON
  --device <model>                 model of the device
  --os <version>                   version of its operating system
  --snapshot <name>                snapshot that the device begins with
  --orientation <orientation>      initial orientation (default: portrait)
  --inactivity-timeout <duration>  end after this time without activity
                                   (default: 10m)
  --hard-timeout <duration>        end after this time even if active (default:
                                   2h)
  --app <ids>                      uploaded apps to install
  --embed-origin <origins>         origins of pages that may embed the viewer
  --label <name=value>             a label; can be repeated
  --history-texts <what>           full keeps texts in the history, to replay
                                   them (default: length)
  --history-elements               keep in the history what is under each touch,
                                   for "flow capture"
  -h, --help                       display help for command

Examples:
  $ runcloud session create ios
  $ runcloud session create android --inactivity-timeout 30m --label build=7

`

exports[`test/client/cli/terminal.test.ts > TAP > "session list --all" is a table that fits the terminal, and lines in a pipe > 200 columns 1`] = `
ID                          STATUS    STARTED     ENDS        PLATFORM  LABELS                                                  DEVICE
ses_1111111111111111111111  starting  7 min ago   in 4 min    android   build=7 team=日本語チーム                                Virtual iPhone 15 (iOS 17.4)
ses_2222222222222222222222  active    14 min ago  in 8 min    ios       purpose=a long label, which takes much room in a table  Virtual iPhone 15 (iOS 17.4)
ses_9999999999999999999999  released  63 min ago  60 min ago  ios                                                               Virtual iPhone 15 (iOS 17.4)

`

exports[`test/client/cli/terminal.test.ts > TAP > "session list --all" is a table that fits the terminal, and lines in a pipe > 60 columns 1`] = `
ID                          STATUS    STARTED     ENDS
ses_1111111111111111111111  starting  7 min ago   in 4 min
ses_2222222222222222222222  active    14 min ago  in 8 min
ses_9999999999999999999999  released  63 min ago  60 min ago

`

exports[`test/client/cli/terminal.test.ts > TAP > "session list --all" is a table that fits the terminal, and lines in a pipe > 80 columns 1`] = `
ID                          STATUS    STARTED     ENDS        PLATFORM  LABELS
ses_1111111111111111111111  starting  7 min ago   in 4 min    android   build=7…
ses_2222222222222222222222  active    14 min ago  in 8 min    ios       purpose…
ses_9999999999999999999999  released  63 min ago  60 min ago  ios

`

exports[`test/client/cli/terminal.test.ts > TAP > "session list --all" is a table that fits the terminal, and lines in a pipe > pipe 1`] = `
ses_1111111111111111111111  android  starting  Virtual iPhone 15 (iOS 17.4)
ses_2222222222222222222222  ios  active  Virtual iPhone 15 (iOS 17.4)
ses_9999999999999999999999  ios  released  Virtual iPhone 15 (iOS 17.4)

`

exports[`test/client/cli/terminal.test.ts > TAP > "tap --help" fits the terminal > 200 columns 1`] = `
Usage: runcloud tap [options] [x] [y]

Tap the screen, or an element of it

Arguments:
  x                   fraction of the width, 0 to 1 from the left
  y                   fraction of the height, 0 to 1 from the top

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  --on <text>         the element with this name or value
  --id <id>           the element with this id, the app's own name of it
  --role <role>       the kind of the element: button, textfield, cell, ...
  --near <text>       of several, the nearest to the element with this text
  --index <number>    which of several, from 0
  --exact             the text is the whole name or value, letter by letter
  --ref <number>      the number behind "@" in what "ui" printed, with its --frame
  --frame <number>    the frame that the ref belongs to
  --wait <time>       how long to wait for the element (default: 2s)
  -h, --help          display help for command

Examples:
  $ runcloud tap 0.5 0.5
  $ runcloud tap --on Save
  $ runcloud tap --role switch --near "Dark mode"
  $ runcloud tap --ref 2 --frame 42
  $ runcloud tap --on Save --observe

`

exports[`test/client/cli/terminal.test.ts > TAP > "tap --help" fits the terminal > 60 columns 1`] = `
Usage: runcloud tap [options] [x] [y]

Tap the screen, or an element of it

Arguments:
  x                   fraction of the width, 0 to 1 from the
                      left
  y                   fraction of the height, 0 to 1 from
                      the top

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION
                      or the last one)
  --timeout <time>    milliseconds, or a duration such as
                      5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  --on <text>         the element with this name or value
  --id <id>           the element with this id, the app's
                      own name of it
  --role <role>       the kind of the element: button,
                      textfield, cell, ...
  --near <text>       of several, the nearest to the element
                      with this text
  --index <number>    which of several, from 0
  --exact             the text is the whole name or value,
                      letter by letter
  --ref <number>      the number behind "@" in what "ui"
                      printed, with its --frame
  --frame <number>    the frame that the ref belongs to
  --wait <time>       how long to wait for the element
                      (default: 2s)
  -h, --help          display help for command

Examples:
  $ runcloud tap 0.5 0.5
  $ runcloud tap --on Save
  $ runcloud tap --role switch --near "Dark mode"
  $ runcloud tap --ref 2 --frame 42
  $ runcloud tap --on Save --observe

`

exports[`test/client/cli/terminal.test.ts > TAP > "tap --help" fits the terminal > 80 columns 1`] = `
Usage: runcloud tap [options] [x] [y]

Tap the screen, or an element of it

Arguments:
  x                   fraction of the width, 0 to 1 from the left
  y                   fraction of the height, 0 to 1 from the top

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s
                      (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  --on <text>         the element with this name or value
  --id <id>           the element with this id, the app's own name of it
  --role <role>       the kind of the element: button, textfield, cell, ...
  --near <text>       of several, the nearest to the element with this text
  --index <number>    which of several, from 0
  --exact             the text is the whole name or value, letter by letter
  --ref <number>      the number behind "@" in what "ui" printed, with its
                      --frame
  --frame <number>    the frame that the ref belongs to
  --wait <time>       how long to wait for the element (default: 2s)
  -h, --help          display help for command

Examples:
  $ runcloud tap 0.5 0.5
  $ runcloud tap --on Save
  $ runcloud tap --role switch --near "Dark mode"
  $ runcloud tap --ref 2 --frame 42
  $ runcloud tap --on Save --observe

`

exports[`test/client/cli/terminal.test.ts > TAP > "tokens list" is a table that fits the terminal, and lines in a pipe > 200 columns 1`] = `
ID     SIGNED IN   LAST USED  PROGRAM                ON
tok_1  90 min ago  never      RunCloud command line  laptop

`

exports[`test/client/cli/terminal.test.ts > TAP > "tokens list" is a table that fits the terminal, and lines in a pipe > 60 columns 1`] = `
ID     SIGNED IN   LAST USED  PROGRAM                ON
tok_1  90 min ago  never      RunCloud command line  laptop

`

exports[`test/client/cli/terminal.test.ts > TAP > "tokens list" is a table that fits the terminal, and lines in a pipe > 80 columns 1`] = `
ID     SIGNED IN   LAST USED  PROGRAM                ON
tok_1  90 min ago  never      RunCloud command line  laptop

`

exports[`test/client/cli/terminal.test.ts > TAP > "tokens list" is a table that fits the terminal, and lines in a pipe > pipe 1`] = `
tok_1  RunCloud command line on laptop  signed in 2026-03-01T10:30:00.000Z  never used

`

exports[`test/client/cli/terminal.test.ts > TAP > a list shows live sessions to a person, and everything to a program > none at all 1`] = `
No sessions. Create one with "runcloud session create ios".

`

exports[`test/client/cli/terminal.test.ts > TAP > a list shows live sessions to a person, and everything to a program > none live 1`] = `
No live sessions. Create one with "runcloud session create ios", or see ended
ones with --all.

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: a command of a group > 200 columns 1`] = `
✗ Unknown command 'list' (Did you mean one of session list, links list, record list?)
  See "runcloud --help".

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: a command of a group > 60 columns 1`] = `
✗ Unknown command 'list' (Did you mean one of session list,
  links list, record list?)
  See "runcloud --help".

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: a command of a group > 80 columns 1`] = `
✗ Unknown command 'list' (Did you mean one of session list, links list, record
  list?)
  See "runcloud --help".

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: a command of a group > pipe 1`] = `
{"ok":false,"status":"failed","error":{"code":"invalid_request","message":"Unknown command 'list' (Did you mean one of session list, links list, record list?)","retryable":false}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: a file that is there > 60 columns 1`] = `
✗ "package.json" is there already; --force overwrites it.

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: a file that is there > pipe 1`] = `
{"ok":false,"status":"failed","error":{"code":"invalid_request","message":"\\"package.json\\" is there already; --force overwrites it.","retryable":false}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: a mistyped command > 60 columns 1`] = `
✗ Unknown command 'screnshot' (Did you mean screenshot?)
  See "runcloud --help".

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: a mistyped command > pipe 1`] = `
{"ok":false,"status":"failed","error":{"code":"invalid_request","message":"Unknown command 'screnshot' (Did you mean screenshot?)","retryable":false}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: a wrong argument > 60 columns 1`] = `
✗ "y" must be a number from 0 to 1.

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: a wrong argument > pipe 1`] = `
{"ok":false,"status":"failed","error":{"code":"invalid_request","message":"\\"y\\" must be a number from 0 to 1.","retryable":false}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: a wrong key > 200 columns 1`] = `
✗ The service at http://service:8787 does not accept the key in RUNCLOUD_API_KEY.
  It may be mistyped, expired, revoked, or of another service. Set another one, or unset it and sign in with "runcloud login".
  authentication_required  req_1

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: a wrong key > 60 columns 1`] = `
✗ The service at http://service:8787 does not accept the
  key in RUNCLOUD_API_KEY.
  It may be mistyped, expired, revoked, or of another
  service. Set another one, or unset it and sign in with
  "runcloud login".
  authentication_required  req_1

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: a wrong key > 80 columns 1`] = `
✗ The service at http://service:8787 does not accept the key in
  RUNCLOUD_API_KEY.
  It may be mistyped, expired, revoked, or of another service. Set another one,
  or unset it and sign in with "runcloud login".
  authentication_required  req_1

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: a wrong key > pipe 1`] = `
{"ok":false,"requestId":"req_1","status":"failed","acceptedAt":"2026-01-02T03:04:05.006Z","completedAt":"2026-01-02T03:04:05.016Z","durationMs":10,"error":{"code":"authentication_required","message":"A valid API key is required.","retryable":false,"action":"Send the header \\"Authorization: Bearer <API key>\\"."}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: an ended session > 200 columns 1`] = `
✗ There is no active session ses_2222222222222222222222 at http://service:8787.
  It may have ended. See your live sessions with "runcloud ls", or create one with "runcloud session create ios".
  active_session_not_found  req_1

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: an ended session > 60 columns 1`] = `
✗ There is no active session ses_2222222222222222222222 at
  http://service:8787.
  It may have ended. See your live sessions with "runcloud
  ls", or create one with "runcloud session create ios".
  active_session_not_found  req_1

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: an ended session > 80 columns 1`] = `
✗ There is no active session ses_2222222222222222222222 at
  http://service:8787.
  It may have ended. See your live sessions with "runcloud ls", or create one
  with "runcloud session create ios".
  active_session_not_found  req_1

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: an ended session > pipe 1`] = `
{"ok":false,"requestId":"req_1","sessionId":"ses_2222222222222222222222","status":"failed","acceptedAt":"2026-01-02T03:04:05.006Z","completedAt":"2026-01-02T03:04:05.016Z","durationMs":10,"error":{"code":"active_session_not_found","message":"There is no active session with this id.","retryable":false,"action":"Create a new session."}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: an error of the service > 60 columns 1`] = `
✗ The service failed to answer.
  The operator of the service finds more under the request
  id below in its log.
  internal_error  req_1

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: an error of the service > 80 columns 1`] = `
✗ The service failed to answer.
  The operator of the service finds more under the request id below in its log.
  internal_error  req_1

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: an error of the service > pipe 1`] = `
{"ok":false,"requestId":"req_1","status":"failed","acceptedAt":"2026-01-02T03:04:05.006Z","completedAt":"2026-01-02T03:04:05.016Z","durationMs":10,"error":{"code":"internal_error","message":"The service failed to answer.","retryable":false,"action":"Report the request id to the operator."}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: an unknown error > 60 columns 1`] = `
✗ It is of_a_later_version.
  Do something.
  of_a_later_version  req_1

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: an unknown error > pipe 1`] = `
{"ok":false,"requestId":"req_1","status":"failed","acceptedAt":"2026-01-02T03:04:05.006Z","completedAt":"2026-01-02T03:04:05.016Z","durationMs":10,"error":{"code":"of_a_later_version","message":"It is of_a_later_version.","retryable":false,"action":"Do something."}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: an unknown option > 60 columns 1`] = `
✗ Unknown option '--sesion' (Did you mean --session?)
  See "runcloud tap --help".

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: an unknown option > pipe 1`] = `
{"ok":false,"status":"failed","error":{"code":"invalid_request","message":"Unknown option '--sesion' (Did you mean --session?)","retryable":false}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: another service > 200 columns 1`] = `
✗ The service gave a wrong answer: status 404 without an error of this service.
  Is there a RunCloud service at http://service:8787? If not, name another service in RUNCLOUD_BASE_URL.
  invalid_response

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: another service > 60 columns 1`] = `
✗ The service gave a wrong answer: status 404 without an
  error of this service.
  Is there a RunCloud service at http://service:8787? If
  not, name another service in RUNCLOUD_BASE_URL.
  invalid_response

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: another service > 80 columns 1`] = `
✗ The service gave a wrong answer: status 404 without an error of this service.
  Is there a RunCloud service at http://service:8787? If not, name another
  service in RUNCLOUD_BASE_URL.
  invalid_response

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: another service > pipe 1`] = `
{"ok":false,"status":"failed","error":{"code":"invalid_response","message":"The service gave a wrong answer: status 404 without an error of this service.","retryable":false}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: another word > 60 columns 1`] = `
✗ Unknown command 'dance' (Did you mean launch?)
  See "runcloud --help".

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: another word > pipe 1`] = `
{"ok":false,"status":"failed","error":{"code":"invalid_request","message":"Unknown command 'dance' (Did you mean launch?)","retryable":false}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: another word in a group > 60 columns 1`] = `
✗ Unknown command 'lst' (Did you mean list?)
  See "runcloud session --help".

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: another word in a group > pipe 1`] = `
{"ok":false,"status":"failed","error":{"code":"invalid_request","message":"Unknown command 'lst' (Did you mean list?)","retryable":false}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no address > 60 columns 1`] = `
✗ RUNCLOUD_BASE_URL is "example.com", which is no http or
  https address.
  The address of a service looks like http://127.0.0.1:8787.

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no address > 80 columns 1`] = `
✗ RUNCLOUD_BASE_URL is "example.com", which is no http or https address.
  The address of a service looks like http://127.0.0.1:8787.

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no address > pipe 1`] = `
{"ok":false,"status":"failed","error":{"code":"invalid_request","message":"RUNCLOUD_BASE_URL is \\"example.com\\", which is no http or https address.","retryable":false}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no answer > 60 columns 1`] = `
✗ The service at http://service:8787 did not answer in
  time.
  Check with "runcloud doctor" whether it is well.
  request_timeout

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no answer > 80 columns 1`] = `
✗ The service at http://service:8787 did not answer in time.
  Check with "runcloud doctor" whether it is well.
  request_timeout

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no answer > pipe 1`] = `
{"ok":false,"status":"timed_out","error":{"code":"request_timeout","message":"The service did not answer in time.","retryable":true}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no answer, for a tap > 200 columns 1`] = `
✗ The service at http://service:8787 did not answer in time.
  Give it longer with --timeout, or check with "runcloud doctor" whether it is well.
  interaction_timeout  req_X

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no answer, for a tap > 60 columns 1`] = `
✗ The service at http://service:8787 did not answer in
  time.
  Give it longer with --timeout, or check with "runcloud
  doctor" whether it is well.
  interaction_timeout  req_X

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no answer, for a tap > 80 columns 1`] = `
✗ The service at http://service:8787 did not answer in time.
  Give it longer with --timeout, or check with "runcloud doctor" whether it is
  well.
  interaction_timeout  req_X

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no answer, for a tap > pipe 1`] = `
{"ok":false,"requestId":"req_X","action":"tap","status":"timed_out","error":{"code":"interaction_timeout","message":"The service did not answer in time.","retryable":true}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no argument > 60 columns 1`] = `
✗ Missing required argument 'from'.
  See "runcloud swipe --help".

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no argument > pipe 1`] = `
{"ok":false,"status":"failed","error":{"code":"invalid_request","message":"Missing required argument 'from'.","retryable":false}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no command of a group > 60 columns 1`] = `
✗ A command is missing; --help lists them.
  See "runcloud session --help".

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no command of a group > pipe 1`] = `
{"ok":false,"status":"failed","error":{"code":"invalid_request","message":"A command is missing; --help lists them.","retryable":false}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no device > 200 columns 1`] = `
✗ No device is free.
  All devices of http://service:8787 are in use. End a session that you no longer need ("runcloud ls", "runcloud session delete ID"), or try again in 5 s.
  simulator_capacity_unavailable  req_1

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no device > 60 columns 1`] = `
✗ No device is free.
  All devices of http://service:8787 are in use. End a
  session that you no longer need ("runcloud ls", "runcloud
  session delete ID"), or try again in 5 s.
  simulator_capacity_unavailable  req_1

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no device > 80 columns 1`] = `
✗ No device is free.
  All devices of http://service:8787 are in use. End a session that you no
  longer need ("runcloud ls", "runcloud session delete ID"), or try again in 5
  s.
  simulator_capacity_unavailable  req_1

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no device > pipe 1`] = `
{"ok":false,"requestId":"req_1","status":"failed","acceptedAt":"2026-01-02T03:04:05.006Z","completedAt":"2026-01-02T03:04:05.016Z","durationMs":10,"error":{"code":"simulator_capacity_unavailable","message":"No device is free.","retryable":true,"action":"Retry after the time that Retry-After names, or release a session."}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no key > 200 columns 1`] = `
✗ You are not signed in, and no API key is set.
  Sign in with "runcloud login", or set the environment variable RUNCLOUD_API_KEY.
  authentication_required

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no key > 60 columns 1`] = `
✗ You are not signed in, and no API key is set.
  Sign in with "runcloud login", or set the environment
  variable RUNCLOUD_API_KEY.
  authentication_required

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no key > 80 columns 1`] = `
✗ You are not signed in, and no API key is set.
  Sign in with "runcloud login", or set the environment variable
  RUNCLOUD_API_KEY.
  authentication_required

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no key > pipe 1`] = `
{"ok":false,"status":"failed","error":{"code":"authentication_required","message":"You are not signed in, and no API key is set.","retryable":false,"action":"Sign in with \\"runcloud login\\", or set the environment variable RUNCLOUD_API_KEY."}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no session yet > 200 columns 1`] = `
✗ There is no session yet: create one with "runcloud session create", or name one with --session.

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no session yet > 60 columns 1`] = `
✗ There is no session yet: create one with "runcloud session
  create", or name one with --session.

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no session yet > 80 columns 1`] = `
✗ There is no session yet: create one with "runcloud session create", or name
  one with --session.

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no session yet > pipe 1`] = `
{"ok":false,"status":"failed","error":{"code":"invalid_request","message":"There is no session yet: create one with \\"runcloud session create\\", or name one with --session.","retryable":false}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no such recording > 60 columns 1`] = `
✗ There is no recording with this id.
  See the recordings of the session with "runcloud record
  list".
  recording_not_found  req_1

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no such recording > 80 columns 1`] = `
✗ There is no recording with this id.
  See the recordings of the session with "runcloud record list".
  recording_not_found  req_1

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no such recording > pipe 1`] = `
{"ok":false,"requestId":"req_1","sessionId":"ses_2222222222222222222222","status":"failed","acceptedAt":"2026-01-02T03:04:05.006Z","completedAt":"2026-01-02T03:04:05.016Z","durationMs":10,"error":{"code":"recording_not_found","message":"There is no recording with this id.","retryable":false}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no such session > 200 columns 1`] = `
✗ There is no session ses_5 at http://service:8787.
  See your live sessions with "runcloud ls", or create one with "runcloud session create ios". Ended ones are listed with --all.
  session_not_found  req_1

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no such session > 60 columns 1`] = `
✗ There is no session ses_5 at http://service:8787.
  See your live sessions with "runcloud ls", or create one
  with "runcloud session create ios". Ended ones are listed
  with --all.
  session_not_found  req_1

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no such session > 80 columns 1`] = `
✗ There is no session ses_5 at http://service:8787.
  See your live sessions with "runcloud ls", or create one with "runcloud
  session create ios". Ended ones are listed with --all.
  session_not_found  req_1

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: no such session > pipe 1`] = `
{"ok":false,"requestId":"req_1","sessionId":"ses_5","status":"failed","acceptedAt":"2026-01-02T03:04:05.006Z","completedAt":"2026-01-02T03:04:05.016Z","durationMs":10,"error":{"code":"session_not_found","message":"There is no session with this id.","retryable":false}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: nothing listens > 200 columns 1`] = `
✗ The service at http://nobody:1 cannot be reached: nothing listens there.
  Is it running? Start it with "npm start", or name another service in RUNCLOUD_BASE_URL.
  transport_error

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: nothing listens > 60 columns 1`] = `
✗ The service at http://nobody:1 cannot be reached:
  nothing listens there.
  Is it running? Start it with "npm start", or name another
  service in RUNCLOUD_BASE_URL.
  transport_error

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: nothing listens > 80 columns 1`] = `
✗ The service at http://nobody:1 cannot be reached: nothing listens there.
  Is it running? Start it with "npm start", or name another service in
  RUNCLOUD_BASE_URL.
  transport_error

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: nothing listens > pipe 1`] = `
{"ok":false,"status":"failed","error":{"code":"transport_error","message":"The service cannot be reached.","retryable":true}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: nothing listens, for a tap > 200 columns 1`] = `
✗ The service at http://nobody:1 cannot be reached: nothing listens there.
  Is it running? Start it with "npm start", or name another service in RUNCLOUD_BASE_URL.
  transport_error

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: nothing listens, for a tap > 60 columns 1`] = `
✗ The service at http://nobody:1 cannot be reached:
  nothing listens there.
  Is it running? Start it with "npm start", or name another
  service in RUNCLOUD_BASE_URL.
  transport_error

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: nothing listens, for a tap > 80 columns 1`] = `
✗ The service at http://nobody:1 cannot be reached: nothing listens there.
  Is it running? Start it with "npm start", or name another service in
  RUNCLOUD_BASE_URL.
  transport_error

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: nothing listens, for a tap > pipe 1`] = `
{"ok":false,"status":"failed","error":{"code":"transport_error","message":"The service cannot be reached.","retryable":true}}

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: the beginning of a command > 60 columns 1`] = `
✗ Unknown command 'rec' (Did you mean record?)
  See "runcloud --help".

`

exports[`test/client/cli/terminal.test.ts > TAP > a person is told what to do: the beginning of a command > pipe 1`] = `
{"ok":false,"status":"failed","error":{"code":"invalid_request","message":"Unknown command 'rec' (Did you mean record?)","retryable":false}}

`

exports[`test/client/cli/terminal.test.ts > TAP > colours are shown on a terminal, unless the environment says otherwise > a table 1`] = `
<ESC>[1mID                          <ESC>[22m<ESC>[1mSTATUS    <ESC>[22m<ESC>[1mSTARTED     <ESC>[22m<ESC>[1mENDS        <ESC>[22m<ESC>[1mPLATFORM  <ESC>[22m<ESC>[1mLABELS<ESC>[22m
ses_1111111111111111111111  <ESC>[33mstarting  <ESC>[39m7 min ago   in 4 min    android   build=7…
ses_2222222222222222222222  <ESC>[32mactive    <ESC>[39m14 min ago  in 8 min    ios       purpose…
ses_9999999999999999999999  <ESC>[2mreleased  <ESC>[22m63 min ago  <ESC>[2m60 min ago  <ESC>[22mios

`

exports[`test/client/cli/terminal.test.ts > TAP > colours are shown on a terminal, unless the environment says otherwise > an error 1`] = `
<ESC>[31m✗<ESC>[39m Unknown command 'dance' (Did you mean launch?)
  See "runcloud --help".

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > account 1`] = `
Account       local (acc_1)
E-mail        me@example.com
Organization  org_1
Service       http://service:8787
Signed in by  the API key key_1

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > account, pipe 1`] = `
account       local (acc_1)
e-mail        me@example.com
organization  org_1
service       http://service:8787
by            the API key key_1

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > app delete ast_1 1`] = `
✓ Deleted ast_1.

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > app delete ast_1, pipe 1`] = `
ast_1 deleted

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > keys create laptop --ttl 720h 1`] = `
rck_secret
The key "laptop" (key_3) expires in 30 d. It is not shown again.

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > keys create laptop --ttl 720h, pipe 1`] = `
rck_secret

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > keys revoke key_1 1`] = `
✓ Revoked key_1.

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > keys revoke key_1, pipe 1`] = `
key_1 revoked

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > links create view 1`] = `
https://a.example/view?token=made
Whoever has it may watch the session; it expires in 45 min. It is not shown
again. Revoke it with "runcloud links revoke lnk_1".

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > links create view, pipe 1`] = `
https://a.example/view?token=made

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > links revoke lnk_1 1`] = `
✓ Revoked lnk_1.

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > links revoke lnk_1, pipe 1`] = `
lnk_1 revoked

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > logout 1`] = `
✓ You were not signed in to http://service:8787.

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > logout, pipe 1`] = `
You were not signed in to http://service:8787

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > open-url https://a.example/ 1`] = `
✓ Opened https://a.example/

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > open-url https://a.example/, pipe 1`] = `
https://a.example/ opened on dev_1

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > record start 1`] = `
✓ Recording rec_333.
Stop it with "runcloud record stop".

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > record start, pipe 1`] = `
rec_333  recording  2026-03-01T11:59:00.000Z

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > record stop rec_222 1`] = `
Recording   rec_222
Status      ready
Started     5 h ago
Length      83.4 s
Size        2.2 MiB
Kept until  in 7 d
Download it with "runcloud record download".

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > record stop rec_222, pipe 1`] = `
rec_222  ready  2026-03-01T07:00:00.000Z  83.4 s  2.2 MiB

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > session create ios 1`] = `
✓ Created ses_2222222222222222222222; later commands are for it.
Device   Virtual iPhone 15 (iOS 17.4), ios, portrait
Status   active
Started  14 min ago
Ends     in 8 min, after 10 min without activity or 2 h in all
Labels   purpose=a long label, which takes much room in a table
Apps     ast_1
Watch it with "runcloud view --open".

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > session create ios, pipe 1`] = `
ses_2222222222222222222222  ios  active  Virtual iPhone 15 (iOS 17.4)

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > session delete 1`] = `
✓ Released ses_9999999999999999999999.

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > session delete, pipe 1`] = `
ses_9999999999999999999999  ios  released  Virtual iPhone 15 (iOS 17.4)

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > session get 1`] = `
Session  ses_2222222222222222222222
Device   Virtual iPhone 15 (iOS 17.4), ios, portrait
Status   active
Started  14 min ago
Ends     in 8 min, after 10 min without activity or 2 h in all
Labels   purpose=a long label, which takes much room in a table
Apps     ast_1

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > session get, pipe 1`] = `
ses_2222222222222222222222  ios  active  Virtual iPhone 15 (iOS 17.4)

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > session use ses_1 1`] = `
✓ Later commands are for ses_2222222222222222222222.
Device   Virtual iPhone 15 (iOS 17.4), ios, portrait
Status   active
Started  14 min ago
Ends     in 8 min, after 10 min without activity or 2 h in all
Labels   purpose=a long label, which takes much room in a table
Apps     ast_1

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > session use ses_1, pipe 1`] = `
ses_2222222222222222222222  ios  active  Virtual iPhone 15 (iOS 17.4)

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > tap 0.5 0.5 1`] = `
✓ tap completed in 4 ms

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > tap 0.5 0.5, pipe 1`] = `
tap completed in 4 ms

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > tokens revoke tok_1 1`] = `
✓ Signed tok_1 out.

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > tokens revoke tok_1, pipe 1`] = `
tok_1 revoked

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > version 1`] = `
1.2.3

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > version, pipe 1`] = `
1.2.3

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > view 1`] = `
https://a.example/view?token=secret

`

exports[`test/client/cli/terminal.test.ts > TAP > results are sentences on a terminal, and lines in a pipe > view, pipe 1`] = `
https://a.example/view?token=secret

`
