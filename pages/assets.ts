// Scripts and style sheets of the pages, read once: each under an address that carries its hash, with the integrity value that its page demands.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namesTag } from '../subgraphs/shared/http/entity-tag';
import { keptForGood, type StaticFile, staticFile } from '../subgraphs/shared/http/static-files';
import { attributes, html, type Markup } from './html';
import type { PageReply, PageRequest, PageRoute } from './page-route';

export interface Asset extends StaticFile {
  /** For example `/assets/hosted.3f2a9c01.js`. */
  path: string;
  /** `sha384-...` of the bytes as they are served. */
  integrity: string;
}

const folder = 'pages';

/** Reads a script or declaration of `browser/`, or a style sheet of `styles/`, below the built pages. Throws when it is not there: the build is stale. */
export function readAsset(root: string, file: string): Asset {
  const name = file.slice(0, file.indexOf('.'));
  const ending = file.slice(file.lastIndexOf('.') + 1);
  const bytes = readFileSync(join(root, folder, ending === 'css' ? 'styles' : 'browser', file));
  const digest = createHash('sha384').update(bytes).digest();
  return {
    ...staticFile(file, bytes),
    path: `/assets/${name}.${digest.toString('hex').slice(0, 12)}.${ending}`,
    integrity: `sha384-${digest.toString('base64')}`,
  };
}

/** `sriHash` of the payment interface: the integrity value of the field script that `/sdk.js` serves. */
export function integrityOfSdk(root: string): string {
  return readAsset(root, 'sdk.js').integrity;
}

/** One route that serves them all; their addresses change with their bytes, so they may be kept for good. */
export function assetRoute(assets: readonly Asset[]): PageRoute {
  const byPath = new Map(assets.map((asset) => [asset.path, asset]));
  return {
    method: 'GET',
    pattern: /^\/assets\/([\w.-]+)$/,
    name: '/assets/{file}',
    isUnlimited: true,
    serve: (request) => {
      const asset = byPath.get(`/assets/${request.params[0]}`);
      if (!asset) return { status: 404, body: 'Not found' };
      return assetReply(request, asset, keptForGood);
    },
  };
}

/** A small mark of our own, so that no browser asks for one that is not there. */
export const iconRoute: PageRoute = {
  method: 'GET',
  pattern: /^\/favicon\.(svg|ico)$/,
  name: '/favicon.svg',
  isUnlimited: true,
  serve: () => ({
    status: 200,
    headers: { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' },
    body: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#2f48d8"/><path d="M7 12.500l3.500 3.500L17 9" fill="none" stroke="#fff" stroke-width="2.500" stroke-linecap="round" stroke-linejoin="round"/></svg>',
  }),
};

/** 200 with the file, or 304 for a browser that has it. */
export function assetReply({ header }: PageRequest, { type, bytes, etag }: Asset, cacheControl: string): PageReply {
  const headers = {
    etag,
    'content-type': type,
    'cache-control': cacheControl,
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
  };
  return namesTag(header('if-none-match'), etag) ? { status: 304, headers } : { status: 200, headers, body: bytes };
}

export function styleTag(asset: Asset): Markup {
  return html`<link ${attributes({ rel: 'stylesheet', href: asset.path, integrity: asset.integrity })}>`;
}

/** Runs after the page was read; the page works without it. */
export function scriptTag(asset: Asset): Markup {
  return html`<script ${attributes({ src: asset.path, integrity: asset.integrity, defer: true })}></script>`;
}
