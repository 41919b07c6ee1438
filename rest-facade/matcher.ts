// Finds the route record of a method and a path: fixed paths by one map look-up, templates by their segments, a trailing {name+} takes the rest.

export interface Pattern {
  method: string;
  /** As documented: /virtual-accounts/{virtualAccountId}/transaction; `{rest+}` as the last segment matches one or more segments. */
  path: string;
}

type Match<Entry> =
  | { kind: 'found'; entry: Entry; params: Record<string, string> }
  | { kind: 'wrongMethod'; allow: string }
  | { kind: 'none' };

export interface Matcher<Entry> {
  /** `path` is the raw path of the request target, without its query. */
  match(method: string, path: string): Match<Entry>;
}

interface RoutePlace<Entry> {
  segments: string[];
  byMethod: Map<string, Entry>;
}

/** A fixed path wins over a template, as in OpenAPI; HEAD is served by GET. */
export function createMatcher<Entry extends Pattern>(entries: readonly Entry[]): Matcher<Entry> {
  const places = new Map<string, RoutePlace<Entry>>();
  for (const entry of entries) {
    const place = places.get(entry.path) ?? { segments: entry.path.slice(1).split('/'), byMethod: new Map() };
    if (place.byMethod.has(entry.method)) throw new Error(`two routes for ${entry.method} ${entry.path}`);
    place.byMethod.set(entry.method, entry);
    if (entry.method === 'GET') place.byMethod.set('HEAD', entry);
    places.set(entry.path, place);
  }
  const templates = [...places.values()].filter(({ segments }) => segments.some(isParameter));
  const fixed = new Map([...places].filter(([path]) => !path.includes('{')));

  return {
    match(method, path) {
      const exact = fixed.get(path);
      if (exact) return choose(exact, method, {});
      const segments = path.slice(1).split('/');
      const allowed = new Set<string>();
      for (const place of templates) {
        const params = readParams(place.segments, segments);
        const match = params && choose(place, method, params);
        if (match?.kind === 'found') return match;
        if (match) for (const name of place.byMethod.keys()) allowed.add(name);
      }
      return allowed.size > 0 ? { kind: 'wrongMethod', allow: printMethods(allowed) } : { kind: 'none' };
    },
  };
}

function choose<Entry>(place: RoutePlace<Entry>, method: string, params: Record<string, string>): Match<Entry> {
  const entry = place.byMethod.get(method);
  return entry ? { kind: 'found', entry, params } : { kind: 'wrongMethod', allow: printMethods(place.byMethod.keys()) };
}

function printMethods(methods: Iterable<string>): string {
  return [...methods].sort().join(', ');
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

function readParams(template: string[], segments: string[]): Record<string, string> | null {
  const takesRest = template[template.length - 1]?.endsWith('+}') ?? false;
  if (takesRest ? segments.length < template.length : segments.length !== template.length) return null;
  const params: Record<string, string> = {};
  for (const [index, expected] of template.entries()) {
    const isRest = takesRest && index === template.length - 1;
    const found = isRest ? segments.slice(index).join('/') : segments[index];
    if (!isParameter(expected)) {
      if (found !== expected) return null;
      continue;
    }
    const value = decodeSegment(found ?? '');
    if (!value) return null;
    params[expected.slice(1, isRest ? -2 : -1)] = value;
  }
  return params;
}

/** The decoded segment; empty, and so no match, when its percent-encoding is broken. */
function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
