import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

/**
 * How test files run. A file that stands in no list here is part of `npm test`, and shares a process with others.
 * Each file by the reason why it is different.
 */
export type Reasons = Readonly<Record<string, string>>;

/** Nothing else may run beside them, which a busy machine cannot give: `npm run test:all` runs them, in turn. */
export const ALONE: Reasons = {
  'test/bench/scenarios/crowded.test.ts': 'its viewers get only processor time that nobody else wants',
  'test/browser/stream-conformance.test.ts': 'counts the pictures of half a minute',
  'test/client/cli/start-up-time.test.ts': 'compares times',
  'test/drivers/android/android-driver.test.ts': 'judges how long steps of a gesture take',
  'test/integration/fan-out.test.ts': 'compares times',
  'test/integration/floods.test.ts': 'compares times',
  'test/integration/history-kill.test.ts': 'judges the last second before a kill',
  'test/integration/hostile-account.test.ts': 'compares times',
  'test/integration/ios-idb.test.ts': 'tells one event from the next by milliseconds',
  'test/integration/isolation.test.ts': 'compares times',
  'test/integration/link-flood.test.ts': 'compares times',
  'test/integration/newcomers.test.ts': 'compares times',
  'test/integration/recording-kill.test.ts': 'judges the last second before a kill',
  'test/integration/slow-viewers.test.ts': 'compares times',
  'test/integration/store-trouble.test.ts': 'compares times',
  'test/integration/stream-integrity.test.ts':
    'fills the buffers of eight sockets, for which a busy machine may have no time',
  'test/phone/motion-cost.test.ts': 'compares times',
  'test/rest/refusal-cost.test.ts': 'compares times',
};

const SCENARIO = 'a whole scenario of the bench; that of the taps stays in `npm test`';
const EMULATORS = "stand-ins of emulators in processes of their own, by Debian's `adb`";
const SIMULATORS = 'stand-ins of simulators in processes of their own';

const PAGES = 'goes through many pages in a browser; the first ones stay in `npm test`';
const TENANTS = 'asks for each route and message with each kind of credential';
const PROCESSES = 'starts processes again and again';

