/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > account 1`] = `
Usage: runcloud account [options]

Show the account of the current credential

Options:
  --json      print JSON
  -h, --help  display help for command

Examples:
  $ runcloud account
  $ runcloud account --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > app delete 1`] = `
Usage: runcloud app delete [options] <id>

Delete an uploaded app

Arguments:
  id          the app

Options:
  --json      print JSON
  -h, --help  display help for command

Examples:
  $ runcloud app delete ast_...

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > app list 1`] = `
Usage: runcloud app list [options]

List uploaded apps, newest first

Options:
  --json            print JSON
  --limit <number>  maximum number of items, up to 200
  --cursor <next>   continue at the cursor of an earlier list
  --all             list all items
  -h, --help        display help for command

Examples:
  $ runcloud app list
  $ runcloud app list --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > app upload 1`] = `
Usage: runcloud app upload [options] <file>

Upload an app, for "session create --app"

Arguments:
  file        .apk, .ipa or a zipped .app, at most 2 GiB

Options:
  --json      print JSON
  -h, --help  display help for command

Examples:
  $ runcloud app upload demo.apk
  $ runcloud app upload Demo.ipa --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > apps 1`] = `
Usage: runcloud apps [options]

List the apps of the device, and which is in front

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  -h, --help          display help for command

Examples:
  $ runcloud apps
  $ runcloud apps --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > biometric 1`] = `
Usage: runcloud biometric [options] <on|off>

Show the device the face or finger that it asks for, or another one

Arguments:
  on|off              on: the face or finger that it knows; off: another one

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  -h, --help          display help for command

Examples:
  $ runcloud biometric on
  $ runcloud biometric off

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > button 1`] = `
Usage: runcloud button [options] <button>

Press a button

Arguments:
  button              home, back, appSwitcher, recents, power, volumeUp, volumeDown, menu,
                      sideButton, actionButton, digitalCrown

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  --duration <time>   20ms to 30s; default: 50ms
  -h, --help          display help for command

Examples:
  $ runcloud button home
  $ runcloud button power --duration 2s

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > clear-data 1`] = `
Usage: runcloud clear-data [options] <app>

End an app and delete all that it has stored

Arguments:
  app                 bundle identifier or package name

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  -h, --help          display help for command

Examples:
  $ runcloud clear-data com.example.shop

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > clear-location 1`] = `
Usage: runcloud clear-location [options]

Give the device the location that it had before the session

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  -h, --help          display help for command

Examples:
  $ runcloud clear-location

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > clipboard get 1`] = `
Usage: runcloud clipboard get [options]

Print the text in the clipboard

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  -h, --help          display help for command

Examples:
  $ runcloud clipboard get
  $ runcloud clipboard get > copied.txt

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > clipboard set 1`] = `
Usage: runcloud clipboard set [options] [text]

Write a text to the clipboard

Arguments:
  text                0 to 10,000 Unicode characters (default: standard input, exactly as it is)

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --force             act although somebody else has control
  -h, --help          display help for command

Examples:
  $ runcloud clipboard set "Grüße 你好 😀"
  $ runcloud clipboard set < text.txt

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > completion 1`] = `
Usage: runcloud completion [options] <shell>

Print a script that completes commands in a shell

Arguments:
  shell       bash, zsh, fish

Options:
  --json      print JSON
  -h, --help  display help for command

Examples:
  $ runcloud completion bash > ~/.local/share/bash-completion/completions/runcloud
  $ runcloud completion fish | source

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > configure 1`] = `
Usage: runcloud configure [options]

Change settings of the device, and tell those in force

Options:
  --json                 print JSON
  -s, --session <id>     the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>       milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>      a repeated id is not performed again
  --force                act although somebody else has control
  --observe              tell what it changed on the screen
  --appearance <name>    light or dark
  --locale <tag>         language and region, as in BCP 47
  --text-scale <n>       multiple of the usual size of text
  --animations <on|off>  whether the system moves
  --network <name>       online or offline
  --downlink <kbps>      kilobits a second; 0: no limit
  --uplink <kbps>        kilobits a second; 0: no limit
  --delay <time>         that an answer takes longer, as 200ms
  --loss <percent>       of the packets
  -h, --help             display help for command

