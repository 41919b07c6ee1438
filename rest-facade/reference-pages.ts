// The API reference at /docs, from local files only: the reference itself, test cards and the guide pages.
import { join } from 'node:path';
import type { Express, Response } from 'express';
import type { ExecutionResult } from 'graphql';
import { anonymousCaller, type Environment } from '../subgraphs/shared/caller';
import { type RequestContext, requestContext } from '../subgraphs/shared/context';
import { newId } from '../subgraphs/shared/ids';
import { problemSlugs } from './error-tables';
import { readGuidePages } from './guide-pages';
import type { ApiFile } from './openapi';
import { getOnly } from './plain-answers';
import {
  type Frame,
  guidePage,
  referencePage,
  startScript,
  styleSheet,
  type TestCardRow,
  testCardsPage,
} from './reference-html';

/** Files of swagger-ui-dist that the reference needs, with their types. */
const assets = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
  'favicon-32x32.png': 'image/png',
};

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
  const frame: Frame = {
    links: [
      { path: '/docs', title: 'API reference' },
      ...(deps.config.isSandbox ? [{ path: '/docs/test-cards', title: 'Test cards' }] : []),
      ...guides.map(({ name, title }) => ({ path: `/docs/${name}`, title })),
    ],
  };
  getOnly(app, '/docs', (_request, response) => sendPage(response, referencePage(frame, families)));
  for (const guide of guides) {
    getOnly(app, `/docs/${guide.name}`, (_request, response) => sendPage(response, guidePage(frame, guide)));
  }
  getOnly(app, '/docs/start.js', (_request, response) => sendText(response, 'text/javascript', startScript(families)));
  getOnly(app, '/docs/pages.css', (_request, response) => sendText(response, 'text/css', styleSheet));
  // The `type` of a problem is an address: it leads to where the problem is explained.
  for (const slug of problemSlugs)
    getOnly(app, `/problems/${slug}`, (_request, response) => response.redirect(303, `/docs/errors#${slug}`));
  addAssets(app, deps.root);
  if (deps.config.isSandbox) addTestCards(app, deps, frame);
}

function addAssets(app: Express, root: string): void {
  for (const [name, type] of Object.entries(assets)) {
    const file = join(root, 'node_modules', 'swagger-ui-dist', name);
    getOnly(app, `/docs/assets/${name}`, (_request, response, next) => {
      response.sendFile(
        file,
        { headers: { ...pageHeaders, 'content-type': type, 'cache-control': 'public, max-age=3600' } },
        (error) => {
          if (error) next(error);
        },
      );
    });
  }
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
