import { RequestId } from '../actions/define-action.ts';
import { ParticipantId } from '../control.ts';
import { clientMessage } from './define-message.ts';

/** Each is answered by a `result` whose `result` is a `ControlAnswer`. */

export const controlRequest = clientMessage('control.request', { requestId: RequestId });

export const controlTake = clientMessage('control.take', { requestId: RequestId });

export const controlRelease = clientMessage('control.release', { requestId: RequestId });

export const controlGrant = clientMessage('control.grant', { requestId: RequestId, participant: ParticipantId });

export const controlDeny = clientMessage('control.deny', { requestId: RequestId, participant: ParticipantId });