Examples:
  $ runcloud configure --appearance dark
  $ runcloud configure --text-scale 1.3 --animations off
  $ runcloud configure --locale de-DE
  $ runcloud configure --network offline
  $ runcloud configure --downlink 400 --delay 200ms --loss 1

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > doctor 1`] = `
Usage: runcloud doctor [options]

Check the devices and the prerequisites of the service's host, and how to fix what is missing

Options:
  --json      print JSON
  -h, --help  display help for command

Examples:
  $ runcloud doctor
  $ runcloud doctor --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > files ls 1`] = `
Usage: runcloud files ls [options] [path]

List a folder

Arguments:
  path                the folder (default: the root itself)

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --app <id>          in the folder of this app (default: in the shared folder)
  -h, --help          display help for command

Examples:
  $ runcloud files ls
  $ runcloud files ls Download
  $ runcloud files ls Documents --app com.example.shop --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > files pull 1`] = `
Usage: runcloud files pull [options] <path>

Copy a file from the device

Arguments:
  path                 the file on the device

Options:
  --json               print JSON
  -s, --session <id>   the session (default: RUNCLOUD_SESSION or the last one)
  --app <id>           in the folder of this app (default: in the shared folder)
  -o, --output <file>  output file; - is standard output (default: the name that it has on the
                       device)
  -f, --force          overwrite an existing file
  -h, --help           display help for command

Examples:
  $ runcloud files pull Download/report.pdf
  $ runcloud files pull Documents/state.json --app com.example.shop -o -

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > files push 1`] = `
Usage: runcloud files push [options] <file> [path]

Copy a file to the device

Arguments:
  file                the file here, at most 64 MiB
  path                where it is to be on the device (default: its name, in the root)

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --app <id>          in the folder of this app (default: in the shared folder)
  --force             act although somebody else has control
  -h, --help          display help for command

Examples:
  $ runcloud files push report.pdf Download/report.pdf
  $ runcloud files push state.json Documents/state.json --app com.example.shop

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > files rm 1`] = `
Usage: runcloud files rm [options] <path>

Delete a file, a link or an empty folder

Arguments:
  path                a file, a link or an empty folder

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --app <id>          in the folder of this app (default: in the shared folder)
  --force             act although somebody else has control
  -h, --help          display help for command

Examples:
  $ runcloud files rm Download/report.pdf
  $ runcloud files rm Documents/state.json --app com.example.shop

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > gesture 1`] = `
Usage: runcloud gesture [options] <file>

Move one or two fingers, step by step

Arguments:
  file                JSON list of { phase, points, delayMs? }; - reads standard input

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  -h, --help          display help for command

Examples:
  $ runcloud gesture pinch.json
  $ runcloud gesture - < pinch.json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > history 1`] = `
Usage: runcloud history [options]

Print what was done in a session, even after it has ended

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --after <seq>       only entries after this one
  --limit <number>    maximum number of entries
  -f, --follow        go on with what is done later, until the session ends
  -h, --help          display help for command

Examples:
  $ runcloud history
  $ runcloud history --follow
  $ runcloud history --json > checkout.ndjson

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > hosts 1`] = `
Usage: runcloud hosts [options]

List the hosts of the service, and which devices are free; for the operator

Options:
  --json      print JSON
  -h, --help  display help for command

Examples:
  $ runcloud hosts
  $ runcloud hosts --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > insert 1`] = `
Usage: runcloud insert [options] <text>

Insert text in any language

Arguments:
  text                1 to 10,000 Unicode characters

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  --into <text>       text field to focus first
  -h, --help          display help for command

Examples:
  $ runcloud insert "Grüße 你好 😀"

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > install 1`] = `
Usage: runcloud install [options] <app>

Install an app on the running device

Arguments:
  app                 file to upload first, or the id of an uploaded app

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 1m)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  -h, --help          display help for command

Examples:
  $ runcloud install demo.apk
  $ runcloud install ast_4kZ1bQx7RmT9vLs2WcHn0e

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > key 1`] = `
Usage: runcloud key [options] <key>

Press a key

Arguments:
  key                     a, 1, enter, arrowLeft, f1, numpad0, ...

