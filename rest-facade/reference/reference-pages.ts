// The API reference at /docs, from local files only: the reference itself, test cards and the guide pages.
import { join } from 'node:path';
import type { Express, Response } from 'express';
import type { ExecutionResult } from 'graphql';
import { anonymousCaller, type Environment } from '../../subgraphs/shared/callers/caller';
import { type RequestContext, requestContext } from '../../subgraphs/shared/callers/context';
import { type StaticFile, sendFile, staticFolder } from '../../subgraphs/shared/http/static-files';
import { newId } from '../../subgraphs/shared/ids';
import type { ApiFile } from '../checks/openapi';
import { problemSlugs } from '../errors/error-tables';
import { getOnly } from '../errors/plain-answers';
import { type GuidePage, readGuidePages } from './guide-pages';
import { type Frame, guidePage, referencePage, startPage, type TestCardRow, testCardsPage } from './reference-html';
import { startScript } from './reference-script';
import { searchScript, styleSheet } from './reference-style';

/** Files of swagger-ui-dist that the reference needs. */
const assets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** Nothing from outside, no inline script; the reference sets style attributes, which need 'unsafe-inline'. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface ReferencePagesDeps {
  execute(operationName: string, variables: Record<string, unknown>, context: RequestContext): Promise<ExecutionResult>;
  config: { environment: Environment; isSandbox: boolean };
  root: string;
  files: readonly ApiFile[];
}

export function addReferencePages(app: Express, deps: ReferencePagesDeps): void {
  const families = deps.files.map(({ family, document }) => ({ family, title: document.info.title }));
  const guides = readGuidePages(deps.root);
  const frame: Frame = { groups: groupsOf(guides, deps.config.isSandbox) };
  addStartPage(app, startPage(frame, families, deps.config.isSandbox));
  getOnly(app, '/docs', (_request, response) => sendPage(response, referencePage(frame, families)));
  for (const guide of guides) {
    getOnly(app, `/docs/${guide.name}`, (_request, response) => sendPage(response, guidePage(frame, guide)));
  }
  getOnly(app, '/docs/start.js', (_request, response) => sendText(response, 'text/javascript', startScript(families)));
  getOnly(app, '/docs/pages.css', (_request, response) => sendText(response, 'text/css', styleSheet));
  getOnly(app, '/docs/search.js', (_request, response) => sendText(response, 'text/javascript', searchScript));
  getOnly(app, '/docs/search.json', (_request, response) =>
    sendText(response, 'application/json', JSON.stringify(searchable(guides))),
  );
  // The `type` of a problem is an address: it leads to where the problem is explained.
  for (const slug of problemSlugs)
    getOnly(app, `/problems/${slug}`, (_request, response) => response.redirect(303, `/docs/errors#${slug}`));
  addAssets(app, deps.root);
  addPictures(app, deps.root);
  if (deps.config.isSandbox) addTestCards(app, deps, frame);
}

/** Browsers are shown where things are; programs are told that nothing is served at `/`. */
function addStartPage(app: Express, html: string): void {
  app.get('/', (request, response, next) => {
    if (request.headers.accept?.includes('text/html')) sendPage(response, html);
    else next();
  });
}

/** In the order in which one needs them; a page that no list names stands in the last one. */
const guideGroups = [
  { title: 'Begin', names: ['sandbox', 'merchant-life', 'errors', 'glossary'] },
  {
    title: 'Interfaces',
    names: [
      'encryption',
      'lifecycle',
      'payments',
      'checkout',
      'administration',
      'onboarding',
      'reporting',
      'callbacks',
      'graph',
      'live-events',
    ],
  },
  { title: 'Run it', names: ['operations', 'security'] },
] as const;

function groupsOf(guides: readonly GuidePage[], isSandbox: boolean): Frame['groups'] {
  const linkOf = ({ name, title }: GuidePage) => ({ path: `/docs/${name}`, title });
  const named = guideGroups.map(({ title, names }) => ({
    title,
    links: names.flatMap((name) => guides.filter((guide) => guide.name === name).map(linkOf)),
  }));
  const known = new Set<string>(guideGroups.flatMap(({ names }) => names));
  const rest = guides.filter(({ name }) => !known.has(name)).map(linkOf);
  const reference = [
    { path: '/docs', title: 'API reference' },
    ...(isSandbox ? [{ path: '/docs/test-cards', title: 'Test cards' }] : []),
  ];
  return [{ title: 'Reference', links: reference }, ...named, { title: 'How it is made', links: rest }].filter(
    ({ links }) => links.length > 0,
  );
}

/** What the search looks through: each section of each page, with its address. */
function searchable(guides: readonly GuidePage[]) {
  return guides.flatMap(({ name, title, sections }) =>
    sections.map(({ anchor, heading, text }) => ({
      title,
      heading,
      text,
      path: `/docs/${name}${anchor ? `#${encodeURIComponent(anchor)}` : ''}`,
    })),
  );
}

function addAssets(app: Express, root: string): void {
  const find = staticFolder(join(root, 'node_modules', 'swagger-ui-dist'));
  for (const name of assets) addFile(app, `/docs/assets/${name}`, () => find(name));
}

/** Pictures that the guide pages show. */
function addPictures(app: Express, root: string): void {
  const find = staticFolder(join(root, 'docs', 'screenshots'));
  addFile(app, '/docs/screenshots/:name', async (name = '') => (/^[\w-]+\.png$/.test(name) ? find(name) : null));
}

function addFile(app: Express, path: string, find: (name?: string) => Promise<StaticFile | null>): void {
  getOnly(app, path, async (request, response, next) => {
    const file = await find(request.params['name'] as string | undefined);
    if (file) await sendFile(request, response, file, { ...pageHeaders, 'cache-control': 'public, max-age=3600' });
    else next();
  });
}

function addTestCards(app: Express, { execute, config }: ReferencePagesDeps, frame: Frame): void {
  const reader = { ...anonymousCaller(config.environment), kind: 'sandboxKey', scopes: ['sandbox:control'] } as const;
  getOnly(app, '/docs/test-cards', async (_request, response) => {
    const result = await execute('GetTestCards', {}, requestContext(reader, newId()));
    if (result.errors?.[0]) throw result.errors[0];
    sendPage(response, testCardsPage(frame, (result.data as { testCards: TestCardRow[] }).testCards));
  });
}

const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

function sendPage(response: Response, html: string): void {
  sendText(response, 'text/html', html);
}

function sendText(response: Response, type: string, text: string): void {
  response.set({ ...pageHeaders, 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' }).send(text);
}
