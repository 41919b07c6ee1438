// Answers outside the route table that belong to no family of errors: an unknown path, a wrong method, a page that failed.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import type { Log } from '../subgraphs/shared/log';
import { requestIdOf } from './request-id';

/** Serves GET (and HEAD) of one path; every other method is answered with 405. */
export function getOnly(app: Express, path: string, handler: RequestHandler): void {
  app.get(path, handler);
  app.all(path, (request, response) => answerWrongMethod(request, response, 'GET, HEAD'));
}

export const answerUnknown: RequestHandler = (request, response) =>
  answerPlainly(request, response, { status: 404, message: 'No such path.' });

export function answerWrongMethod(request: IncomingMessage, response: ServerResponse, allow: string): void {
  response.setHeader('allow', allow);
  answerPlainly(request, response, { status: 405, message: `This path serves ${allow}.` });
}

/** Express tells four-argument handlers from the others by their length. */
export function answerFailure(log: Log): ErrorRequestHandler {
  return (error: Error & { status?: number }, request, response, _next) => {
    const isCallers = error.status !== undefined && error.status >= 400 && error.status < 500;
    if (!isCallers) log.error({ error, path: request.path }, 'a page failed unexpectedly');
    if (response.headersSent) response.destroy();
    else answerPlainly(request, response, isCallers ? { status: 404, message: 'No such path.' } : failure);
  };
}

const failure = { status: 500, message: 'An unexpected failure on our side; quote the requestId.' };

function answerPlainly(
  request: IncomingMessage,
  response: ServerResponse,
  answer: { status: number; message: string },
): void {
  const requestId = requestIdOf(request);
  const text = JSON.stringify({ message: answer.message, requestId });
  response.writeHead(answer.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  });
  response.end(text);
}
