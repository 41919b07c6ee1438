// What the page about scale prints of shards: the collections, the commands that an operator gives, and what is meant to ask every shard.
import { type ShardKey, shardedCollections, shardKeyOf } from '../../subgraphs/shared/store/sharded-collections';
import { meantScatter } from './meant-scatter';

function printKey(key: ShardKey): string {
  const fields = Object.entries(key).map(([field, way]) => `${field}: ${JSON.stringify(way)}`);
  return `{ ${fields.join(', ')} }`;
}

export function printShardedCollections(): string {
  const rows = shardedCollections.map(({ name, formerUnique, ownKey }) => {
    const former = formerUnique.map((index) => `\`${index}\``).join(', ') || '–';
    return `| \`${name}\` | \`${printKey(shardKeyOf({ ownKey }))}\` | ${former} |`;
  });
  return [
    '| Collection | Shard key | Unique indexes of before, dropped by `database:slots` |',
    '| --- | --- | --- |',
    ...rows,
  ].join('\n');
}

export function printShardCommands(): string {
  const lines = shardedCollections.flatMap(({ name, ownKey, index }) => {
    const key = printKey(shardKeyOf({ ownKey }));
    const cut = `sh.shardCollection("payments.${name}", ${key})`;
    // An index that begins with the key is there from `prepare` on; one of the key alone is not.
    return index ? [cut] : [`db.getSiblingDB("payments").${name}.createIndex(${key})`, cut];
  });
  return ['```js', ...lines, '```'].join('\n');
}

export function printMeantScatter(): string {
  const rows = meantScatter.map(({ name, reason }) => `| ${name} | ${reason} |`);
  return ['| What asks every shard | Why |', '| --- | --- |', ...rows].join('\n');
}
