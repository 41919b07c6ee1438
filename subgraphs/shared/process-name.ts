// What a process calls itself in what it holds, for whoever wants to know who works on it.
import { hostname } from 'node:os';

/** The machine's name and the process id. */
export const processName = `${hostname()} ${process.pid}`;
