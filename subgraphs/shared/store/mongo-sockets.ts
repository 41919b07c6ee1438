// The driver (7.8) waits for a full socket to drain, and for nothing else: one that is given up meanwhile never does, and the call hangs for good.
// Here such a wait ends, and the driver says what became of the connection.
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
