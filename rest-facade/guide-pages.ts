// The guide pages of the project (docs/*.md) as HTML at /docs/<name>: error codes, decisions, sandbox, callbacks and the rest, rendered when first asked for.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';

export interface GuidePage {
  /** Last segment of its path, the file's name without its ending. */
  name: string;
  title: string;
  readonly html: string;
}

/** Reads every guide page below `root`; there are none in an installation without the docs folder. */
export function readGuidePages(root: string): GuidePage[] {
  const folder = join(root, 'docs');
  if (!existsSync(folder)) return [];
  const renderer = createRenderer();
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => printGuide(renderer, file.replace(/\.md$/, ''), readFileSync(join(folder, file), 'utf8')));
}

/** One page; links between pages of the folder become links below /docs, and headings get the anchors that links to them use. */
function printGuide(renderer: ReturnType<typeof createRenderer>, name: string, text: string): GuidePage {
  const [, title = name, rest = text] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? [];
  const visible = withoutComments(rest);
  let html: string | undefined;
  return {
    name,
    title,
    get html() {
      html ??= renderer.render(visible);
      return html;
    },
  };
}

/** A comment, and the end of line behind it, is for those who edit the page. */
function withoutComments(text: string): string {
  const [before = '', ...opened] = text.split('<!--');
  const shown = opened.map((part) => {
    const end = part.indexOf('-->');
    return end < 0 ? `<!--${part}` : part.slice(end + '-->'.length).replace(/^\n/, '');
  });
  return before + shown.join('');
}

/** No HTML of the text's own passes. */
function createRenderer() {
  const renderer = new MarkdownIt({ html: false, linkify: false, breaks: true });
  renderer.core.ruler.push('anchors', ({ tokens }) => {
    tokens.forEach((token, index) => {
      if (token.type === 'heading_open') token.attrSet('id', anchorOf(tokens[index + 1]?.content ?? ''));
    });
  });
  renderer.normalizeLink = (link) => encodeURI(decodeURI(link.replace(/^([\w-]+)\.md(?=#|$)/, '/docs/$1')));
  return renderer;
}

/** Lower case, spaces to hyphens, other signs dropped, as the places where people read such files do it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