Options:
  --json                  print JSON
  -s, --session <id>      the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>        milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>       a repeated id is not performed again
  --force                 act although somebody else has control
  --observe               tell what it changed on the screen
  -m, --modifier <names>  shift, control, alt, meta
  --duration <time>       20ms to 30s; default: 50ms
  -h, --help              display help for command

Examples:
  $ runcloud key enter
  $ runcloud key a --modifier shift,meta

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > keyboard 1`] = `
Usage: runcloud keyboard [options]

Show or hide the software keyboard

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  -h, --help          display help for command

Examples:
  $ runcloud keyboard

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > keys create 1`] = `
Usage: runcloud keys create [options] <name>

Create an API key, and print it this once

Arguments:
  name              what it is for

Options:
  --json            print JSON
  --ttl <duration>  how long it works; default: until it is revoked
  -h, --help        display help for command

Examples:
  $ runcloud keys create CI
  $ runcloud keys create CI --ttl 720h --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > keys list 1`] = `
Usage: runcloud keys list [options]

List API keys, newest first

Options:
  --json            print JSON
  --limit <number>  maximum number of items, up to 200
  --cursor <next>   continue at the cursor of an earlier list
  --all             list all items
  -h, --help        display help for command

Examples:
  $ runcloud keys list
  $ runcloud keys list --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > keys revoke 1`] = `
Usage: runcloud keys revoke [options] <id>

Revoke an API key; what it opened is closed

Arguments:
  id          the key, as "keys list" names it

Options:
  --json      print JSON
  --minted    also the keys created and the programs approved with it
  -h, --help  display help for command

Examples:
  $ runcloud keys revoke key_...
  $ runcloud keys revoke key_... --minted

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > keys revoke-all 1`] = `
Usage: runcloud keys revoke-all [options]

Revoke all that opens the account: keys, programs, browsers, links

Options:
  --json            print JSON
  --new-key <name>  make a new key, the only one that is left, and print it this once
  -h, --help        display help for command

Examples:
  $ runcloud keys revoke-all
  $ runcloud keys revoke-all --new-key laptop --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > launch 1`] = `
Usage: runcloud launch [options] <app>

Start an app, or bring it to the front

Arguments:
  app                          bundle identifier or package name

Options:
  --json                       print JSON
  -s, --session <id>           the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>             milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>            a repeated id is not performed again
  --force                      act although somebody else has control
  --observe                    tell what it changed on the screen
  -a, --argument <name=value>  argument for the app; may be repeated
  --url <url>                  URL that the app is opened with
  -h, --help                   display help for command

Examples:
  $ runcloud launch com.example.shop
  $ runcloud launch com.example.shop --argument environment=staging

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > links create 1`] = `
Usage: runcloud links create [options] <role>

Make a link for others, and print it this once; keep it like a key

Arguments:
  role                     control, or view to only watch

Options:
  --json                   print JSON
  -s, --session <id>       the session (default: RUNCLOUD_SESSION or the last one)
  --ttl <duration>         how long it works; default: 1h
  --embed-origin <origin>  the origin of the page that may embed it
  -h, --help               display help for command

Examples:
  $ runcloud links create view
  $ runcloud links create control --ttl 30m --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > links list 1`] = `
Usage: runcloud links list [options]

List the links that open a session, newest first

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --limit <number>    maximum number of items, up to 200
  --cursor <next>     continue at the cursor of an earlier list
  --all               list all items
  -h, --help          display help for command

Examples:
  $ runcloud links list
  $ runcloud links list --all --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > links revoke 1`] = `
Usage: runcloud links revoke [options] <id>

Revoke a link; what it opened is closed

Arguments:
  id                  the link, as "links list" names it

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  -h, --help          display help for command

Examples:
  $ runcloud links revoke lnk_...

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > location 1`] = `
Usage: runcloud location [options] <latitude> <longitude>

Set the location of the device

Arguments:
  latitude            degrees north, -90 to 90
  longitude           degrees east, -180 to 180

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  --altitude <m>      metres above the ellipsoid
  --accuracy <m>      metres that the place may be off
  -h, --help          display help for command

Examples:
  $ runcloud location 52.52 13.405
  $ runcloud location -33.86 151.21 --altitude 58

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > login 1`] = `
Usage: runcloud login [options]

Sign in: approve a code in the dashboard

