// What the outbox tells every process about a batch that has its places. Without a queue: who only listens carries none.

/** The channel of Redis. */
export const eventsChannel = 'events';

/** Endpoints that a message names at most: beyond this the queue alone wakes. */
const namedMax = 32;

/** The number of the batch on its lane, and whose callbacks it holds. */
export function printPublished(segment: number, endpointIds: readonly string[]): string {
  return [segment, ...(endpointIds.length > namedMax ? [] : endpointIds)].join(' ');
}

/** The endpoints that such a message names. */
export function endpointsIn(message: string): string[] {
  return message.split(' ').slice(1);
}