/** They run in `npm run test:all` only, each in a process of its own. */
export const LONG: Reasons = {
  'test/admin-doctor.test.ts': PROCESSES,
  'test/admin-fleet.test.ts': PROCESSES,
  'test/admin-links.test.ts': PROCESSES,
  'test/admin-sample-app.test.ts': PROCESSES,
  'test/admin.test.ts': PROCESSES,
  'test/agents/tokens.test.ts': 'loads the words of a language model',
  'test/bench/processes/profile.test.ts': PROCESSES,
  'test/bench/scenarios/far.test.ts': SCENARIO,
  'test/bench/scenarios/fleet.test.ts': SCENARIO,
  'test/bench/scenarios/idle.test.ts': SCENARIO,
  'test/bench/scenarios/mixed.test.ts': SCENARIO,
  'test/bench/scenarios/peers.test.ts': SCENARIO,
  'test/bench/scenarios/photon.test.ts': SCENARIO,
  'test/bench/scenarios/record.test.ts': SCENARIO,
  'test/bench/scenarios/rest.test.ts': SCENARIO,
  'test/bench/scenarios/screenshot.test.ts': SCENARIO,
  'test/bench/scenarios/soak.test.ts': SCENARIO,
  'test/bench/whole/against.test.ts': SCENARIO,
  'test/bench/whole/whole-run.test.ts': SCENARIO,
  'test/browser/turned-recording.test.ts': SIMULATORS,
  'test/certify/browser.test.ts': 'tries a whole device, in processes of their own',
  'test/certify/certify.test.ts': 'tries whole devices, in processes of their own',
  'test/certify/faults.test.ts': 'tries whole devices, in processes of their own',
  'test/certify/interrupt.test.ts': PROCESSES,
  'test/certify/running-service.test.ts': 'tries a whole device, in processes of their own',
  'test/certify/stand-ins.test.ts': 'tries whole devices, in processes of their own',
  'test/client/build/clone.test.ts': PROCESSES,
  'test/client/build/package.test.ts': 'packs and installs the client',
  'test/client/build/typed-programs.test.ts': 'builds the client and compiles programs that use it',
  'test/client/cli/interrupt.test.ts': PROCESSES,
  'test/client/cli/login.test.ts': PROCESSES,
  'test/client/examples/programs.test.ts': 'builds the client, and drives phones by each example',
  'test/client/examples/python.test.ts': 'drives phones by another program',
  'test/client/flows/run.test.ts': 'runs whole flows on phones',
  'test/client/sdk/reconnect.test.ts': 'loses connections in every way',
  'test/client/sdk/service-ends.test.ts': PROCESSES,
  'test/code/load.test.ts': PROCESSES,
  'test/deploy/start.test.ts': PROCESSES,
  'test/drivers/android/guest/guest-logs.test.ts': EMULATORS,
  'test/drivers/ios/literal-arguments.test.ts': PROCESSES,
  'test/drivers/ios/simulator-keeping.test.ts': SIMULATORS,
  'test/fleet/database-back.test.ts': 'stops PostgreSQL and starts it again',
  'test/fleet/away-history.test.ts': 'kills hosts, and waits until that is noticed',
  'test/fleet/host-away.test.ts': 'kills a host and an edge, and waits until that is noticed',
  'test/fleet/host-back.test.ts': EMULATORS,
  'test/fleet/host-lost.test.ts': 'kills a host, and waits until that is noticed',
  'test/fleet/trial.test.ts': PROCESSES,
  'test/fleet/tenants.test.ts': TENANTS,
  'test/fleet/edges.test.ts': 'kills and stops processes of a fleet',
  'test/fleet/losses-found.test.ts': 'kills processes of a fleet again and again',
  'test/replica/simulation.test.ts': 'goes through many courses of a database and three processes',
  'test/fleet/recordings.test.ts': 'kills processes of a fleet again and again',
  'test/fleet/load.test.ts': 'puts processes of a fleet under load, and kills them',
  'test/fleet/losses.test.ts': 'kills and stops processes of a fleet again and again',
  'test/finisher/cuts.test.ts': 'cuts captures at many places',
  'test/finisher/worker.test.ts': 'kills a process at many moments',
  'test/h264/sps-rewrite.test.ts': 'encodes and rewrites many streams',
  'test/host/recording/full-disk.test.ts': 'fills disks',
  'test/host/recording/killed.test.ts': 'kills a process that records',
  'test/host/recording/sharing.test.ts': 'records for long',
  'test/integration/android-apps.test.ts': EMULATORS,
  'test/integration/android-conformance.test.ts': EMULATORS,
  'test/integration/android-emulator.test.ts': EMULATORS,
  'test/integration/android-faults.test.ts': EMULATORS,
  'test/integration/android-files.test.ts': EMULATORS,
  'test/integration/android-fold.test.ts': EMULATORS,
  'test/integration/android-killed.test.ts': EMULATORS,
  'test/integration/android-losses.test.ts': EMULATORS,
  'test/integration/android-scrcpy-conformance.test.ts': EMULATORS,
  'test/integration/android-scrcpy-faults.test.ts': EMULATORS,
  'test/integration/android-scrcpy-losses.test.ts': EMULATORS,
  'test/integration/android-scrcpy.test.ts': EMULATORS,
  'test/integration/android-silence.test.ts': EMULATORS,
  'test/integration/android-ui.test.ts': EMULATORS,
  'test/integration/android-unattended.test.ts': EMULATORS,
  'test/integration/android-waits.test.ts': EMULATORS,
  'test/integration/history-long.test.ts': 'a hundred thousand inputs',
  'test/integration/hostile-uploads.test.ts': 'uploads bombs',
  'test/integration/ios-apps.test.ts': SIMULATORS,
  'test/integration/ios-faults.test.ts': SIMULATORS,
  'test/integration/ios-orphans.test.ts': SIMULATORS,
  'test/integration/ios-snapshots.test.ts': SIMULATORS,
  'test/integration/ios-ui.test.ts': SIMULATORS,
  'test/integration/killed-while-starting.test.ts': PROCESSES,
  'test/integration/large-upload.test.ts': 'uploads what is large',
  'test/integration/log-flood.test.ts': 'logs what is long',
  'test/integration/new-action.test.ts': 'compiles a copy of the sources',
  'test/integration/notes-rounds.test.ts': 'repeats a program twenty times',
  'test/integration/observed-walk.test.ts': 'goes through phones at random, and compares their pictures',
  'test/integration/observed.test.ts': 'waits for what inputs change, again and again',
  'test/integration/odd-delivery.test.ts': 'cuts requests at every byte',
  'test/integration/power-cut.test.ts': 'cuts the power again and again',
  'test/integration/process-start.test.ts': 'starts the service again and again',
  'test/integration/process-stop.test.ts': 'starts the service again and again',
  'test/integration/public-cost.test.ts': 'calls every public route many times',
  'test/integration/readme.test.ts': 'does what README tells, from a first start',
  'test/integration/recording-faults.test.ts': 'fills disks, and ends threads that record',
  'test/integration/recording-storage.test.ts': 'fills disks',
  'test/integration/recording-store.test.ts': 'kills servers while they record',
  'test/integration/resume-faults.test.ts': 'waits for what never comes, again and again',
  'test/integration/sign-in.test.ts': 'hashes passwords again and again',
  'test/integration/skill.test.ts': PROCESSES,
  'test/integration/slow-uploads.test.ts': 'uploads slowly',
  'test/integration/emulator-snapshots.test.ts': EMULATORS,
  'test/integration/sessions-outlive.test.ts': EMULATORS,
  'test/integration/snapshot-kill.test.ts': 'kills the service while snapshots are made',
  'test/integration/socket-endings.test.ts': 'ends sockets in every way',
  'test/integration/start-errors.test.ts': 'starts the service again and again',
  'test/integration/thread-faults.test.ts': PROCESSES,
  'test/integration/tenants.test.ts': TENANTS,
  'test/integration/tiles.test.ts': 'walks through apps and compares every picture',
  'test/integration/upload-recovery.test.ts': 'kills the service while apps are uploaded',
  'test/integration/upload-room.test.ts': 'fills the room for uploads',
  'test/integration/wall.test.ts': 'watches moving sessions',
  'test/integration/web-driver.test.ts': 'goes through many commands',
  'test/integration/webdriverio.test.ts': 'drives phones by a library of others',
  'test/link/process-launcher.test.ts': PROCESSES,
  'test/link/worker-port.test.ts': 'starts and ends threads at many moments',
  'test/model/fleet-model.test.ts': 'goes through every order of the events in a model',
  'test/node-version.test.ts': PROCESSES,
  'test/packages/mutated-packages.test.ts': 'reads packages with many mutations',
  'test/packages/package-process.test.ts': PROCESSES,
  'test/phone/ui-tree.test.ts': 'compares every control of every app with its pixels',
  'test/run/run-groups.test.ts': PROCESSES,
  'test/run/together.test.ts': PROCESSES,
  'test/socket/file-reply.test.ts': 'sends large files',
  'test/store/database.test.ts': PROCESSES,
};

