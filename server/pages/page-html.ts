/** The pages' text. Nothing of a request goes into them; what comes from the database is escaped. */

/** Data that the viewer's script needs before it connects. */
export interface ViewerFacts {
  readonly sessionId: string;
  readonly platform: string;
  readonly role: string;
  /** Origins whose pages may embed the viewer and talk to it. */
  readonly embedOrigins: readonly string[];
  /** The browser is signed in to the session's account. */
  readonly isOwner: boolean;
}

/** A page that says why there is nothing to see, and where to go on. */
export interface Notice {
  readonly title: string;
  readonly text: string;
  /** The first is the most likely. */
  readonly links: readonly { readonly href: string; readonly text: string }[];
}

const document = (title: string, head: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
${head}
</head>
<body>
${body}
</body>
</html>
`;

/** The viewer: an empty place that says which session it is for, and the script that fills it. */
export function viewerHtml({ sessionId, platform, role, embedOrigins, isOwner }: ViewerFacts): string {
  const data = {
    'data-session': sessionId,
    'data-platform': platform,
    'data-role': role,
    'data-embed-origins': embedOrigins.join(' '),
    'data-owner': String(isOwner),
  };
  const attributes = Object.entries(data).map(([name, value]) => `${name}="${escaped(value)}"`);
  return document(
    'RunCloud viewer',
    '<link rel="stylesheet" href="/viewer/style.css">\n<script type="module" src="/viewer/app.js"></script>',
    `<main id="app" ${attributes.join(' ')}></main>\n<noscript>The viewer needs JavaScript.</noscript>`,
  );
}

/** The dashboard: an empty place, and the script that asks for what this browser may see. */
export function dashboardHtml(): string {
  return document(
    'RunCloud',
    '<link rel="stylesheet" href="/viewer/dashboard.css">\n<script type="module" src="/viewer/dashboard.js"></script>',
    '<div id="dashboard"><div class="opening" aria-busy="true"><p class="brand">RunCloud</p><p>Loading…</p></div></div>\n<noscript>The dashboard needs JavaScript.</noscript>',
  );
}

/** The reference of the API: the script asks for `/openapi.json` and shows it. */
export function referenceHtml(): string {
  return document(
    'API reference · RunCloud',
    '<link rel="stylesheet" href="/viewer/reference.css">\n<script type="module" src="/viewer/reference.js"></script>',
    `<header>
<a class="brand" href="/dashboard">RunCloud</a>
<a href="/openapi.json">OpenAPI</a>
<a href="/dashboard">Dashboard</a>
</header>
<main id="reference"><p>Loading…</p></main>
<noscript>The reference needs JavaScript; <a href="/openapi.json">openapi.json</a> has the same text.</noscript>`,
  );
}

export function noticeHtml({ title, text, links }: Notice): string {
  const ways = links.map(({ href, text }) => `<a href="${escaped(href)}" target="_top">${escaped(text)}</a>`);
  return document(
    `${title} · RunCloud`,
    '<link rel="stylesheet" href="/viewer/notice.css">',
    `<main>
<p class="brand">RunCloud</p>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
<nav>${ways.join('\n')}</nav>
</main>`,
  );
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
