// Connections on their way from the launcher to an application process: closed when that process ends before it took them, and none is given to a process whose
// channel has ended, so that no client waits for ever.
import type { ChildProcess } from 'node:child_process';

/** What node's cluster says between its processes when it hands a connection over, and when one was taken or given back. */
interface ClusterMessage {
  cmd?: string;
  act?: string;
  seq?: number;
  ack?: number;
}

interface Closable {
  close(): void;
}

const lastWordsMs = 200;

/**
 * Watches one cluster worker. Node's round robin closes the launcher's copy of a connection when the worker confirms it;
 * a worker that was killed confirms nothing, and the copy would keep the connection open without anybody to answer it.
 */
export function closeUntakenConnections<Child extends ChildProcess>(child: Child): Child {
  const untaken = new Map<number, Closable>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (...args: unknown[]) => {
    const [message, handle] = args as [ClusterMessage | undefined, Closable | undefined];
    if (message?.cmd === 'NODE_CLUSTER' && message.act === 'newconn' && message.seq !== undefined && handle)
      untaken.set(message.seq, handle);
    return send(...args);
  };
  child.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) untaken.delete(ack);
  });
  const closeSoon = () => {
    // Not at once: its last words may still lie in the channel.
    setTimeout(() => {
      for (const handle of untaken.values()) handle.close();
      untaken.clear();
    }, lastWordsMs).unref();
  };
  child.once('exit', closeSoon);
  child.once('disconnect', closeSoon);
  tellOfTheEnd(child);
  return child;
}

/**
 * A channel that ends while a handle waits for its receipt never says `disconnect`, and the round robin would give the dead worker one more
 * connection at each address.
 */
function tellOfTheEnd(child: ChildProcess): void {
  let isTold = false;
  child.once('disconnect', () => {
    isTold = true;
  });
  const disconnect = child.disconnect.bind(child);
  // What node itself calls at the end of the channel; a disconnect that is told of is told of in the next tick, before this.
  child.disconnect = () => {
    disconnect();
    process.nextTick(() => {
      if (!isTold && !child.channel) child.emit('disconnect');
    });
  };
}
