// Answers outside the route table: an unknown path and a wrong method, in the shape of the family that the path begins like, and a page that failed.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import type { Log } from '../../subgraphs/shared/log/log';
import { familyOfPath } from '../family-of-path';
import { send } from '../reply';
import { correlationIdOf, requestIdOf } from '../request-id';
import { type ErrorReply, printPathRefusal } from './errors';

/** Serves GET (and HEAD) of one path; every other method is answered with 405. */
export function getOnly(app: Express, path: string, handler: RequestHandler): void {
  app.get(path, handler);
  app.all(path, (request, response) => answerWrongMethod(request, response, 'GET, HEAD'));
}

export const answerUnknown: RequestHandler = (request, response) => answerPath(request, response, 404, 'No such path.');

export function answerWrongMethod(request: IncomingMessage, response: ServerResponse, allow: string): void {
  response.setHeader('allow', allow);
  answerPath(request, response, 405, `This path serves ${allow}.`);
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

function answerPath(request: IncomingMessage, response: ServerResponse, status: 404 | 405, message: string): void {
  const family = familyOfPath((request.url ?? '').split('?', 1)[0] ?? '');
  if (!family) {
    answerPlainly(request, response, { status, message });
    return;
  }
  const requestId = family === 'checkout' ? correlationIdOf(request) : requestIdOf(request);
  const { headers, ...reply } = printPathRefusal(family, status, message, requestId);
  const correlation: Record<string, string> = family === 'checkout' ? { 'correlation-id': requestId } : {};
  answer(response, { ...reply, headers: { ...headers, ...correlation } }, requestId);
}

function answerPlainly(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message }: { status: number; message: string },
): void {
  const requestId = requestIdOf(request);
  answer(response, { status, headers: {}, body: { message, requestId } }, requestId);
}

function answer(response: ServerResponse, { status, headers, body }: ErrorReply, requestId: string): void {
  send(response, { status, headers, body }, { 'x-request-id': requestId });
}
