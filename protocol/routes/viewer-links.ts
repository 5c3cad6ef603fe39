import { CreateViewerLink, checkCreateViewerLink } from '../create-viewer-link.ts';
import { CreatedViewerLink, RevokedViewerLink, ViewerLinkList } from '../viewer-link.ts';
import { byKey, get, jsonBody, LIST_QUERY, post, remove } from './parts.ts';
import type { Route } from './route.ts';

const VIEWER_LINKS = '/service/sessions/{sessionId}/viewer-links';

export const VIEWER_LINK_ROUTES = {
  createViewerLink: {
    ...post(VIEWER_LINKS, 'Create a link that shows or controls an active session', 'again'),
    description:
      'For people without a key: whoever has the link can watch or control this one session until it expires.',
    ...byKey('activeSession'),
    body: jsonBody(CreateViewerLink, checkCreateViewerLink),
    answers: { 201: { description: 'The link; no later answer contains its url', schema: CreatedViewerLink } },
  },
  listViewerLinks: {
    ...get(VIEWER_LINKS, "List a session's valid viewer links, newest first"),
    description: 'Without their addresses, which only the creation tells.',
    ...byKey('activeSession'),
    query: LIST_QUERY,
    answers: { 200: { description: 'The links that are neither revoked nor expired', schema: ViewerLinkList } },
  },
  revokeViewerLink: {
    ...remove(`${VIEWER_LINKS}/{linkId}`, 'Revoke a viewer link and close its sockets', 'again'),
    description: 'The link is refused from then on, and its sockets are closed. Repeating it has the same answer.',
    ...byKey('activeSession'),
    answers: { 200: { description: 'The link is revoked', schema: RevokedViewerLink } },
  },
} as const satisfies Record<string, Route>;
