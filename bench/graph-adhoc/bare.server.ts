// Limit: no GraphQL at all, the same answer from plain code.
import { plainAnswer } from './fixture';
import { serveGraph } from './graph-http';

serveGraph(plainAnswer);
