/** Exports of both entries of the package, in addition to `RunCloud`. */
export { readTiles, type ScreenTile } from '../../protocol/screen-tiles.ts';
export { Accounts } from './account.ts';
export type {
  ActionOptions,
  CallOptions,
  HeldOptions,
  InputOptions,
  KeyOptions,
  OpenUrlOptions,
  ScreenshotOptions,
  ScrollOptions,
} from './actions.ts';
export { type AssetSource, Assets } from './assets.ts';
export { BOUNDS, type Bounds } from './bounds.ts';
export type { RunCloudOptions } from './client.ts';
export { Clipboard } from './clipboard.ts';
export type { Completed, Failed } from './completed.ts';
export {
  type Clock,
  Control,
  type ControlEvents,
  type Reconnected,
  type ReconnectOptions,
} from './control/control.ts';
export type { LivePointer } from './control/live-pointer.ts';
export type {
  Capabilities,
  Ready,
  ScreenOptions,
  ScreenPacket,
  SessionEvent,
  Stage,
} from './control/messages.ts';
export { ControlLease } from './control-lease.ts';
export { DeviceFiles, type FileRootOptions } from './device-files.ts';
export type { Mp4Download } from './download.ts';
export { type FailureCode, isCapacityError, RunCloudError } from './error.ts';
export type {
  AddedMedia,
  AssetRecord,
  AssetSummary,
  DeletedFile,
  FileEntry,
  FileList,
  PushedFile,
  RecordingDetails,
  RecordingEvent,
  RecordingFailure,
  RecordingRecord,
  RecordingStatus,
  SnapshotRecord,
} from './files.ts';
export type { HistoryOptions } from './history.ts';
export type * from './hosts.ts';
export type { KeySource } from './http.ts';
export type { InteractionRequest } from './interactions.ts';
export { Keys } from './keys.ts';
export { ViewerLinks } from './links.ts';
export { Locator } from './locator.ts';
export type { LogEntry, LogOptions } from './logs.ts';
export { Media } from './media.ts';
export type { UnknownReason } from './observed.ts';
export type { Page, PageOptions } from './pages.ts';
export { Recordings, type StartedRecording, type StartRecordingOptions } from './recordings.ts';
export { type ConnectOptions, SessionHandle, type SessionHandleEvents, type WaitOptions } from './session.ts';
export {
  CreatedSession,
  type CreateSessionOptions,
  type ListSessionsOptions,
  Session,
  type SessionFilter,
  Sessions,
} from './sessions.ts';
export { Snapshots } from './snapshots.ts';
export { Tokens } from './tokens.ts';
export type * from './types.ts';
