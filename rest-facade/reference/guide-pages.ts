// The guide pages of the project (docs/*.md) as HTML at /docs/<name>: error codes, decisions, sandbox, callbacks and the rest, rendered when first asked for.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';

export interface GuidePage {
  /** Last segment of its path, the file's name without its ending. */
  name: string;
  title: string;
  readonly html: string;
  /** What its headings stand over, for the search. */
  readonly sections: readonly GuideSection[];
}

interface GuideSection {
  /** Empty before the first heading. */
  anchor: string;
  heading: string;
  text: string;
}

/** Reads every guide page below `root`; there are none in an installation without the docs folder. */
export function readGuidePages(root: string): GuidePage[] {
  const folder = join(root, 'docs');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => printGuide(folder, file.replace(/\.md$/, ''), readFileSync(join(folder, file), 'utf8')));
}

/** One page; links between pages of the folder become links below /docs, and headings get the anchors that links to them use. */
function printGuide(folder: string, name: string, text: string): GuidePage {
  const [, title = name, rest = text] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? [];
  const visible = withPictures(withoutComments(rest));
  let html: string | undefined;
  let sections: GuideSection[] | undefined;
  return {
    name,
    title,
    get html() {
      html ??= createRenderer((index) => drawing(folder, name, index)).render(visible);
      return html;
    },
    get sections() {
      sections ??= sectionsOf(visible);
      return sections;
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

/** Pictures that are given a width where the text is read as HTML, too. */
function withPictures(text: string): string {
  return text.replace(/<img src="(screenshots\/[\w.-]+)" width="\d+" alt="([^"\]]*)">/g, '![$2]($1)');
}

/** The diagram with that number on the page, drawn before (`docs/diagrams/`); null when it was not. */
function drawing(folder: string, name: string, index: number): string | null {
  const path = join(folder, 'diagrams', `${name}-${index}.svg`);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function sectionsOf(text: string): GuideSection[] {
  return `\n${text}`.split(/\n(?=#{2,4} )/).map((part) => {
    const [, heading = ''] = /^#{2,4} (.*)/.exec(part) ?? [];
    const words = part.slice(heading ? part.indexOf('\n') + 1 || part.length : 0).replace(/[`*|#<>[\]]/g, ' ');
    return { anchor: anchorOf(heading), heading: heading.replaceAll('`', ''), text: words.replace(/\s+/g, ' ').trim() };
  });
}

/** No HTML of the text's own passes. `draw` gives the SVG of the nth diagram of the page, from 1. */
function createRenderer(draw: (index: number) => string | null) {
  const renderer = new MarkdownIt({ html: false, linkify: false });
  const { rules } = renderer.renderer;
  rules.table_open = () => '<div class="table" tabindex="0"><table>';
  rules.table_close = () => '</table></div>';
  const fence = rules.fence?.bind(rules);
  let diagrams = 0;
  rules.fence = (tokens, index, ...rest) => {
    const text = fence?.(tokens, index, ...rest) ?? '';
    if (tokens[index]?.info !== 'mermaid') return text;
    diagrams += 1;
    const svg = draw(diagrams);
    if (svg === null) return text;
    return `<figure class="diagram"><div tabindex="0">${svg}</div><details><summary>The diagram as text</summary>${text}</details></figure>`;
  };
  renderer.core.ruler.push('anchors', ({ tokens }) => {
    tokens.forEach((token, index) => {
      if (token.type === 'heading_open') token.attrSet('id', anchorOf(tokens[index + 1]?.content ?? ''));
    });
  });
  renderer.normalizeLink = (link) => encodeURI(decodeURI(addressOf(link)));
  return renderer;
}

/** Of a link from one file of the folder to another, or to a picture of it. */
function addressOf(link: string): string {
  if (link.startsWith('screenshots/')) return `/docs/${link}`;
  return link.replace(/^([\w-]+)\.md(?=#|$)/, '/docs/$1');
}

/** Lower case, spaces to hyphens, other signs dropped, as the places where people read such files do it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
