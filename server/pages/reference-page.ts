import type { HttpReply } from '../socket/http.ts';
import { referenceHeaders } from './page-headers.ts';
import { referenceHtml } from './page-html.ts';

/** `GET /docs`: the same document for everybody; all that it shows comes from `/openapi.json`. */
export const REFERENCE_PAGE: HttpReply = { status: 200, headers: referenceHeaders(), body: referenceHtml() };