/** They run in `npm run test:all` only, and share processes as those of `npm test` do. */
export const LONG_TOGETHER: Reasons = {
  'test/bench/scenarios/connect.test.ts': SCENARIO,
  'test/bench/scenarios/drag.test.ts': SCENARIO,
  'test/bench/scenarios/fanout.test.ts': SCENARIO,
  'test/browser/dashboard-accessibility.test.ts': PAGES,
  'test/browser/dashboard-features.test.ts': PAGES,
  'test/browser/dashboard-inputs.test.ts': PAGES,
  'test/browser/dashboard-lists.test.ts': PAGES,
  'test/browser/dashboard-pages.test.ts': PAGES,
  'test/browser/dashboard-posters.test.ts': PAGES,
  'test/browser/dashboard-session.test.ts': PAGES,
  'test/browser/dashboard-snapshots.test.ts': PAGES,
  'test/browser/dashboard.test.ts': PAGES,
  'test/browser/embed-frame.test.ts': PAGES,
  'test/browser/embed-look.test.ts': PAGES,
  'test/browser/flow-capture.test.ts': 'walks through apps in a browser, and again on many phones',
  'test/browser/open-url.test.ts': PAGES,
  'test/browser/recording-playback.test.ts': PAGES,
  'test/browser/reference.test.ts': 'bundles a large library of others',
  'test/browser/viewer-access.test.ts': PAGES,
  'test/browser/viewer-control.test.ts': PAGES,
  'test/browser/viewer-cut.test.ts': 'loses connections, and waits for what a page then does',
  'test/browser/viewer-inspector.test.ts': PAGES,
  'test/browser/viewer-owner.test.ts': PAGES,
  'test/browser/viewer-person.test.ts': PAGES,
  'test/browser/viewer-recording.test.ts': PAGES,
  'test/browser/viewer-sharpness.test.ts': PAGES,
  'test/browser/viewer-text.test.ts': PAGES,
  'test/browser/viewer-tiles.test.ts': PAGES,
  'test/browser/viewer-ways.test.ts': PAGES,
  'test/drivers/ios/ios-driver.test.ts': SIMULATORS,
  'test/drivers/ios/ios-faults.test.ts': SIMULATORS,
  'test/fleet/simulation.test.ts': 'goes through hundreds of courses of a simulated fleet',
  'test/github/create-emulator.test.ts': PROCESSES,
  'test/github/create-simulator.test.ts': PROCESSES,
  'test/github/start-service.test.ts': PROCESSES,
  'test/integration/aborted-requests.test.ts': 'a thousand callers, twice',
  'test/integration/android-adb.test.ts': EMULATORS,
  'test/integration/control-histories.test.ts': 'goes through many histories',
  'test/integration/cut-connections.test.ts': 'cuts connections at many moments',
  'test/integration/history-trouble.test.ts': 'fills disks',
  'test/integration/ios-files.test.ts': SIMULATORS,
  'test/integration/ios-simulator.test.ts': SIMULATORS,
};