Options:
  --json        print JSON
  --no-browser  only print the address
  -h, --help    display help for command

Examples:
  $ runcloud login
  $ runcloud login --no-browser

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > logout 1`] = `
Usage: runcloud logout [options]

Sign out: revoke the tokens and delete them

Options:
  --json      print JSON
  -h, --help  display help for command

Examples:
  $ runcloud logout

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > logs 1`] = `
Usage: runcloud logs [options]

Print the log of the device

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --after <seq>       only lines after this one
  --limit <number>    maximum number of lines
  --level <level>     only lines that matter at least as much: verbose, debug, info, warning, error,
                      fatal
  --process <name>    only lines of what has this name
  -f, --follow        go on with what comes later, until the session ends
  -h, --help          display help for command

Examples:
  $ runcloud logs --follow
  $ runcloud logs --level warning --process browser
  $ runcloud logs --json > log.ndjson

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > ls 1`] = `
Usage: runcloud ls [options]

List sessions, as "session list" does

Options:
  --json                 print JSON
  --platform <platform>  ios or android
  --status <status>      starting, active, releasing, released, expired, failed
  --limit <number>       maximum number of items, up to 200
  --cursor <next>        continue at the cursor of an earlier list
  --all                  list all items
  -h, --help             display help for command

Examples:
  $ runcloud ls
  $ runcloud ls --status active --all --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > media add 1`] = `
Usage: runcloud media add [options] <file>

Add a picture or a video to the photos

Arguments:
  file                JPEG, PNG, GIF, WebP, HEIC, MP4 or MOV, at most 64 MiB

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --force             act although somebody else has control
  -h, --help          display help for command

Examples:
  $ runcloud media add beach.jpg
  $ runcloud media add clip.mp4 --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > memory-warning 1`] = `
Usage: runcloud memory-warning [options]

Send a memory warning to the apps

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  -h, --help          display help for command

Examples:
  $ runcloud memory-warning

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > open-url 1`] = `
Usage: runcloud open-url [options] <url>

Open a web address or a deep link

Arguments:
  url                 one absolute URI, used exactly as it is

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  -h, --help          display help for command

Examples:
  $ runcloud open-url https://example.com/
  $ runcloud open-url myapp://cart

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > permission 1`] = `
Usage: runcloud permission [options] <app> <kind> <verb>

Grant, revoke or reset a permission of an app that the session has brought

Arguments:
  app                 bundle identifier or package name
  kind                calendar, camera, contacts, location, microphone, notifications, photos
  verb                grant, revoke, reset

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  -h, --help          display help for command

Examples:
  $ runcloud permission com.example.shop location grant

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > push 1`] = `
Usage: runcloud push [options] <app> <file>

Deliver a push notification to an app that the session has brought

Arguments:
  app                 bundle identifier or package name
  file                JSON payload, { "aps": { "alert": ... } }; - reads standard input

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  -h, --help          display help for command

Examples:
  $ runcloud push com.example.shop order.json
  $ runcloud push com.example.shop - < order.json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > record download 1`] = `
Usage: runcloud record download [options] [id]

Download a recording as MP4

