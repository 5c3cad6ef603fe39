import { createHash } from 'node:crypto';
import { ID_PLACE_CHARACTERS, toBase62 } from '@runcloud/protocol/terms';

/** The NATS subjects of a fleet. The permissions of `hostPermissions` keep each host to its own ones. */
const ROOT = 'runcloud';

/** Name of a host: unique in the fleet, kept for good, as its sessions' ids tell it. */
export const HOST_NAME = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;

/** What all edges say to all hosts: that they are there, and which credentials are revoked. */
export const EDGES = `${ROOT}.edges`;
/** What hosts say to all edges: that they are there, and what is free. */
export const presenceOf = (host: string): string => `${ROOT}.presence.${host}`;
export const PRESENCES = presenceOf('*');
/** Frames for a host. */
export const toHost = (host: string): string => `${ROOT}.host.${host}`;
/** Frames for an edge from one host: the server lets no other one publish there. */
export const toEdge = (edge: string, host: string): string => `${ROOT}.edge.${edge}.${host}`;

/** The last token: in `PRESENCES` and `toEdge` the host. */
export const lastToken = (subject: string): string => subject.slice(subject.lastIndexOf('.') + 1);

/** What a host's user of the NATS server may do, and nothing else. */
export const hostPermissions = (host: string) => ({
  publish: [toEdge('*', host), presenceOf(host)],
  subscribe: [toHost(host), EDGES],
});

export const EDGE_PERMISSIONS = {
  publish: [toHost('*'), EDGES],
  subscribe: [toEdge('*', '*'), PRESENCES],
} as const;

/** The host's mark in the ids that it makes, so that every edge knows without a directory where a session is. */
export function placeOf(host: string): string {
  const number = createHash('sha256').update(host).digest().readUIntBE(0, 6);
  return toBase62(number % 62 ** ID_PLACE_CHARACTERS, ID_PLACE_CHARACTERS);
}