/** They are part of `npm test`, and have a process of their own. */
export const APART: Reasons = {
  'test/client/cli/help.test.ts': 'compares snapshots, which are found by the name of the process',
  'test/client/flows/read.test.ts': 'compares snapshots, which are found by the name of the process',
  'test/client/cli/terminal.test.ts': 'compares snapshots, which are found by the name of the process',
  'test/client/sdk/bounds.test.ts': 'compares snapshots, which are found by the name of the process',
  'test/control/idle-memory.test.ts': 'measures the memory of its process',
  'test/host/thread-pool-priority.test.ts': 'judges the priority of its process, which the service lowers for good',
  'test/rest/route-facts.test.ts': 'watches the facts of routes before anything reads them',
};

/**
 * They run once more in `npm run tests rest`, over `ws` instead of uWebSockets.js, in about two minutes: what is sent and
 * read on the wire, each route and message, aborts, back-pressure, uploads and downloads, and the drain.
 */
export const OVER_WS: readonly string[] = [
  'test/client/conformance.test.ts',
  'test/conformance/cancel.test.ts',
  'test/conformance/lost-socket.test.ts',
  'test/integration/aborted-requests.test.ts',
  'test/integration/asset-routes.test.ts',
  'test/integration/bad-bodies.test.ts',
  'test/integration/bad-heads.test.ts',
  'test/integration/bad-messages.test.ts',
  'test/integration/client-addresses.test.ts',
  'test/integration/cut-connections.test.ts',
  'test/integration/drain-sockets.test.ts',
  'test/integration/flooding-key.test.ts',
  'test/integration/guest-sockets.test.ts',
  'test/integration/link-limits.test.ts',
  'test/integration/mcp.test.ts',
  'test/integration/odd-delivery.test.ts',
  'test/integration/rate-limits.test.ts',
  'test/integration/recording-routes.test.ts',
  'test/integration/recording-socket.test.ts',
  'test/integration/screen-stream.test.ts',
  'test/integration/screenshot-route.test.ts',
  'test/integration/slow-uploads.test.ts',
  'test/integration/socket-access.test.ts',
  'test/integration/socket-endings.test.ts',
  'test/integration/ui-waits.test.ts',
  'test/integration/unknown-addresses.test.ts',
  'test/integration/viewer-links.test.ts',
  'test/socket/bodiless-reply.test.ts',
  'test/socket/bytes-reply.test.ts',
  'test/socket/closing.test.ts',
  'test/socket/file-reply.test.ts',
  'test/socket/framing.test.ts',
  'test/socket/head-bounds.test.ts',
  'test/socket/open-sockets.test.ts',
  'test/socket/stream-reply.test.ts',
  'test/socket/streamed-body.test.ts',
];

