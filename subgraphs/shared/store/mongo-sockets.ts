// A command that is larger than its socket takes at once waits for the socket to drain. The driver (7.8) waits for that event alone: a socket that is given up
// meanwhile, by its time limit or with its pool, drains never, and the call hangs for good, with everything that waits for it. Here such a wait ends, and
// the driver then says what became of the connection.
import type { EventEmitter } from 'node:events';

interface DriverConnection {
  cleanup(error: Error): void;
  socket: EventEmitter;
}

/** The driver's inner class; the test of a half-sent command tells when it is no longer what it was. */
const { Connection } = require('mongodb/lib/cmap/connection') as { Connection: { prototype: DriverConnection } };

let isMended = false;

/** For every connection of this process, those that are open included. */
export function endWaitsOfClosedSockets(): void {
  if (isMended) return;
  isMended = true;
  const { cleanup } = Connection.prototype;
  Connection.prototype.cleanup = function (error) {
    cleanup.call(this, error);
    this.socket.emit('drain');
  };
}
