// In which order the rooms of a domain stand (ARCHITECTURE.md, Rooms and import rules): a file imports from its own room and from those below it, never from one above.
import { importsOf } from './import-rules';
import { at, type SourceFile } from './source-files';

/** The rooms of each domain that has any, from the lowest up. */
const roomOrders: Readonly<Record<string, readonly string[]>> = {
  access: ['clients', 'keys', 'people', 'jobs', 'proposals', 'audit'],
  merchants: ['accounts', 'agreements', 'terminals'],
  tokenization: ['keys', 'token-service', 'tokens', 'transactions', 'sandbox'],
  payments: [
    'operations',
    'connectors',
    'payment',
    'money',
    'contracts',
    'sessions',
    'checkout',
    'payment-service',
    'sandbox',
  ],
  notifications: ['kinds', 'callbacks', 'attempts', 'events', 'origins', 'receiver'],
  onboarding: ['applications', 'signing', 'mails', 'sandbox'],
  reporting: ['journal', 'payouts', 'balances', 'checks', 'metrics', 'search'],
};

interface Room {
  domain: string;
  /** Null: the file stands directly in the domain's folder, which belongs to every room. */
  name: string | null;
}

/** The graph is mutual by nature: what a field shows of another lies in that one's room. */
const graphSurface = /\.(resolver|type|reference)\.ts$/;

/** Imports against the order of rooms, with both rooms. */
export function roomFaults(file: SourceFile, orders = roomOrders): string[] {
  const own = roomOf(file.path);
  if (!own?.name || graphSurface.test(file.path)) return [];
  const order = orders[own.domain] ?? [];
  return importsOf(file).flatMap(({ target, isOwn, line }) => {
    const other = isOwn ? roomOf(target) : null;
    if (!own.name || !other?.name || other.domain !== own.domain) return [];
    const isBelow = order.indexOf(other.name) <= order.indexOf(own.name);
    return isBelow ? [] : [at(file, line, `${own.name} imports ${target}, of ${other.name}, which stands above it`)];
  });
}

/** Rooms that the table lacks, and rooms of the table that are not there. */
export function unorderedRooms(files: readonly SourceFile[], orders = roomOrders): string[] {
  const found = new Set(files.flatMap(({ path }) => wordOf(roomOf(path)) ?? []));
  const told = new Set(
    Object.entries(orders).flatMap(([domain, names]) => names.flatMap((name) => wordOf({ domain, name }) ?? [])),
  );
  return [
    ...[...found].filter((room) => !told.has(room)).map((room) => `${room}: missing in the table`),
    ...[...told].filter((room) => !found.has(room)).map((room) => `${room}: in the table, and not there`),
  ];
}

/** The table of ARCHITECTURE.md. */
export function printRoomOrders(): string {
  const rows = Object.entries(roomOrders).map(
    ([domain, names]) => `| \`subgraphs/${domain}/\` | ${names.map((name) => `\`${name}/\``).join(' < ')} |`,
  );
  return ['| Domain | Its rooms, from the lowest up |', '| --- | --- |', ...rows].join('\n');
}

function roomOf(path: string): Room | null {
  const [, domain, name] = /^subgraphs\/(?!shared\/)([^/]+)\/(?:([^/]+)\/)?/.exec(path) ?? [];
  return domain === undefined ? null : { domain, name: name ?? null };
}

function wordOf(room: Room | null): string | null {
  return room?.name ? `subgraphs/${room.domain}/${room.name}/` : null;
}
