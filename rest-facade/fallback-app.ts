// What express carries behind the route table: health, the OpenAPI files, the reference pages, and the answers to unknown paths and methods.
import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express } from 'express';
import type { Log } from '../subgraphs/shared/log/log';
import type { ApiFile } from './checks/openapi';
import { answerFailure, answerUnknown, answerWrongMethod, getOnly } from './errors/plain-answers';
import { addReferencePages, type ReferencePagesDeps } from './reference/reference-pages';

export interface Readiness {
  ready: boolean;
  dependencies: Record<string, 'up' | 'down'>;
}

export interface FallbackAppDeps extends ReferencePagesDeps {
  readiness(): Promise<Readiness>;
  log: Log;
}

/** Answers what no route record matched; `allow` names the methods of a path whose method was wrong. */
export type FallbackApp = (request: IncomingMessage, response: ServerResponse, allow: string | null) => void;

export function createFallbackApp(deps: FallbackAppDeps): FallbackApp {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  addHealth(app, deps);
  addOpenApiFiles(app, deps.files);
  addReferencePages(app, deps);
  app.use(answerUnknown);
  app.use(answerFailure(deps.log));
  return (request, response, allow) => {
    if (allow === null) app(request, response);
    else answerWrongMethod(request, response, allow);
  };
}

function addHealth(app: Express, { readiness }: FallbackAppDeps): void {
  getOnly(app, '/healthz', (_request, response) => {
    response.set('cache-control', 'no-store').json({ status: 'alive' });
  });
  getOnly(app, '/readyz', async (_request, response) => {
    const { ready, dependencies } = await readiness();
    response.status(ready ? 200 : 503).set('cache-control', 'no-store');
    if (!ready) response.set('retry-after', '1');
    response.json({ status: ready ? 'ready' : 'not ready', dependencies });
  });
}

function addOpenApiFiles(app: Express, files: readonly ApiFile[]): void {
  for (const file of files) {
    const path = `/openapi/${file.family}`;
    getOnly(app, `${path}.yaml`, (_request, response) => void response.type('application/yaml').send(file.yaml));
    getOnly(app, `${path}.json`, (_request, response) => void response.type('json').send(file.json));
  }
}
