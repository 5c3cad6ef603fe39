import type * as Contract from '@runcloud/protocol';
import { Acknowledgement, CreateSession, SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import type * as Sdk from '../../../client/sdk/index.ts';
import { CreateViewerLink } from '../../../protocol/create-viewer-link.ts';
import { OpenUrlResult } from '../../../protocol/open-url-result.ts';
import { CreatedViewerLink, ViewerLink } from '../../../protocol/viewer-link.ts';

type Fixed<T> = T extends object ? { readonly [Key in keyof T]: Fixed<T[Key]> } : T;
/** `true` where each of both can stand for the other. */
type Same<One, Other> = [Fixed<One>] extends [Fixed<Other>]
  ? [Fixed<Other>] extends [Fixed<One>]
    ? true
    : never
  : never;

/** The type checker holds the package's plain types against the contract's; a difference is an error of `npm run check`. */
const SAME: readonly true[] = [
  true satisfies Same<Sdk.SessionRecord, Contract.SessionRecord>,
  true satisfies Same<Sdk.CreateSession, Contract.CreateSession>,
  true satisfies Same<Sdk.Acknowledgement, Contract.Acknowledgement>,
  true satisfies Same<Sdk.ViewerLink, Contract.ViewerLink>,
  true satisfies Same<Sdk.CreatedViewerLink, Contract.CreatedViewerLink>,
  true satisfies Same<Sdk.CreateViewerLink, Contract.CreateViewerLink>,
  true satisfies Same<Sdk.OpenUrlResult, Contract.OpenUrlResult>,
  true satisfies Same<Sdk.ClipboardText, Contract.ClipboardText>,
  true satisfies Same<Sdk.ControlState, Contract.ControlState>,
  true satisfies Same<Sdk.ControlAnswer, Contract.ControlAnswer>,
  true satisfies Same<Sdk.RecordingRecord, Contract.RecordingRecord>,
  true satisfies Same<Sdk.RecordingDetails, Contract.RecordingDetails>,
  true satisfies Same<Sdk.AssetRecord, Contract.AssetRecord>,
  true satisfies Same<Sdk.HistoryEntry, Contract.HistoryEntry>,
  true satisfies Same<Sdk.InteractionState, Contract.InteractionState>,
  true satisfies Same<Sdk.Outcome, Contract.Outcome>,
  true satisfies Same<Sdk.Role, Contract.Role>,
  true satisfies Same<Sdk.SessionStatus, Contract.SessionStatus>,
  true satisfies Same<Sdk.Point, Contract.Point>,
  true satisfies Same<Sdk.Account, Contract.Account>,
  true satisfies Same<Sdk.KeyRecord, Contract.KeyRecord>,
  true satisfies Same<Sdk.CreatedKey, Contract.CreatedKey>,
  true satisfies Same<Sdk.Observed, Contract.Observed>,
  true satisfies Same<Sdk.TokenRecord, Contract.TokenRecord>,
  true satisfies Same<Sdk.HostList, Contract.HostList>,
  true satisfies Same<Sdk.DoctorReport, Contract.DoctorReport>,
  true satisfies Same<Sdk.CreateKeyRequest, Contract.CreateKey>,
];

type Fields<T> = Readonly<Record<keyof Required<T>, true>>;

/** Every field of the package's types, complete by the type checker's word, against the schemas as they are. */
const ACKNOWLEDGEMENT: Fields<Sdk.Acknowledgement> = {
  ok: true,
  requestId: true,
  sessionId: true,
  platform: true,
  action: true,
  status: true,
  acceptedAt: true,
  completedAt: true,
  durationMs: true,
  device: true,
  leaseId: true,
  result: true,
  error: true,
  observed: true,
};
const SESSION: Fields<Sdk.SessionRecord> = {
  id: true,
  sessionId: true,
  platform: true,
  status: true,
  url: true,
  device: true,
  leaseId: true,
  orientation: true,
  createdAt: true,
  expiresAt: true,
  inactivityTimeoutMs: true,
  hardTimeoutMs: true,
  installAssets: true,
  labels: true,
  control: true,
  releasedAt: true,
  releaseReason: true,
};
const CREATE: Fields<Sdk.CreateSession> = {
  platform: true,
  deviceModel: true,
  osVersion: true,
  snapshot: true,
  orientation: true,
  inactivityTimeout: true,
  hardTimeout: true,
  installAssets: true,
  embedOrigins: true,
  labels: true,
  historyTexts: true,
  historyElements: true,
};
const LINK: Fields<Sdk.ViewerLink> = { id: true, role: true, expiresAt: true, embedOrigin: true };
const CREATED_LINK: Fields<Sdk.CreatedViewerLink> = { ...LINK, url: true };
const CREATE_LINK: Fields<Sdk.CreateViewerLink> = { role: true, ttl: true, embedOrigin: true };
const OPEN_URL: Fields<Sdk.OpenUrlResult> = {
  ok: true,
  platform: true,
  sessionId: true,
  device: true,
  leaseId: true,
  url: true,
};

t.test('the types of the package name the fields of the contract, all of them and no other', (t) => {
  for (const [fields, schema] of [
    [ACKNOWLEDGEMENT, Acknowledgement],
    [SESSION, SessionRecord],
    [CREATE, CreateSession],
    [LINK, ViewerLink],
    [CREATED_LINK, CreatedViewerLink],
    [CREATE_LINK, CreateViewerLink],
    [OPEN_URL, OpenUrlResult],
  ] as const) {
    t.same(Object.keys(fields).sort(), Object.keys(schema.properties).sort(), String(schema.$id));
  }
  t.equal(SAME.length, 27);
  t.end();
});
