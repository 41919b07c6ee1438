// The manifests as `kubectl apply -k` makes them of resources and patches, as far as deploy/kubernetes uses it; anything else there is refused.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

interface Kustomization {
  apiVersion: string;
  kind: string;
  resources?: string[];
  /** Folders of what is built into this one: resources of their own, and patches and images for all that stands before them. */
  components?: string[];
  images?: { name: string; newTag: string }[];
  patches?: { path: string; target: { kind: string; name?: string } }[];
}

type Tree = { [name: string]: unknown };
/** A manifest: YAML, of which tests read what they know to be there. */
// biome-ignore lint/suspicious/noExplicitAny: YAML
export type Manifest = any;

const known = ['apiVersion', 'components', 'images', 'kind', 'patches', 'resources'];
/** Lists of pods that are merged by a key of their elements (strategic merge patch); others are replaced. */
const mergeKeys: Readonly<Record<string, string>> = {
  containers: 'name',
  env: 'name',
  ports: 'containerPort',
  volumes: 'name',
  volumeMounts: 'mountPath',
};

/** In kustomize's order: resources, components, patches, images. */
export function builtManifests(folder: string, before: Manifest[] = []): Manifest[] {
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');
  const {
    resources = [],
    components = [],
    images = [],
    patches = [],
    ...rest
  }: Kustomization = parse(text('kustomization.yaml'));
  const unknown = Object.keys(rest).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`kustomization.yaml uses ${unknown.join(', ')}`);
  const own: Manifest[] = resources.flatMap((name) => parseAllDocuments(text(name)).map((each) => each.toJS()));
  const manifests = components.reduce((some, name) => builtManifests(join(folder, name), some), [...before, ...own]);
  return manifests.map((manifest) => {
    const fitting = patches.filter(({ target }) => isTarget(target, manifest));
    const patched = fitting.reduce<Tree>((merged, { path }) => merge(merged, patchOf(parse(text(path)))), manifest);
    return tagged(patched, images);
  });
}

/** Kind and name of a target are patterns of the whole. */
function isTarget({ kind, name = '.*' }: { kind: string; name?: string }, manifest: Manifest): boolean {
  return new RegExp(`^(${kind})$`).test(manifest.kind) && new RegExp(`^(${name})$`).test(manifest.metadata.name);
}

/** With a target, what a patch is called says nothing. */
function patchOf({ apiVersion, kind, metadata, ...patch }: Tree): Tree {
  return patch;
}

function merge(base: Tree, patch: Tree): Tree {
  const merged = { ...base };
  for (const [name, value] of Object.entries(patch)) merged[name] = mergedValue(name, base[name], value);
  return merged;
}

function mergedValue(name: string, before: unknown, value: unknown): unknown {
  const key = mergeKeys[name];
  if (Array.isArray(value) && Array.isArray(before) && key) {
    const added = value.filter((each) => !before.some((other) => other[key] === each[key]));
    const changed = before.map((each) => merge(each, value.find((other) => other[key] === each[key]) ?? {}));
    return [...added, ...changed];
  }
  const isTree = (some: unknown) => typeof some === 'object' && some !== null && !Array.isArray(some);
  return isTree(value) && isTree(before) ? merge(before as Tree, value as Tree) : value;
}

function tagged(manifest: Manifest, images: NonNullable<Kustomization['images']>): Manifest {
  for (const container of manifest.spec?.template?.spec?.containers ?? []) {
    const image = images.find(({ name }) => name === container.image);
    if (image) container.image = `${image.name}:${image.newTag}`;
  }
  return manifest;
}
