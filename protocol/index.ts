export * from './account.ts';
export * from './acknowledgement.ts';
export type { AnyAction, Lack, Target } from './actions/action.ts';
export { REQUEST_ID_PATTERN, RequestId } from './actions/define-action.ts';
export * from './actions/index.ts';
export { type AnyMethod, METHODS } from './actions/methods.ts';
export type { Point } from './actions/point.ts';
export * from './actions/request.ts';
export { POINTER_PHASES, type PointerPhase } from './actions/steps.ts';
export * from './asset.ts';
export * from './capability.ts';
export * from './clipboard.ts';
export * from './codec.ts';
export { compileCheck, oneOf } from './compile-check.ts';
export * from './control.ts';
export { CreateKey, checkCreateKey, type KeyRequest } from './create-key.ts';
export * from './create-session.ts';
export * from './create-viewer-link.ts';
export * from './device-files.ts';
export {
  APPEARANCES,
  type DeviceSettings,
  LOCALE,
  NETWORK_LIMIT_VALUES,
  NETWORKS,
  type Network,
} from './device-settings.ts';
export { DisplayRecord } from './display.ts';
export * from './doctor.ts';
export * from './error-body.ts';
export { type Checked, type Fault, fault, faultSentence } from './fault.ts';
export * from './history.ts';
export * from './host.ts';
export * from './idempotency-key.ts';
export { checkListQuery, ListQuery } from './listing.ts';
export { type DeviceLocation, PLACE, type RoutePoint, type RouteProgress } from './location.ts';
export * from './logs.ts';
export * from './mcp-message.ts';
export * from './media.ts';
export {
  CLIENT_MESSAGES,
  type ClientMessage,
  type ClientMessageCheck,
  checkClientMessage,
  isAnswered,
  refusalCode,
  requestIdOf,
  roleFor,
} from './messages/client.ts';
export type { Event } from './messages/event.ts';
export type { Acks, InteractionMessage, PointerMessage } from './messages/interaction.ts';
export { SERVER_MESSAGES, type ServerMessage } from './messages/server.ts';
export { TRAITS, traitsOf } from './messages/traits.ts';
export * from './oauth.ts';
export * from './observed.ts';
export * from './open-url-request.ts';
export * from './open-url-result.ts';
export type { Access, Permission, PermissionState } from './permission.ts';
export { DECISION, type Decision } from './permission-fields.ts';
export * from './queries.ts';
export * from './recording.ts';
export { ROLES, type Role } from './roles.ts';
export { CONTROL_SUBPROTOCOL } from './routes/control.ts';
export * from './routes/index.ts';
export type { Answer, FormBody, JsonBody, Query, Route, RouteRole, StreamBody } from './routes/route.ts';
export { CREDENTIAL_PARAMETERS } from './routes/route.ts';
export * from './session.ts';
export * from './session-status.ts';
export * from './sign-in.ts';
export {
  CreateSnapshot,
  DeletedSnapshot,
  SNAPSHOT_NAME_PATTERN,
  SnapshotList,
  SnapshotRecord,
} from './snapshot.ts';
export * from './target.ts';
export * from './terms.ts';
export * from './ui.ts';
export * from './ui-condition.ts';
export * from './ui-format.ts';
export * from './ui-roles.ts';
export * from './ui-states.ts';
export * from './viewer-link.ts';
export * from './web-driver-body.ts';
