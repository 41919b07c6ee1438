// Reads the Prometheus text format as strictly as its description says, and throws at the first line that breaks it.

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Family {
  name: string;
  type: string;
  samples: Sample[];
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const labelPair = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;
const types = ['counter', 'gauge', 'histogram', 'summary', 'untyped'];

/** The families of a scrape by name. Every one has HELP and TYPE before its samples, stands in one place, and has no series twice. */
export function parseMetrics(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, Family>();
  const series = new Set<string>();
  let helped: string | null = null;
  let current: Family | null = null;
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const breaks = (why: string) => new Error(`${why}: ${line}`);
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (word === 'HELP') {
      if (families.has(name) || !metricName.test(name)) throw breaks('a name that stands twice, or is none');
      helped = name;
    } else if (word === 'TYPE') {
      if (name !== helped || !types.includes(rest)) throw breaks('a TYPE without its HELP, or none of the known ones');
      current = { name, type: rest, samples: [] };
      families.set(name, current);
    } else {
      const sample = readSample(line);
      if (!current || !belongs(sample.name, current)) throw breaks('a sample outside its family');
      const key = JSON.stringify([sample.name, Object.entries(sample.labels).toSorted()]);
      if (series.has(key)) throw breaks('a series that stands twice');
      series.add(key);
      current.samples.push(sample);
    }
  }
  for (const family of families.values()) if (family.type === 'histogram') assertHistogram(family);
  return families;
}

function readSample(line: string): Sample {
  const [, name = '', pairs = '', printed = ''] = sampleLine.exec(line) ?? [];
  const labels: Record<string, string> = {};
  let at = 0;
  while (at < pairs.length) {
    labelPair.lastIndex = at;
    const [whole = '', label = '', value = ''] = labelPair.exec(pairs) ?? [];
    if (whole === '' || Object.hasOwn(labels, label)) throw new Error(`labels that cannot be read: ${line}`);
    labels[label] = value.replace(/\\(.)/g, (_escape, letter: string) => (letter === 'n' ? '\n' : letter));
    at += whole.length;
  }
  const value = Number(printed.replace(/^([+-]?)Inf$/, '$1Infinity'));
  if (name === '' || (Number.isNaN(value) && printed !== 'NaN')) throw new Error(`not a sample: ${line}`);
  return { name, labels, value };
}

function belongs(sample: string, { name, type }: Family): boolean {
  const endings =
    type === 'histogram' ? ['_bucket', '_sum', '_count'] : type === 'summary' ? ['', '_sum', '_count'] : [''];
  return endings.some((ending) => sample === name + ending);
}

/** Buckets of a series only grow, and the last one is its count. */
function assertHistogram({ name, samples }: Family): void {
  const buckets = new Map<string, { le: number; value: number }[]>();
  for (const { labels, value } of samples.filter((each) => each.name === `${name}_bucket`)) {
    const { le = '', ...rest } = labels;
    const key = keyOf(rest);
    buckets.set(key, [...(buckets.get(key) ?? []), { le: Number(le.replace('+Inf', 'Infinity')), value }]);
  }
  const counts = samples.filter((each) => each.name === `${name}_count`);
  const isWhole = counts.every(({ labels, value }) => {
    const sorted = (buckets.get(keyOf(labels)) ?? []).toSorted((a, b) => a.le - b.le);
    const grows = sorted.every((bucket, index) => bucket.value >= (sorted[index - 1]?.value ?? 0));
    return grows && sorted.at(-1)?.le === Number.POSITIVE_INFINITY && sorted.at(-1)?.value === value;
  });
  if (!isWhole || counts.length !== buckets.size) throw new Error(`the buckets of ${name} do not make its count`);
}

function keyOf(labels: Record<string, string>): string {
  return JSON.stringify(Object.entries(labels).toSorted());
}