Arguments:
  id                   the recording (default: the session's last one)

Options:
  --json               print JSON
  -s, --session <id>   the session (default: RUNCLOUD_SESSION or the last one)
  -o, --output <file>  output file; - is standard output (default: <id>.mp4)
  -f, --force          overwrite an existing file
  -h, --help           display help for command

Examples:
  $ runcloud record download
  $ runcloud record download rec_... -o demo.mp4
  $ runcloud record download -o - | ffprobe -

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > record list 1`] = `
Usage: runcloud record list [options]

List recordings, newest first

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --limit <number>    maximum number of items, up to 100
  --cursor <next>     continue at the cursor of an earlier list
  --all               list all items
  -h, --help          display help for command

Examples:
  $ runcloud record list
  $ runcloud record list --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > record poster 1`] = `
Usage: runcloud record poster [options] [id]

Save a small JPEG of a recording

Arguments:
  id                   the recording (default: the session's last one)

Options:
  --json               print JSON
  -s, --session <id>   the session (default: RUNCLOUD_SESSION or the last one)
  -o, --output <file>  output file; - is standard output (default: <id>.jpg)
  -f, --force          overwrite an existing file
  -h, --help           display help for command

Examples:
  $ runcloud record poster
  $ runcloud record poster rec_... -o demo.jpg

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > record start 1`] = `
Usage: runcloud record start [options]

Start a recording of the screen

Options:
  --json                   print JSON
  -s, --session <id>       the session (default: RUNCLOUD_SESSION or the last one)
  --idempotency-key <key>  a repeated key returns the first recording
  -h, --help               display help for command

Examples:
  $ runcloud record start
  $ runcloud record start --idempotency-key "build 7"

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > record status 1`] = `
Usage: runcloud record status [options] <id>

Show a recording and its events

Arguments:
  id                  the recording

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  -h, --help          display help for command

Examples:
  $ runcloud record status rec_... --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > record stop 1`] = `
Usage: runcloud record stop [options] [id]

Stop a recording and finalize its file

Arguments:
  id                  the recording (default: the active one)

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  -h, --help          display help for command

Examples:
  $ runcloud record stop
  $ runcloud record stop rec_... --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > reload 1`] = `
Usage: runcloud reload [options]

Restart the foreground app

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  -h, --help          display help for command

Examples:
  $ runcloud reload

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > render-debug 1`] = `
Usage: runcloud render-debug [options] <option> <on|off>

Switch a rendering debug option on or off (iOS)

Arguments:
  option              colorBlendedLayers, colorCopiedImages, colorMisalignedImages,
                      colorOffscreenRendered, slowAnimations
  on|off              new state of the option

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  -h, --help          display help for command

Examples:
  $ runcloud render-debug colorBlendedLayers on

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > replay 1`] = `
Usage: runcloud replay [options] <from>

Send the inputs of a history to another session, and tell which end otherwise

Arguments:
  from                a session, or a file that "history --json" wrote; - is standard input

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --speed <factor>    how many times as fast, or max: each once the one before has ended (default:
                      1)
  --settle            wait before each until the picture stands still
  -h, --help          display help for command

Examples:
  $ runcloud replay checkout.ndjson
  $ runcloud replay ses_... --session ses_... --speed max
  $ runcloud history --json | runcloud replay - --session ses_...

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > reset 1`] = `
Usage: runcloud reset [options]

Put the device back to how it was when the session began

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  -h, --help          display help for command

Examples:
  $ runcloud reset

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > rotate 1`] = `
Usage: runcloud rotate [options] <orientation>

Turn the device

Arguments:
  orientation         portrait, portrait_upside_down, landscape_left, landscape_right

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  -h, --help          display help for command

Examples:
  $ runcloud rotate landscape_left

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > route 1`] = `
Usage: runcloud route [options] <file> <speed>

Move the location of the device along a route

Arguments:
  file                JSON list of { latitude, longitude, altitudeM? }; - reads standard input
  speed               metres a second, 0.1 to 10,000

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  -h, --help          display help for command

Examples:
  $ runcloud route commute.json 14
  $ runcloud route - 1.4 < walk.json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > run 1`] = `
Usage: runcloud run [options] <->

Perform requests from standard input, one JSON object per line, over one control socket

Arguments:
  -                   standard input; each line gets one acknowledgement

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  -h, --help          display help for command

Examples:
  $ runcloud run - <<< '{"action":"tap","x":0.5,"y":0.5}'
  $ runcloud run - < requests.ndjson > acknowledgements.ndjson

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > screenshot 1`] = `
Usage: runcloud screenshot [options]

Take a PNG of the display

Options:
  --json               print JSON
  -s, --session <id>   the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>     milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>    a repeated id is not performed again
  -o, --output <file>  output file; - is standard output (default: "screenshot.png")
  --settled            wait until the picture stands still, at most 2 seconds
  -f, --force          overwrite an existing file
  -h, --help           display help for command

Examples:
  $ runcloud screenshot -o home.png
  $ runcloud screenshot -o - | file -

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > session create 1`] = `
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

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > session delete 1`] = `
Usage: runcloud session delete [options] [id]

Release a session and its device

Arguments:
  id          the session (default: the last one)

Options:
  --json      print JSON
  -h, --help  display help for command

Examples:
  $ runcloud session delete
  $ runcloud session delete ses_...

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > session get 1`] = `
Usage: runcloud session get [options] [id]

Show a session, even after it has ended

Arguments:
  id          the session (default: the last one)

Options:
  --json      print JSON
  -h, --help  display help for command

Examples:
  $ runcloud session get
  $ runcloud session get ses_... --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > session list 1`] = `
Usage: runcloud session list [options]

List sessions, newest first

Options:
  --json                 print JSON
  --platform <platform>  ios or android
  --status <status>      starting, active, releasing, released, expired, failed
  --limit <number>       maximum number of items, up to 200
  --cursor <next>        continue at the cursor of an earlier list
  --all                  list all items
  -h, --help             display help for command

Examples:
  $ runcloud session list
  $ runcloud session list --status active --all --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > session use 1`] = `
Usage: runcloud session use [options] <id>

Use a session for later commands

Arguments:
  id          the session

Options:
  --json      print JSON
  -h, --help  display help for command

Examples:
  $ runcloud session use ses_...

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > swipe 1`] = `
Usage: runcloud swipe [options] <from> <to>

Move a finger from one point to another

Arguments:
  from                x,y as fractions of the display
  to                  x,y as fractions of the display

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  --duration <time>   50ms to 30s; default: 300ms
  -h, --help          display help for command

Examples:
  $ runcloud swipe 0.5,0.8 0.5,0.2 --duration 500ms

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > tap 1`] = `
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

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > terminate 1`] = `
Usage: runcloud terminate [options] <app>

End an app

Arguments:
  app                 bundle identifier or package name

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  -h, --help          display help for command

Examples:
  $ runcloud terminate com.example.shop

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > tokens list 1`] = `
Usage: runcloud tokens list [options]

List the programs that are signed in, newest first

Options:
  --json            print JSON
  --limit <number>  maximum number of items, up to 200
  --cursor <next>   continue at the cursor of an earlier list
  --all             list all items
  -h, --help        display help for command

Examples:
  $ runcloud tokens list
  $ runcloud tokens list --all --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > tokens revoke 1`] = `
Usage: runcloud tokens revoke [options] <id>

Sign a program out; what it opened is closed

Arguments:
  id          the program, as "tokens list" names it

Options:
  --json      print JSON
  -h, --help  display help for command

Examples:
  $ runcloud tokens revoke tok_...

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > type 1`] = `
Usage: runcloud type [options] <text>

Type text

Arguments:
  text                1 to 10,000 printable US ASCII characters, tabs or line feeds

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  --into <text>       text field to focus first
  -h, --help          display help for command

Examples:
  $ runcloud type "Hello from the command line"

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > uninstall 1`] = `
Usage: runcloud uninstall [options] <app>

Remove an app that the session has brought

Arguments:
  app                 bundle identifier or package name

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  --observe           tell what it changed on the screen
  -h, --help          display help for command

Examples:
  $ runcloud uninstall com.example.shop

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > version 1`] = `
Usage: runcloud version [options]

Print the version

Options:
  --json      print JSON
  -h, --help  display help for command

Examples:
  $ runcloud version
  $ runcloud version --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > view 1`] = `
Usage: runcloud view [options]

Print the viewer's link; whoever has it may use it, so keep it like a key

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --open              open it in the browser
  -h, --help          display help for command

Examples:
  $ runcloud view
  $ runcloud view --open

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > watch 1`] = `
Usage: runcloud watch [options]

Print events as they happen, until the session ends

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  -h, --help          display help for command

Examples:
  $ runcloud watch
  $ runcloud watch | jq .event

`

exports[`test/client/cli/help.test.ts > TAP > the help of every command is as it was, with examples > where 1`] = `
Usage: runcloud where [options]

Tell where the device is, and how far along its route

Options:
  --json              print JSON
  -s, --session <id>  the session (default: RUNCLOUD_SESSION or the last one)
  --timeout <time>    milliseconds, or a duration such as 5s; 100ms to 60s (default: 15s)
  --request-id <id>   a repeated id is not performed again
  --force             act although somebody else has control
  -h, --help          display help for command

Examples:
  $ runcloud where
  $ runcloud where --json

`

exports[`test/client/cli/help.test.ts > TAP > the help of the whole command is as it was > must match snapshot 1`] = `
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
