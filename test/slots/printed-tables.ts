// What the page about scale prints of shards: the collections, the commands that an operator gives, and what is meant to ask every shard.
import { shardedCollections, shardKey } from '../../subgraphs/shared/store/sharded-collections';
import { meantScatter } from './meant-scatter';

const key = `{ ${Object.entries(shardKey).map(([field, way]) => `${field}: ${way}`)} }`;

export function printShardedCollections(): string {
  const rows = shardedCollections.map(({ name, formerUnique }) => {
    const former = formerUnique.map((index) => `\`${index}\``).join(', ') || '–';
    return `| \`${name}\` | \`${key}\` | ${former} |`;
  });
  return [
    '| Collection | Shard key | Unique indexes of before, dropped by `database:slots` |',
    '| --- | --- | --- |',
    ...rows,
  ].join('\n');
}

export function printShardCommands(): string {
  const lines = shardedCollections.flatMap(({ name }) => [
    `db.getSiblingDB("payments").${name}.createIndex(${key})`,
    `sh.shardCollection("payments.${name}", ${key})`,
  ]);
  return ['```js', ...lines, '```'].join('\n');
}

export function printMeantScatter(): string {
  const rows = meantScatter.map(({ name, reason }) => `| ${name} | ${reason} |`);
  return ['| What asks every shard | Why |', '| --- | --- |', ...rows].join('\n');
}
