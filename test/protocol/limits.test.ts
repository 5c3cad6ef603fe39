import t from 'tap';
import { LIMITS, type Range } from '../../protocol/terms.ts';

t.test('the limits are these', async (t) => {
  t.strictSame(LIMITS, {
    interactionTimeoutMs: { min: 100, max: 60_000, default: 15_000 },
    requestIdCharacters: { min: 1, max: 128 },
    idempotencyKeyCharacters: { min: 1, max: 200 },
    gestureSteps: { min: 2, max: 1_000 },
    gesturePoints: { min: 1, max: 2 },
    gestureDelayMs: { min: 0, max: 5_000 },
    swipeDurationMs: { min: 50, max: 30_000, default: 300 },
    holdDurationMs: { min: 20, max: 30_000, default: 50 },
    scrollDelta: { min: -1, max: 1 },
    crownDelta: { min: -10_000, max: 10_000 },
    textCharacters: { min: 1, max: 10_000 },
    urlCharacters: { min: 1, max: 4_096 },
    sessionInactivityTimeoutMs: { min: 30_000, max: 86_400_000, default: 600_000 },
    sessionHardTimeoutMs: { min: 60_000, max: 86_400_000, default: 7_200_000 },
    sessionStartMsMax: 120_000,
    sessionExpiringNoticeMs: 60_000,
    sessionLabels: 32,
    sessionLabelCharacters: { min: 1, max: 128 },
    sessionInstallAssets: 32,
    sessionEmbedOrigins: 16,
    sessionsListed: 1_000,
    keysPerAccount: 100,
    viewerLinksPerSession: 100,
    deviceRequestsPerAddress: 8,
    usageDays: { min: 1, max: 90, default: 30 },
    screenFps: { min: 1, max: 60, default: 60 },
    screenLongEdgePixels: { min: 64, max: 8_192 },
    screenQuality: { min: 1, max: 100, default: 80 },
    screenStreamsPerSocket: 4,
    screenProfilesPerSession: 16,
    screenProfilesForControl: 4,
    queuedInteractions: 1_024,
    interactionsAhead: 64,
    callersPerRequest: 64,
    outcomesKept: 10_000,
    outcomeKeptMs: 600_000,
    earlyCancels: 256,
    earlyCancelKeptMs: 10_000,
    clientMessageBytes: 262_144,
    clientMessageDepth: 8,
    clientMessageEntries: 16_384,
    clientKeyBytes: 64,
    clientUnknownKeys: 64,
    unsentBytes: 4_194_304,
    refusedMessagesPerMinute: 1_000,
    recordingsListed: 100,
    recordingRetentionMs: 604_800_000,
    recordingRecordKeptMs: 2_592_000_000,
    recordingStartMsMax: 15_000,
    recordingStopWaitMsMax: 15_000,
    recordingFinalizeTries: 5,
    recordingReferenceMs: 60_000,
    assetBytes: 2_147_483_648,
    assetsPerAccount: 1_000,
    uploadsPerAccount: 8,
    pendingScreenshots: 64,
    pendingScreenshotsForControl: 16,
    httpBodyBytes: 262_144,
    socketsPerSession: 2_000,
    restCallsPerSecond: 5_000,
    socketMessagesPerSecond: 20_000,
    bytesPerSecond: 67_108_864,
    workMsPerSecond: 200,
    allowancesPerAccount: 4,
    socketIdleSeconds: 60,
    drainMsMax: 10_000,
  });
});

t.test('every range has its ends in order and its default within', async (t) => {
  for (const [name, limit] of Object.entries<number | Range>(LIMITS)) {
    if (typeof limit === 'number') t.ok(Number.isSafeInteger(limit) && limit > 0, name);
    else
      t.ok(
        limit.min < limit.max && (limit.default ?? limit.min) >= limit.min && (limit.default ?? 0) <= limit.max,
        name,
      );
  }
});