/** Rooms whose quick tests judge the service on another Node.js, and files that do; see `node-versions.ts`. */
const ROOMS_ON_EACH_NODE = [
  'test/client/sdk/',
  'test/conformance/',
  'test/recording/',
  'test/rest/',
  'test/socket/',
  'test/store/',
];

/** They run once more through an edge and a host: those in which a fleet could differ from a service alone. */
export const AS_FLEET: readonly string[] = [
  'test/client/sdk/key-source.test.ts',
  'test/client/sdk/resume.test.ts',
  'test/conformance/apps.test.ts',
  'test/conformance/files.test.ts',
  'test/conformance/open-url.test.ts',
  'test/conformance/retries.test.ts',
  'test/integration/control-lease.test.ts',
  'test/integration/mcp.test.ts',
  'test/integration/recording-socket.test.ts',
  'test/integration/resume-cuts.test.ts',
  'test/integration/screen-stream.test.ts',
  'test/integration/viewer-links.test.ts',
  'test/integration/viewer-page.test.ts',
];
const FILES_ON_EACH_NODE = [...OVER_WS, 'test/integration/readme.test.ts'];

/** Where `nodes` runs: the maintained lines of Node.js but the oldest one, on which everything does. */
export const NEWER_NODES: readonly string[] = ['22', '24'];

export const SETS = ['quick', 'rest', 'all', 'nodes'] as const;
export type SetName = (typeof SETS)[number];

/** Every test file of the repository, in order. Packages that are installed below `test` have tests of their own. */
export function testFiles(root = 'test'): string[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.test.ts') && !name.split(sep).includes('node_modules'))
    .map((name) => join(root, name))
    .sort();
}

/**
 * The files of a set: each file is in either `quick` or `rest`; `nodes` has the quick ones of some rooms, those over `ws`, and
 * README's first session.
 */
export function filesOf(set: SetName, files = testFiles()): string[] {
  const isLate = (file: string) => file in ALONE || file in LONG || file in LONG_TOGETHER;
  if (set === 'nodes') {
    const isOfRoom = (file: string) => ROOMS_ON_EACH_NODE.some((room) => file.startsWith(room)) && !isLate(file);
    return files.filter((file) => isOfRoom(file) || FILES_ON_EACH_NODE.includes(file));
  }
  return files.filter((file) => set === 'all' || isLate(file) === (set === 'rest'));
}
